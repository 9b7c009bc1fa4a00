"""The parts of vectors, scores and logits add up to what is recorded."""

from dataclasses import replace

import numpy as np
import pytest

from model import Recording, Translator, load_translator
from model.interventions.base import Intervention
from model.interventions.blocks import (
    LeaveOutNorm,
    LeaveOutResidual,
    LeaveOutSublayer,
    SkipLayer,
    ZeroUnit,
)
from model.interventions.heads import AblateHead
from model.interventions.masks import BlockAttention
from model.interventions.positions import ScalePositions
from model.interventions.scale import ClampScores, Unscale
from model.recording.recording import record
from model.sites.sites import KINDS, STACKS, Kind, Stack
from model.transformer.config import ModelConfig
from tests.model.interventions.made_up import Halve
from tests.model.uneven import uneven

SOURCE, TARGET = (40, 41, 42, 43, 44, 45, 2), (1, 60, 61, 62)
CHANGES: tuple[tuple[Intervention, ...], ...] = (
    (),
    (LeaveOutSublayer("decoder", 1, "cross_attn"), LeaveOutNorm("encoder", 0, "ffn")),
    (LeaveOutResidual("decoder", 0, "self_attn"), LeaveOutResidual("encoder", 1, "ffn")),
    (SkipLayer("decoder", 1), SkipLayer("encoder", 0), ZeroUnit("decoder", 0, 5)),
    (AblateHead("cross", 2, 1), ScalePositions("encoder", 0.5), Unscale("cross")),
    (Halve(), AblateHead("encoder", 1, 1, "uniform"), Unscale("decoder")),
)


@pytest.fixture(
    scope="module",
    params=[*CHANGES, None],
    ids=["as it is", "gone", "residual", "skip", "head", "scores", "as shipped"],
)
def made(request: pytest.FixtureRequest, config: ModelConfig, shipped: Recording) -> Recording:
    if request.param is None:
        return shipped
    names = ["s"] * len(SOURCE), ["t"] * len(TARGET)
    return record(uneven(config, seed=11, norms=True), SOURCE, TARGET, *names, request.param)


@pytest.fixture(scope="module")
def shipped() -> Recording:
    return load_translator("en-fr").record("The animal didn't cross the street.")


@pytest.mark.parametrize("stack", STACKS)
def test_what_was_written_adds_up_to_the_stream(made: Recording, stack: Stack) -> None:
    stream = made.stream(stack)
    for layer, vectors in enumerate(stream):
        for token in (0, len(vectors) - 1):
            parts = made.residual_parts(stack, layer, token)
            assert parts.values.shape == (len(parts.names), stream.shape[-1])
            np.testing.assert_allclose(parts.total, vectors[token], atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_products_of_parts_add_up_to_the_score(made: Recording, kind: Kind) -> None:
    for layer in range(made.config.layers(kind)):
        scores = made.part(kind, layer, "scores")
        parts = made.score_parts(kind, layer, 1, 3, 2)
        assert parts.values.shape == (len(parts.query), len(parts.key))
        np.testing.assert_allclose(parts.total, scores[1, 3, 2], atol=1e-4)


def test_what_scores_are_multiplied_by_is_asked_of_what_was_done(config: ModelConfig) -> None:
    changes = (
        Halve(),
        AblateHead("cross", 0, 1, "uniform"),
        BlockAttention("cross", 1, 2, 0, 0),
        Unscale("decoder"),
    )
    names = ["s"] * len(SOURCE), ["t"] * len(TARGET)
    recording = record(uneven(config, seed=11), SOURCE, TARGET, *names, changes)
    expected = np.full((4, len(TARGET), len(SOURCE)), 0.5)
    np.testing.assert_array_equal(recording.score_factors("cross", 1), expected)
    expected[1], expected[0, 1, 2] = 0, 1
    np.testing.assert_array_equal(recording.score_factors("cross", 0), expected)
    root = config.d_k**0.5
    np.testing.assert_allclose(recording.score_factors("decoder", 2), np.full((4, 4, 4), root))
    assert (recording.score_factors("encoder", 0) == 1).all()
    doubles = np.ones((4, len(TARGET), len(SOURCE)))
    assert recording.edited("decoder.1.cross_attn.scores", doubles).dtype == np.float64
    assert recording.edited("decoder.1.cross_attn.z", doubles) is doubles


def test_a_score_that_no_factor_makes_has_no_parts(config: ModelConfig) -> None:
    names = ["s"] * len(SOURCE), ["t"] * len(TARGET)
    limit = 0.3
    changes = (Unscale("encoder"), ClampScores("encoder", limit))
    recording = record(uneven(config, seed=11), SOURCE, TARGET, *names, changes)
    before = recording.unedited_scores("encoder", 0) * config.d_k**0.5
    inside = np.abs(before) < limit
    factors = recording.score_factors("encoder", 0)
    assert inside.any()
    assert not inside.all()
    np.testing.assert_allclose(factors[inside], config.d_k**0.5)
    assert np.isnan(factors[~inside]).all()
    head, query, key = np.argwhere(inside)[0]
    score = recording.part("encoder", 0, "scores")[head, query, key]
    total = recording.score_parts("encoder", 0, head, query, key).total
    np.testing.assert_allclose(total, score, atol=1e-4)
    head, query, key = np.argwhere(~inside)[0]
    with pytest.raises(ValueError, match="no exact parts: interventions do not multiply"):
        recording.score_parts("encoder", 0, head, query, key)


def test_what_every_head_wrote_adds_up_to_the_logit(made: Recording) -> None:
    for step, row in enumerate(made.logits):
        piece, other = (int(id_) for id_ in row.argsort()[-2:])
        one = made.logit_parts(step, piece)
        np.testing.assert_allclose(one.total, row[piece], atol=1e-4)
        lead = made.logit_parts(step, piece, other)
        np.testing.assert_allclose(lead.total, row[piece] - row[other], atol=1e-4)
        assert lead.names == one.names


def test_nothing_is_left_over_and_everything_has_its_name(shipped: Recording) -> None:
    names = shipped.logit_parts(2, 7).names
    heads, sublayers, norms = 2 * 6 * 8, 3 * 6, 3 * 6
    assert len(set(names)) == len(names) == 2 + heads + sublayers + norms
    assert names[:2] == ("decoder.embedding", "decoder.positions")
    assert {"decoder.0.self_attn.z.0", "decoder.5.cross_attn.z.7", "decoder.5.ffn.out"} < set(names)
    first = ("decoder.0.self_attn.out", "decoder.0.norm1.bias")
    looking, looked_at = (
        ("decoder.embedding", "decoder.positions", *first),
        list(shipped.residual_parts("encoder", 6, 0).names),
    )
    assert looked_at[:3] == ["encoder.embedding", "encoder.positions", "encoder.0.self_attn.out"]
    assert len(looked_at) == 2 + 6 * 2 * 2
    cross = shipped.score_parts("cross", 0, 0, 1, 2)
    assert cross.query == (*looking, "decoder.0.cross_attn.q.bias")
    assert cross.key == (*looked_at, "decoder.0.cross_attn.k.bias")
    own = shipped.score_parts("encoder", 1, 0, 1, 2)
    assert own.query == (*looked_at[:6], "encoder.1.self_attn.q.bias")
    assert own.key == (*looked_at[:6], "encoder.1.self_attn.k.bias")


def test_the_bias_of_a_piece_is_a_part_of_its_logit(config: ModelConfig) -> None:
    names = ["s"] * len(SOURCE), ["t"] * len(TARGET)
    biased = replace(config, variant=replace(config.variant, biased=True))
    recording = record(uneven(biased, seed=11), SOURCE, TARGET, *names)
    row, bias = recording.logits[2], recording.weights["output_bias"]
    one, lead = recording.logit_parts(2, 7), recording.logit_parts(2, 7, 9)
    assert one.names[-1] == lead.names[-1] == "decoder.logits.bias"
    np.testing.assert_allclose(one.values[-1], bias[7])
    np.testing.assert_allclose(lead.values[-1], bias[7] - bias[9])
    np.testing.assert_allclose(one.total, row[7], atol=1e-4)
    np.testing.assert_allclose(lead.total, row[7] - row[9], atol=1e-4)


def test_a_head_that_is_off_writes_nothing(config: ModelConfig) -> None:
    names = ["s"] * len(SOURCE), ["t"] * len(TARGET)
    recording = record(
        uneven(config, seed=11, norms=True), SOURCE, TARGET, *names, [AblateHead("cross", 2, 1)]
    )
    parts = recording.logit_parts(3, 5)
    assert parts.values[parts.names.index("decoder.2.cross_attn.z.1")] == 0


def test_places_that_do_not_exist_are_named(shipped: Recording, config: ModelConfig) -> None:
    names = ["s"] * len(SOURCE), ["t"] * len(TARGET)
    small = record(uneven(config, seed=11), SOURCE, TARGET, *names)
    lasts: dict[Stack, int] = {"encoder": 2, "decoder": 3}
    for stack, last in lasts.items():
        with pytest.raises(ValueError, match=f"^layer must be 0 to {last}, not {last + 1}$"):
            small.residual_parts(stack, last + 1, 0)
        with pytest.raises(ValueError, match=f"^layer must be 0 to {last - 1}, not {last};"):
            small.score_parts(stack, last, 0, 0, 0)
    with pytest.raises(ValueError, match="token must be 0 to"):
        shipped.residual_parts("encoder", 0, 99)
    with pytest.raises(ValueError, match="head must be 0 to 7, not 8"):
        shipped.score_parts("cross", 0, 8, 0, 0)
    pieces = shipped.logits.shape[1]
    for piece in (-1, pieces):
        with pytest.raises(ValueError, match=f"piece must be 0 to {pieces - 1}, not {piece}"):
            shipped.logit_parts(0, piece)


def test_recordings_of_one_translator_share_weights_that_nobody_can_change(
    translator: Translator,
) -> None:
    one, other = (translator.record(text) for text in ("The cat sleeps.", "The dog sleeps."))
    assert one.weights is other.weights
    own = translator.model.get_parameter("embedding.weight").numpy()
    assert np.shares_memory(one.weights["embedding.weight"], own)
    with pytest.raises(ValueError, match="read-only"):
        one.weights["embedding.weight"][0, 0] = 1
    with pytest.raises(ValueError, match="no weight 'nothing'"):
        one.weights["nothing"]
