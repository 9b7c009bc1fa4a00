"""Numbers on coloured cells in a legible colour, black or white."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from plotly.colors import sample_colorscale

from viz.figures.theme import Scale


def inked(
    texts: Sequence[Sequence[str]],
    values: NDArray[np.floating],
    scale: Scale,
    lowest: float,
    highest: float,
) -> list[list[str]]:
    """Colour the texts of a heatmap black or white, for legibility on each cell.

    Plotly's own choice, #444 or white, gives numbers on medium cells a contrast below 3. `lowest`
    and `highest` are the ends of the colour scale. Raises ValueError when texts and values do not
    fit.
    """
    if values.shape != (len(texts), len(texts[0])):
        raise ValueError(f"{len(texts)} rows of texts do not fit {values.shape}")
    shares = np.clip(np.nan_to_num((values - lowest) / (highest - lowest)), 0, 1)
    stops = [list(stop) for stop in scale]
    cells = sample_colorscale(stops, shares.ravel().tolist(), colortype="tuple")
    dark = luminance(np.array(cells)).reshape(values.shape) < EVEN
    return [
        [
            label and f'<span style="color:{"#fff" if on_dark else "#000"}">{label}</span>'
            for label, on_dark in zip(*row, strict=True)
        ]
        for row in zip(texts, dark, strict=True)
    ]


EVEN = 1.05**0.5 * 0.05**0.5 - 0.05
"""The relative luminance with equal contrast to black and white (WCAG 2.2), 4.58 to 1."""


def luminance(colours: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the relative luminance of sRGB colours (..., 3), 0 to 1, as WCAG 2.2 defines it."""
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])
