"""Queries and keys of a head as dots on a map; pointing at one draws its true strongest links."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from viz.components.component import renderer
from viz.figures.theme import key_axis, query_axis, token_text
from viz.language.text import _

_MAIN = Path(__file__).parent / "assets" / "joint_map.js"


@dataclass(frozen=True)
class Dot:
    """A query or key: where it is, its token, its colour, and what is said when it is pointed at.

    `links` are its strongest ones: other dots by their numbers, and the weights. An `own` one is
    of the sentence above.
    """

    at: tuple[float, float]
    token: str
    colour: str
    is_key: bool
    own: bool
    said: str
    links: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Scale:
    """A legend of colours from `low` to `high`."""

    low: str
    high: str
    colours: tuple[str, ...]


def joint_map(
    dots: Sequence[Dot],
    legend: Sequence[tuple[str, str]],
    scale: Scale | None,
    axes: tuple[str, str] | None,
    key: str,
) -> None:
    """Draw dots, one unit as long in both directions, and name the `axes` that mean anything.

    The `legend` names colours; a `scale` says what a row of them stands for.
    """
    renderer("joint_map", _MAIN)(
        key=key,
        data={
            "dots": [
                {
                    "x": round(dot.at[0], 4),
                    "y": round(dot.at[1], 4),
                    "token": token_text(dot.token),
                    "colour": dot.colour,
                    "key": dot.is_key,
                    "own": dot.own,
                    "said": dot.said,
                    "links": [[to, round(weight, 3)] for to, weight in dot.links],
                }
                for dot in dots
            ],
            "legend": [list(one) for one in legend],
            "scale": vars(scale) if scale else None,
            "axes": list(axes) if axes else None,
            "words": {
                "query": query_axis(),
                "key": key_axis(),
                "label": _("Map of queries and keys"),
                "hint": _("Point at a dot: lines lead to where its weight truly goes."),
            },
        },
    )
