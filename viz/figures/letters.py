"""The letters of a figure on stage, where a class must be able to read the smallest from afar."""

from math import ceil, radians, sin
from typing import Any

from plotly.graph_objects import Figure

from viz.figures.margins import SIZE, height_of, make_room

STAGE = "present"
"""The name of the mode for a class, in the link and in the session."""

LEAST = 20
"""The size of the smallest letter on stage, in pixels."""

OWN_MARGIN = 36
"""The largest margin that figures have without a reason of their own, in pixels."""

GROWN = 1.25
"""How much larger a page is on stage, except for its figures' letters (see stage.css)."""

WIDTH = 1000
"""The width of a page on a projector: 1200 pixels, or 815 beside the card of a lesson."""

Part = dict[str, Any]
"""A part of a figure, such as an axis, as plain data."""


def for_stage(figure: Figure, share: float = 1.0) -> Figure:
    """Write every text of a figure as large as a class needs it, and return the figure.

    The figure becomes as high as its place on stage, and takes a `share` of the page's width. An
    axis with a label for every place keeps only as many labels as fit.
    """
    layout: Part = figure.layout.to_plotly_json()
    changes = _enlarged(layout) | {"font": {"size": LEAST}, "hoverlabel": {"font": {"size": LEAST}}}
    changes["height"] = GROWN * height_of(figure)
    # A wider margin holds a text.
    more = {side: max(0, size - OWN_MARGIN) for side, size in layout.get("margin", {}).items()}
    changes["margin"] = {
        side: round(layout["margin"][side] + by * (LEAST / SIZE - 1)) for side, by in more.items()
    }
    if layout.get("uniformtext"):
        changes["uniformtext"] = {"minsize": LEAST}
    figure.update_layout(changes)
    traces: list[Any] = list(figure.data)
    for trace in traces:
        trace.update(_enlarged(trace.to_plotly_json()))
    make_room(figure, stage=True)
    layout = figure.layout.to_plotly_json()
    axes = (name for name in layout if name[1:5] == "axis")
    return figure.update_layout({name: _thinned(name, layout, share) for name in axes})


def _enlarged(part: Part) -> Part:
    """Return the changes to a part whose texts, at any depth, are too small.

    A title without a size of its own would become larger than what it names.
    """
    changes: Part = {}
    for name, value in part.items():
        if isinstance(value, dict):
            own_changes = _enlarged(value)
            if name.endswith("font") and (value.get("size") or LEAST) < LEAST:
                own_changes["size"] = LEAST
            elif name == "title" and value.get("text"):
                own_changes["font"] = {"size": max(value.get("font", {}).get("size") or 0, LEAST)}
        elif isinstance(value, list | tuple) and any(isinstance(item, dict) for item in value):
            own_changes = [_enlarged(item) for item in value]
        else:
            continue
        if any(own_changes):
            changes[name] = own_changes
    return changes


def _thinned(name: str, layout: Part, share: float) -> Part:
    """Return the change to an axis whose labels would overlap: only every n-th is left."""
    axis, margin = layout[name], layout["margin"]
    labels, values = axis.get("ticktext"), axis.get("tickvals")
    begin, end = axis.get("domain") or (0, 1)
    if name[0] == "y":
        length, needed = layout["height"] - margin["t"] - margin["b"], LEAST
    else:
        # Horizontal labels turn by themselves where they have no room.
        slant = sin(radians(abs(axis.get("tickangle") or 0)))
        length, needed = WIDTH * share - margin["l"] - margin["r"], LEAST / slant if slant else 0
    if labels is None or values is None or length <= 0:
        return {}
    step = ceil(needed * len(labels) / (length * (end - begin)))
    return {"tickvals": values[::step], "ticktext": labels[::step]} if step > 1 else {}
