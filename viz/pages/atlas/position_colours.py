"""Colours of positions in a sentence, from the first to the last that has one of its own."""

from plotly.colors import sample_colorscale

LAST, STEPS = 20, 9
"""From this position on, counted from 0, the colour is the same; colours of the legend."""


def colour_of_position(position: int) -> str:
    """Return the colour of a position, from 0."""
    (colour,) = sample_colorscale("Viridis", [min(position, LAST) / LAST])
    return str(colour)


def ramp() -> tuple[str, ...]:
    """Return colours from the first to the last, for a legend."""
    return tuple(str(colour) for colour in sample_colorscale("Viridis", STEPS))
