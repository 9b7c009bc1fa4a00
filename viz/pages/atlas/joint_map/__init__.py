"""A map of a head's queries and keys as dots; a dot under the pointer shows its real links."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from viz.components.component import renderer
from viz.figures.theme import key_axis, query_axis, token_text
from viz.language.text import _

_MAIN = Path(__file__).parent / "assets" / "joint_map.js"


@dataclass(frozen=True)
class Dot:
    """A query or a key: its point, token and colour, and the text `said` under the pointer.

    `links` are its strongest links: the number of another dot, and the weight. An `own` dot belongs
    to the sentence above.
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
    """A legend of colours, with the texts of its ends."""

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
    """Draw dots with the same unit in both directions; `axes` are the names of the axes, if any.

    The `legend` has pairs of a name and a colour; a `scale` replaces it for colours of numbers.
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
            "legend": [list(entry) for entry in legend],
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
