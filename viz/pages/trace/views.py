"""The maps of a trace as tables, and what a press on one of their cells changes."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from model.interventions.base import Intervention
from model.interventions.patches import PatchActivation, of_source
from model.recording.trace import Part, Trace
from model.sites.sites import Head, Kind, Sublayer
from viz.figures.labels import kind_names, sublayer_names
from viz.figures.theme import token_text
from viz.language.text import _, later
from viz.pages.trace.trace_map import Arrow, Heads, Map, Press
from viz.pages.trace.way import way

VIEWS = (
    later("The residual stream"),
    later("By sublayer"),
    later("By head"),
    later("Set the weights"),
)
RESIDUAL, SUBLAYERS, HEADS, WEIGHTS = VIEWS

OF_HEADS: tuple[Part, ...] = ("z", "q", "k", "v")


def tables(
    trace: Trace, rows: dict[Kind, Sequence[str]], changes: Collection[Intervention]
) -> list[Map]:
    """Return a table for each stack; `rows` are its tokens, and cells in `changes` are on."""
    made: list[Map] = []
    for kind, values in trace.maps.items():
        made.append(
            Map(
                kind,
                kind_names()[kind],
                [token_text(token) for token in rows[kind]],
                _("layer") if trace.part == "sublayer" else _("after layer"),
                [column_name(trace, site) for site in trace.sites[kind]],
                values,
                frozenset(
                    (row, column)
                    for row, column in np.ndindex(values.shape)
                    if trace.patch(kind, row, column) in changes
                ),
                [lacking() if np.isnan(row).all() else "" for row in values],
            )
        )
    return made


def head_tables(
    trace: Trace,
    at: tuple[int, int],
    names: tuple[str, str],
    changes: Collection[Intervention],
) -> list[Map]:
    """Return a table of layers and heads for each kind of attention.

    `at` holds a piece of the source and a row of the decoder, `names` their tokens. Each table is
    about one of these two; its cells in `changes` are on.
    """
    made: list[Map] = []
    for kind, values in trace.maps.items():
        about = side(trace, kind)
        token = at[about]
        shown = values[:, :, token]
        layers, heads = (range(size) for size in shown.shape)
        made.append(
            Map(
                kind,
                about_heads().format(
                    kind=kind_names()[kind], token=token_text(names[side(trace, kind)])
                ),
                [_("layer {number}").format(number=layer + 1) for layer in layers],
                _("head"),
                [(str(head + 1), _("head {number}").format(number=head + 1)) for head in heads],
                shown,
                frozenset(
                    (layer, head)
                    for layer, head in np.ndindex(shown.shape)
                    if trace.patch(kind, layer, head, token) in changes
                ),
                [lacking() if np.isnan(row).all() else "" for row in shown],
            )
        )
    return made


def arrows(trace: Trace) -> list[Arrow]:
    """Return the arrows along which the answer passes; only for a trace of the residual stream."""
    if trace.part != "residual":
        return []
    followed = way(trace)
    drawn = [
        Arrow(("encoder", *start), ("encoder", *end), _("moves here"))
        for start, end in followed.passes
    ]
    last = followed.ends[1]
    if last is not None and followed.read:
        memory = ("encoder", last, followed.columns - 1)
        drawn.append(Arrow(memory, ("decoder", *followed.read)))
    return drawn


def side(trace: Trace, kind: Kind) -> int:
    """Return 0 if the vectors of a kind belong to the source, 1 if to the decoder."""
    return int(not of_source(trace.sites[kind][0]))


def patch_of(trace: Trace, press: Press, at: tuple[int, int] | None = None) -> PatchActivation:
    """Return the change for a press on a cell; `at` as in `head_tables`, if cells are heads."""
    kind: Kind = next(one for one in trace.maps if one == press.name)
    if at is None:
        return trace.patch(kind, press.row, press.column)
    return trace.patch(kind, press.row, press.column, at[side(trace, kind)])


def strongest(values: NDArray[np.float64]) -> int:
    """Return the place of the token whose value (n,) is largest in size; NaN does not count."""
    return int(np.nanargmax(np.abs(values)))


def best_head(maps: Sequence[Map], base: float) -> tuple[Head, float] | None:
    """Find the head that moves the answer furthest from `base`; return the head and its value.

    None if no head was measured.
    """
    by_head: list[tuple[Head, float]] = []
    for one in maps:
        kind: Kind = next(kind for kind in kind_names() if kind == one.name)
        for layer, head in np.argwhere(~np.isnan(one.values)):
            place = Head(kind, int(layer), int(head))
            by_head.append((place, float(one.values[layer, head])))
    return max(by_head, key=lambda pair: abs(pair[1] - base), default=None)


def heads_of(trace: Trace, maps: Sequence[Map], at: tuple[int, int]) -> Heads | None:
    """Return the link that each of `head_tables` is about; None if no head was measured.

    The vectors q and z belong to a query, k and v to a key. In decoder and cross-attention the
    query is always the row of the decoder.
    """
    best = best_head(maps, 1.0 if trace.restored else 0.0)
    if best is None:
        return None
    of_key = trace.part in ("k", "v")
    links: dict[Kind, tuple[int | None, int | None]] = {}
    for kind in trace.maps:
        key = at[side(trace, kind)] if of_key else None
        query = at[1] if kind != "encoder" else None if of_key else at[0]
        links[kind] = query, key
    head, _moved = best
    return Heads(links, (head.kind, head.layer, head.head))


def column_name(trace: Trace, site: str) -> tuple[str, str]:
    """Return the short and the full name of a site."""
    _stack, *rest = site.split(".")
    if rest[0] == "input":
        return "0", _("input")
    if rest[0] == "memory":
        last = len(trace.sites["encoder"]) - 1
        return str(last), _("memory, after layer {number}").format(number=last)
    number = int(rest[0]) + 1
    if len(rest) == 2:
        return str(number), _("after layer {number}").format(number=number)
    letters: dict[Sublayer, str] = {"self_attn": "a", "cross_attn": "c", "ffn": "f"}
    letter, sublayer = next(
        (letter, sublayer_names()[name]) for name, letter in letters.items() if name == rest[1]
    )
    full = _("layer {number}, {sublayer}")
    return f"{number}{letter}", full.format(number=number, sublayer=sublayer)


def about_heads() -> str:
    """Say what a table of heads is about."""
    return _("{kind}, at {token}")


def lacking() -> str:
    """Say why a row is grey."""
    return _("no piece of the other sentence stands for this one")
