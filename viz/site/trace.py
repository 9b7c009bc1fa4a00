"""The page of the site that traces two sentences: how it opens, and its words."""

from collections.abc import Sequence
from typing import Any

from model.interventions import link_text
from model.interventions.base import Intervention
from model.interventions.message import Message
from model.recording.trace import Part, Trace
from model.results import Source
from model.sites.sites import KINDS
from model.words import SPECIAL_TOKENS
from viz.components.head_links import head_link_texts
from viz.components.head_picker import Boards
from viz.compute import examples, runs, traces
from viz.effect.near import tie
from viz.figures.theme import DARK, KIND_COLOURS, LIGHT, QUERY, query_axis, token_text
from viz.language.text import _
from viz.pages.trace import finding, map_panel, mean_panel, views
from viz.pages.trace.explanation import carried, pressing, together, unchanged
from viz.pages.trace.trace_map import Map, Maps, map_data
from viz.pages.trace.weight_bars import bars_texts
from viz.pages.trace.weights_panel import explained, no_partner, preset_names
from viz.site.messages import Drawn
from viz.site.words import finding_texts

_VIEWS: tuple[Part, ...] = ("residual", "sublayer", "z")
"""What each view of maps carries over, at first."""

At = tuple[int, int] | None
"""A piece of the source and a row of the decoder, if cells are heads."""


def trace() -> Drawn:
    """Return the maps of the two sentences that open, and the frames and words of all maps."""
    first, second = _opening()
    header = {
        **message(first, second, "residual"),
        "sentence": first,
        "second": second,
        "frames": {
            part: [_frame(first, second, part, restored) for restored in (False, True)]
            for part in _VIEWS
        },
        "scales": {theme.name: theme.diverging for theme in (LIGHT, DARK)},
        "views": [
            [part, _(name), name]
            for part, name in zip((*_VIEWS, "weights"), views.VIEWS, strict=True)
        ],
        "titles": map_panel.titles(),
        "links": head_link_texts(),
        "texts": _texts(),
        "weights": _weights(),
        "mean": _mean(),
    }
    return Drawn(header)


def _texts() -> dict[str, object]:
    directions = (map_panel.BRING, map_panel.RESTORE)
    return {
        "lacking": views.lacking(),
        "moves": _("moves here"),
        "doing": _("Carrying one vector after the other"),
        "unchanged": unchanged(),
        "at": views.about_heads(),
        "view": _("View"),
        "directions": [_("Direction"), {name: _(name) for name in directions}],
        "parts": [_("Of each head"), {part: part for part in views.OF_HEADS}],
        "piece": _("At this piece"),
        "translations": [_("Translation"), _("Translation, changed")],
    }


def _mean() -> dict[str, object] | None:
    """Return the mean map of many pairs with its words; None if it was not measured."""
    means = traces.mean()
    if means is None:
        return None
    told = mean_panel.told(means)
    maps = map_data(mean_panel.mean_maps(means), LIGHT, pressable=False)
    return {"title": mean_panel.title(), "told": told, "maps": maps}


def _weights() -> dict[str, object]:
    """Return the words and colours of the weights of one query."""
    config = runs.translator().config
    layers = {kind: config.layers(kind) for kind in KINDS}
    return {
        "picker": Boards(layers, config.heads, ("encoder", 0, 0), folded=True).data(),
        "scales": {theme.name: theme.sequential for theme in (LIGHT, DARK)},
        "row": {"label": query_axis(), "colour": QUERY},
        "writing": _("writing {word}"),
        "end": SPECIAL_TOKENS[2],
        "bars": bars_texts(),
        "colours": KIND_COLOURS,
        "presets": preset_names(),
        "partner": no_partner(),
        "explained": explained(),
    }


def _frame(first: str, second: str, part: Part, restored: bool) -> dict[str, Any]:
    """Return the data of the maps of a part without what depends on the sentences."""
    traced, at = _traced(first, second, part, restored=False)
    shown = Maps(_tables(traced, at, ()), map_panel.ends(), rest=int(restored))
    data = map_data(shown, LIGHT, pressable=not restored)
    own = ("name", "title", "corner", "columns", *(["rows"] if at else []))
    frames = [{name: one[name] for name in own} for one in _maps(data)]
    rest = {
        name: value
        for name, value in data.items()
        if name not in ("rivals", "answers", "arrows", "scale", "heads")
    }
    told = together() if at else carried(part, restored)
    return {**rest, "maps": frames, "told": told, "press": pressing(restored)}


def message(
    first: str,
    second: str,
    part: Part,
    interventions: Sequence[Intervention] = (),
    *,
    restored: bool = False,
) -> dict[str, Any]:
    """Return what depends on the sentences, as viz/live/messages/trace_map.js makes it.

    Of heads it is about the piece whose vector in the memory moves the answer most.
    """
    traced, at = _traced(first, second, part, restored)
    changes, run = tuple(interventions), runs.run(first)
    tokens = run.source.tokens
    recordings = [run.recording, runs.run(traced.donor).recording]
    if changes:
        record = runs.translator().record
        recordings.append(record(run.source, run.translation, changes))
    likely = [traces.answer(recording, traced) for recording in recordings]
    answers = [(one.first, one.second) for one in likely]
    maps, words = _tables(traced, at, changes), map_panel.words(traced)
    own = [run, *([runs.run(first, changes)] if changes else [])]
    data = map_data(Maps(maps), LIGHT)
    warning = tie(answers)
    return {
        "part": part,
        "restored": restored,
        "rivals": list(words),
        "answers": answers,
        "pieces": [token_text(token) for token in tokens],
        "maps": [
            {
                **{name: one[name] for name in ("name", "values", "on")},
                "rows": None if at else one["rows"],
                "edits": _edits(traced, at, one, changes),
            }
            for one in _maps(data)
        ],
        "arrows": [
            {"from": arrow.start, "to": arrow.end, "moves": bool(arrow.words)}
            for arrow in views.arrows(traced)
        ],
        "heads": at and _heads(traced, at, maps),
        "translations": [run.translation.text for run in own],
        "finding": [plain(one) for one in _finding(traced, at, maps, run.source)],
        "caution": warning and plain(warning),
    }


def _traced(first: str, second: str, part: Part, restored: bool) -> tuple[Trace, At]:
    if part not in views.OF_HEADS:
        return traces.trace(first, second, part, restored), None
    residual = traces.trace(first, second)
    at = views.strongest(residual.encoder[:, -1]), len(residual.decided.prefix) - 1
    return traces.trace(first, second, part, restored, at), at


def _tables(traced: Trace, at: At, changes: Sequence[Intervention]) -> list[Map]:
    if at is None:
        return views.tables(traced, map_panel.rows_of(traced, _source(traced)), changes)
    return views.head_tables(traced, at, _tokens_at(traced, at), changes)


def _source(traced: Trace) -> list[str]:
    return runs.translator().tokenizer.tokens(list(traced.ids[0]))


def _tokens_at(traced: Trace, at: tuple[int, int]) -> tuple[str, str]:
    return _source(traced)[at[0]], runs.token_names(traced.decided.prefix)[at[1]]


def _finding(traced: Trace, at: At, maps: Sequence[Map], source: Source) -> tuple[Message, ...]:
    if at:
        return finding.which_head(maps, traced.restored)
    if traced.part == "sublayer":
        return finding.which_sublayer(traced, source.tokens)
    deciding = map_panel.deciding(traced, source.text)
    return finding.where_it_passes(traced, source.tokens, deciding)


def _heads(traced: Trace, at: tuple[int, int], maps: Sequence[Map]) -> dict[str, object]:
    about, tokens = views.heads_of(traced, maps, at), _tokens_at(traced, at)
    return {
        "piece": at[0],
        "tokens": {kind: token_text(tokens[views.side(traced, kind)]) for kind in traced.maps},
        "links": about and {kind: list(link) for kind, link in about.links.items()},
        "first": about and list(about.first),
    }


def _edits(
    traced: Trace, at: At, shown: dict[str, Any], interventions: Sequence[Intervention]
) -> list[list[str | None]]:
    """Write the changes after a press on each cell of a map; None where there is no such press."""
    kind = next(one for one in traced.maps if one == shown["name"])
    places = (at[views.side(traced, kind)],) if at else ()
    return [
        [
            None
            if value is None or traced.restored
            else _pressed(traced.patch(kind, row, column, *places), interventions)
            for column, value in enumerate(values)
        ]
        for row, values in enumerate(shown["values"])
    ]


def _pressed(patch: Intervention, interventions: Sequence[Intervention]) -> str:
    """Write the changes after a press on a cell."""
    others = [one for one in interventions if one != patch]
    pressed = others if len(others) < len(interventions) else [*others, patch]
    return link_text.write(tuple(pressed))


def plain(one: Message) -> dict[str, Any]:
    """Return a message as the model in the page makes it: with the name of its text."""
    names = {text: name for name, text in finding_texts().items()}
    return {
        "text": names[one.text],
        "values": {name: _value(own) for name, own in one.values.items()},
    }


def _value(value: object) -> object:
    if isinstance(value, Message):
        return plain(value)
    return list(value) if isinstance(value, tuple) else value


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
