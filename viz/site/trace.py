"""The page of the site that traces two sentences: how it opens, and its words."""

from collections.abc import Sequence
from typing import Any

from model.interventions import link_text
from model.interventions.base import Intervention
from model.recording.trace import Part
from model.sites.sites import STACKS
from viz.compute import examples, runs, traces
from viz.figures.theme import DARK, LIGHT
from viz.language.text import _
from viz.pages.trace import map_panel, views
from viz.pages.trace.explanation import carried
from viz.pages.trace.trace_map import Maps, Shown, map_data
from viz.site.messages import Drawn

PARTS: tuple[Part, ...] = ("residual", "sublayer")
"""The views of the site, by the vectors that they carry over."""


def trace() -> Drawn:
    """Return the maps of the two sentences that open, and the frames and words of all maps."""
    first, second = _opening()
    header = {
        **message(first, second, "residual"),
        "sentence": first,
        "second": second,
        "frames": {part: _frame(first, second, part) for part in PARTS},
        "scales": {theme.name: theme.diverging for theme in (LIGHT, DARK)},
        "views": [[part, _(name), name] for part, name in zip(PARTS, views.VIEWS, strict=False)],
        "titles": map_panel.titles(),
        "texts": {
            "lacking": views.lacking(),
            "moves": _("moves here"),
            "doing": _("Carrying one vector after the other"),
            "press": _(
                "Press a cell: that vector is then taken from the other sentence, on all pages."
            ),
            "translations": [_("Translation"), _("Translation, changed")],
        },
    }
    return Drawn(header)


def _frame(first: str, second: str, part: Part) -> dict[str, Any]:
    """Return the data of a part's maps that do not depend on the sentences."""
    data = _data(first, second, part, ())
    frames = [
        {name: one[name] for name in ("name", "title", "corner", "columns")} for one in _maps(data)
    ]
    own = ("rivals", "answers", "arrows", "scale", "maps")
    rest = {name: value for name, value in data.items() if name not in own}
    return {**rest, "maps": frames, "told": carried(part, restored=False)}


def message(
    first: str, second: str, part: Part, interventions: Sequence[Intervention] = ()
) -> dict[str, Any]:
    """Return what depends on the sentences, as it comes from viz/live/messages/trace_map.js."""
    found = traces.trace(first, second, part)
    data = _data(first, second, part, tuple(interventions))
    own = [runs.run(first), *([runs.run(first, tuple(interventions))] if interventions else [])]
    maps = [
        {
            **{name: one[name] for name in ("name", "rows", "values", "on")},
            "edits": [
                [
                    None
                    if value is None
                    else _pressed(found.patch(kind, row, column), interventions)
                    for column, value in enumerate(values)
                ]
                for row, values in enumerate(one["values"])
            ],
        }
        for kind, one in zip(STACKS, _maps(data), strict=True)
    ]
    return {
        "part": part,
        "rivals": data["rivals"],
        "answers": [one["likely"] for one in data["answers"]],
        "maps": maps,
        "arrows": [
            {"from": one["from"], "to": one["to"], "moves": bool(one["words"])}
            for one in data["arrows"]
        ],
        "translations": [run.translation.text for run in own],
    }


def _pressed(patch: Intervention, interventions: Sequence[Intervention]) -> str:
    """Write the changes after a press on a cell."""
    others = [one for one in interventions if one != patch]
    pressed = others if len(others) < len(interventions) else [*others, patch]
    return link_text.write(tuple(pressed))


def _data(
    first: str, second: str, part: Part, interventions: tuple[Intervention, ...]
) -> dict[str, Any]:
    found, run = traces.trace(first, second, part), runs.run(first)
    recordings = [run.recording, runs.run(found.donor).recording]
    if interventions:
        record = runs.translator().record
        recordings.append(record(run.source, run.translation, interventions))
    likely = [traces.answer(recording, found) for recording in recordings]
    shown = [
        Shown(title, (one.first, one.second))
        for title, one in zip(map_panel.titles(), likely, strict=False)
    ]
    rows = map_panel.rows_of(found, run.source.tokens)
    maps = views.tables(found, rows, interventions)
    answers = map_panel.words(found), shown
    return map_data(Maps(maps, map_panel.ends(), answers, arrows=views.arrows(found)), LIGHT)


def _maps(data: dict[str, Any]) -> list[dict[str, Any]]:
    return data["maps"]


def _opening() -> tuple[str, str]:
    """Return the sentence of the menu that all pages open with, and that of the first pair."""
    known = examples.current()
    return known.texts[0], known.pairs[0].second if known.pairs else ""


def parts_first() -> bool:
    """Return True if there is something to trace between the two sentences that open."""
    try:
        traces.trace(*_opening())
    except ValueError:
        return False
    return True


def pairs() -> list[list[str]]:
    """Return the well-known pairs: a name, and two sentences."""
    return [[pair.name, pair.first, pair.second] for pair in examples.current().pairs]
