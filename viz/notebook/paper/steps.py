"""The steps of a decode as a figure for print: each chosen piece among the most probable."""

from collections.abc import Sequence

from model.results import Step
from viz.figures.theme import LIGHT, QUERY, token_text
from viz.notebook.paper.picture import Box, Mark, Picture, Words, width_of

MARGIN, ROW, SIZE, BAR = 16, 22, 14, 120
OTHER = "#9aa0ac"
"""The colour of a piece that was not chosen."""


def steps_picture(steps: Sequence[Step], count: int, names: Sequence[str]) -> Picture:
    """Draw steps under the names of the columns: number, chosen, probability, most probable."""
    chosen = [token_text(step.chosen.token) for step in steps]
    wide = max(width_of(text, SIZE) for text in (*chosen, names[1])) + MARGIN
    places = [MARGIN, MARGIN + 50, MARGIN + 50 + wide, MARGIN + 50 + wide + 110]
    longest = max((len(one.token) for step in steps for one in step.alternatives), default=0)
    marks: list[Mark] = [
        Words(x, 30, name, SIZE, bold=True) for x, name in zip(places, names, strict=True)
    ]
    y = 30
    for number, step in enumerate(steps, start=1):
        cells = str(number), chosen[number - 1], f"{step.chosen.probability:.1%}"
        marks += [
            Words(x, y + ROW, cell, SIZE, bold=x == places[1])
            for x, cell in zip(places, cells, strict=False)
        ]
        for one in step.alternatives[:count]:
            y += ROW
            colour = QUERY if one.id == step.chosen.id else OTHER
            marks.append(Box(places[3], y - 10, max(1, BAR * one.probability), 10, colour))
            said = f"{token_text(one.token)} {one.probability:.1%}"
            marks.append(Words(places[3] + BAR + 8, y, said, SIZE, LIGHT.text))
        y += 8
    width = places[3] + BAR + width_of("m" * longest, SIZE) + 80
    return Picture(round(width), y + MARGIN, names[1], tuple(marks))
