import re

import numpy as np
import pytest
from plotly.colors import sample_colorscale

from viz.figures.ink import inked, luminance
from viz.figures.theme import DARK, LIGHT, Scale

SCALES = [LIGHT.sequential, LIGHT.diverging, DARK.sequential, DARK.diverging]


def contrast(one: float, other: float) -> float:
    """The contrast ratio of WCAG 2.2."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


@pytest.mark.parametrize("scale", SCALES)
def test_every_number_stands_out_from_its_cell(scale: Scale) -> None:
    values = np.linspace(-1, 1, 201).reshape(3, 67)
    texts = [[f"{value:.2f}" for value in row] for row in values]
    written = [text for row in inked(texts, values, scale, -1, 1) for text in row]
    cells = sample_colorscale([list(s) for s in scale], np.linspace(0, 1, 201), colortype="tuple")
    for text, value, cell in zip(written, values.ravel(), cells, strict=True):
        found = re.fullmatch(r'<span style="color:(#fff|#000)">(.*)</span>', text)
        assert found is not None
        assert found[2] == f"{value:.2f}"
        ink = 1.0 if found[1] == "#fff" else 0.0
        assert contrast(ink, float(luminance(np.array(cell)))) >= 4.5


def test_values_outside_the_scale_and_missing_ones_are_written_too() -> None:
    values = np.array([[-3.0, 7.0, np.nan]])
    low, high, missing = inked([["a", "b", ""]], values, LIGHT.sequential, 0, 1)[0]
    assert "#000" in low
    assert "#fff" in high
    assert missing == ""


def test_luminance_runs_from_black_to_white_as_the_standard_says() -> None:
    colours = np.array([[0, 0, 0], [1, 1, 1], [1, 0, 0], [0.5, 0.5, 0.5]])
    assert luminance(colours) == pytest.approx([0, 1, 0.2126, 0.2140], abs=1e-4)


def test_texts_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="1 rows of texts do not fit"):
        inked([["a"]], np.zeros((1, 2)), LIGHT.sequential, 0, 1)
