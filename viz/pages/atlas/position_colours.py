"""The colours of positions in a sentence; all late positions share a colour."""

from plotly.colors import sample_colorscale

LAST, STEPS = 20, 9
"""The first position, from 0, with the shared last colour; the number of colours in the legend."""


def colour_of_position(position: int) -> str:
    """Return the colour of a position, from 0."""
    (colour,) = sample_colorscale("Viridis", [min(position, LAST) / LAST])
    return str(colour)


def ramp() -> tuple[str, ...]:
    """Return `STEPS` colours, from the first to the last, for a legend."""
    return tuple(str(colour) for colour in sample_colorscale("Viridis", STEPS))
