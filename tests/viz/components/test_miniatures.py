"""The miniatures of heads: what an image of a board holds, read back with another library."""

import base64
import io

import numpy as np
from PIL import Image

from viz.components.miniatures import MOST, head_picture, miniatures, tiled, vector_picture
from viz.figures.theme import DARK, LIGHT

RNG = np.random.default_rng(0)


def image(address: str) -> Image.Image:
    kind, _comma, data = address.partition(",")
    assert kind == "data:image/png;base64"
    return Image.open(io.BytesIO(base64.b64decode(data)))


def test_every_head_stands_at_its_place_in_the_image() -> None:
    weights = RNG.dirichlet(np.ones(5), size=(2, 3, 4)).astype(np.float32)  # L H query key
    levels = tiled(weights)
    assert levels.shape == (2 * 4, 3 * 5)
    for layer in range(2):
        for head in range(3):
            tile = levels[layer * 4 : layer * 4 + 4, head * 5 : head * 5 + 5]
            np.testing.assert_allclose((tile / 255) ** 2, weights[layer, head], atol=5e-3)


def test_the_image_has_the_colours_of_the_theme() -> None:
    weights = np.zeros((1, 2, 1, 1), np.float32)
    weights[0, 1] = 1
    for theme in (LIGHT, DARK):
        found = image(miniatures({"cross": weights}, theme.sequential)["cross"]).convert("RGB")
        assert found.size == (2, 1)
        ends = [theme.sequential[0][1], theme.sequential[-1][1]]
        assert [found.getpixel((at, 0)) for at in (0, 1)] == [
            tuple(bytes.fromhex(colour[1:])) for colour in ends
        ]


def test_a_long_sentence_keeps_its_strongest_weights_in_few_cells() -> None:
    weights = np.zeros((1, 1, 100, 7), np.float32)
    weights[0, 0, 57, 3] = 1
    levels = tiled(weights)
    assert levels.shape == (MOST, 7)
    assert (levels == 255).sum() == 1
    assert levels[int(57 * MOST / 100), 3] == 255


def test_a_kind_without_layers_has_no_image() -> None:
    assert not miniatures({"decoder": np.zeros((0, 0, 3, 3))}, LIGHT.sequential)


def test_a_vector_is_read_row_by_row_and_what_is_left_over_is_nothing() -> None:
    most, least, middle = (tuple(bytes.fromhex(LIGHT.diverging[at][1][1:])) for at in (-1, 0, 1))
    found = image(vector_picture(np.array([2.0, -2.0, 0.0, 0.0, 2.0]), 2, LIGHT.diverging))
    read = found.convert("RGB")
    assert read.size == (3, 2)
    assert [read.getpixel((at, 0)) for at in (0, 1)] == [most, least]
    assert read.getpixel((1, 1)) == most
    for left_over in ((2, 0), (2, 1)):
        np.testing.assert_allclose(np.asarray(read)[left_over[::-1]], middle, atol=2)


def test_the_picture_of_one_head_is_that_of_a_board_with_only_it() -> None:
    weights = np.array([[0.25, 0.75], [1.0, 0.0]])
    board = miniatures({"cross": weights[None, None]}, LIGHT.sequential)
    assert head_picture(weights, LIGHT.sequential) == board["cross"]
