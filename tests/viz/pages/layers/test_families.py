"""Encoder only, decoder only, both; and layers compared."""

import numpy as np

from model.sites.sites import Stack
from model.transformer.config import ModelConfig
from model.transformer.layers import DecoderLayer, EncoderLayer
from tests.viz.drawn import traces
from viz.figures.theme import LIGHT
from viz.pages.layers.alike_figure import alike_figure
from viz.pages.layers.families import (
    CROSS,
    DECODER,
    ENCODER,
    FAMILIES,
    Family,
    Masks,
    block_parameters,
    cells,
)
from viz.pages.layers.families_figure import families_figure

MASKS = Masks(np.ones((3, 3), bool), np.tri(2, dtype=bool), np.ones((2, 3), bool))
CONFIG = ModelConfig(vocab_size=9, d_model=8, heads=2, d_ff=12)


def test_who_sees_whom() -> None:
    np.testing.assert_array_equal(cells("encoder", MASKS), np.full((3, 3), ENCODER))
    np.testing.assert_array_equal(cells("decoder", MASKS), DECODER * np.tri(5, dtype=int))
    e, d, c = ENCODER, DECODER, CROSS
    np.testing.assert_array_equal(
        cells("both", MASKS),
        [[e, e, e, 0, 0], [e, e, e, 0, 0], [e, e, e, 0, 0], [c, c, c, d, 0], [c, c, c, d, d]],
    )


def test_hidden_padding_is_seen_by_nobody() -> None:
    encoder, cross = MASKS.encoder.copy(), MASKS.cross.copy()
    encoder[:, 2] = cross[:, 2] = False
    found = cells("both", Masks(encoder, MASKS.decoder, cross))
    assert not found[:, 2].any()


def test_parameters_are_those_of_the_layers() -> None:
    def count(layer: EncoderLayer | DecoderLayer) -> int:
        return sum(one.numel() for one in layer.parameters())

    encoder, decoder = count(EncoderLayer(CONFIG)), count(DecoderLayer(CONFIG))
    found = [block_parameters(family, 8, 12) for family in FAMILIES]
    assert found == [encoder, encoder, encoder + decoder]


def test_each_family_has_its_picture() -> None:
    shown: dict[Family, np.ndarray] = {family: cells(family, MASKS) for family in FAMILIES}
    titles: dict[Family, str] = {family: str(family) for family in FAMILIES}
    figure = families_figure(shown, titles, ["a", "b", "c", "d", "e"], LIGHT)
    for trace, values in zip(traces(figure), shown.values(), strict=False):
        np.testing.assert_array_equal(trace.z, values)
    scale = traces(figure)[0].colorscale
    assert [stop for stop, _ in scale] == [0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1]


def test_each_stack_has_its_cosines() -> None:
    found: dict[Stack, np.ndarray] = {"encoder": np.eye(2), "decoder": np.full((3, 3), 0.5)}
    drawn = traces(alike_figure(found, LIGHT))
    for trace, values in zip(drawn, found.values(), strict=True):
        np.testing.assert_array_equal(trace.z, values)
