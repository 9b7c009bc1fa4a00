"""The board of all heads, and the sentences that show what the chosen head does."""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.measures.atlas.atlas import Atlas, Chosen
from model.measures.atlas.roles import ROLES, Role
from model.recording.history import UNDECIDED
from model.results import Run
from model.sites.sites import Head, Kind
from viz.compute import atlas, runs
from viz.compute.atlas import Texts
from viz.figures.labels import Number
from viz.language.text import _, _n, later
from viz.link import edits
from viz.link.choice import choose_one
from viz.pages.atlas import compare_view
from viz.pages.atlas.atlas_board import Cell, Legend, atlas_board
from viz.pages.atlas.board_order import ALL_ROLES, choose_order
from viz.pages.atlas.evidence_list import evidence_list
from viz.pages.atlas.own import measured_here
from viz.pages.atlas.roles import (
    COLOURS,
    NAMES,
    NOTHING,
    QUIET,
    RULES,
    SINK,
    SINK_BELOW,
    nothing,
    sink,
)
from viz.pages.atlas.rows import rows_of
from viz.shell import state
from viz.shell.finding import say

STRONGEST, RANDOM, FAILS = (
    later("where it does so most"),
    later("drawn at random"),
    later("where it fails"),
)
_CHOSEN: dict[str, Chosen] = {STRONGEST: "strongest", RANDOM: "random", FAILS: "fails"}
_DRAW = "atlas draw"
_NONE, _SINK = len(ALL_ROLES), len(ALL_ROLES) + 1
"""The places in the legend, after all roles, of heads without a role and of sinks."""

Boards = Mapping[Kind, Sequence[Sequence[Cell]]]
"""The cells of each kind's heads, (layers, heads)."""


def show(run: Run, texts: Texts) -> None:
    """Draw the board or, in its place, the comparison, and the evidence of the chosen head."""
    atlas_ = atlas.atlas(texts)
    head = state.shown_head(run.recording.config)
    row = st.container(
        horizontal=True, gap="medium", vertical_alignment="center", key="board choices"
    )
    compared = compare_view.choose(run, texts, measured_here(), row)
    if compared:
        compare_view.show(compared, head, row)
    else:
        _show_board(run, atlas_, texts, head, row)
    _show_evidence(atlas_, texts, head)


def _show_board(run: Run, atlas_: Atlas, texts: Texts, head: Head, row: DeltaGenerator) -> None:
    """Draw the board of all heads, coloured by their roles."""
    order, count = choose_order(atlas_, texts, row)
    if len(order) < count:
        row.markdown(_("**{some}** of {count} heads").format(some=len(order), count=count))
    cells: Boards = {kind: _cells(atlas_, texts, kind) for kind in atlas_.kinds}
    say(_finding(cells))
    atlas_board(
        cells,
        _legend(atlas_),
        state.miniatures_of(run.recording),
        head,
        order,
        _notes(bool(edits.in_force(run.left_out))),
        key="atlas board",
        on_choice=state.show_head,
    )


def _finding(cells: Boards) -> str:
    """Say how many heads have a role, rest on a fixed piece, and do neither."""
    roles = [cell.role for rows in cells.values() for row in rows for cell in row]
    resting, none = sum(map(_rests, roles)), roles.count(_NONE)
    named = len(roles) - resting - none
    return _n(
        "What do {heads} heads do? **{count}** has a habit with a name, {resting} rest on the "
        "first piece or the end, {none} do neither.",
        "What do {heads} heads do? **{count}** have a habit with a name, {resting} rest on the "
        "first piece or the end, {none} do neither.",
        named,
    ).format(heads=len(roles), count=named, resting=resting, none=none)


def _rests(role: int) -> bool:
    """Return True for the place in the legend of a head that rests on a fixed piece."""
    return role == _SINK or (role < _NONE and ALL_ROLES[role] in QUIET)


def _legend(atlas_: Atlas) -> list[Legend]:
    """Return the legend of all roles, of heads without a role, and of sinks.

    Roles that do not arise in the corpus are hidden: Chinese sentences have no “pas”.
    """
    arising = {role for kind in atlas_.kinds for role in _roles(atlas_, kind)}
    named = [
        Legend(_(NAMES[role]), COLOURS[role], _(RULES[role]), role in QUIET, role not in arising)
        for role in ALL_ROLES
    ]
    rule = _("no role is {least} of the way from chance to always").format(least="0.3")
    takes = _(
        "it rests on a fixed piece, and weight times length of the value is under {most} of what "
        "its longest values give"
    )
    measured = any(atlas_.taken(kind) is not None for kind in atlas_.kinds)
    return [
        *named,
        Legend(nothing(), NOTHING, rule, quiet=True),
        Legend(sink(), SINK, takes.format(most=SINK_BELOW), quiet=True, absent=not measured),
    ]


def _notes(changed: bool) -> tuple[str, ...]:
    return (
        _("Colour: what its attention goes to, more than by chance."),
        _("Strong colour: surely. Only framed: resting on a fixed piece, or none of these."),
        _("The picture inside is the sentence above."),
        *([_("Habits are those of the trained model; struck heads are off.")] if changed else []),
    )


def _cells(atlas_: Atlas, texts: Texts, kind: Kind) -> list[list[Cell]]:
    best, taken = atlas.best(texts)[kind], atlas_.taken(kind)
    cells: list[list[Cell]] = []
    for layer in range(atlas_.layers[kind]):
        row: list[Cell] = []
        for number in range(atlas_.heads):
            head = Head(kind, layer, number)
            role = ROLES[kind][int(best.nearest[layer, number])]
            sure = best.role[layer, number] >= 0
            place = ALL_ROLES.index(role) if sure else _NONE
            if sure and role in QUIET and taken is not None and taken[layer, number] < SINK_BELOW:
                place = _SINK
            numbers = _said(atlas_, texts, head, role)
            if place >= len(ALL_ROLES):
                numbers = _("{role} ({numbers})").format(
                    role=sink() if place == _SINK else nothing(), numbers=numbers
                )
            row.append(Cell(place, float(best.sure[layer, number]), numbers, edits.is_off(head)))
        cells.append(row)
    return cells


def _said(atlas_: Atlas, texts: Texts, head: Head, role: Role) -> str:
    """Say how much of a head's weight follows a role, what is lost without it, what it takes."""
    at = head.layer, head.head
    holds, of = atlas.shares(texts)[head]
    score, chance = _means(atlas_, head, role)
    said = _(
        "{role}: {score} of its weight ({chance} by chance), most of it in {holds} of {of} "
        "sentences"
    ).format(role=_(NAMES[role]), score=score, chance=chance, holds=holds, of=of)
    if atlas_.about.loss_pieces:
        rise, pieces = Number(atlas_.loss(head.kind)[at]), atlas_.about.loss_pieces
        said += " · " + _(
            "without it the loss changes by {rise} nats, in the mean over {count} pieces "
            "of all kinds"
        ).format(rise=f"{rise:+.3f}", count=f"{pieces:,}")
    if (taken := atlas_.taken(head.kind)) is not None:
        said += " · " + _("takes {share} of what its longest values would give").format(
            share=f"{taken[at]:.2f}"
        )
    if not texts and carries(*head):
        said += " · " + pronouns_without()
    return said


def carries(kind: Kind, layer: int, head: int) -> bool:
    """Return True if the pronouns were measured without this head."""
    card = runs.card()
    carrier = card.causes.get("carrier") if card and card.causes else None
    return kind == "encoder" and carrier == [layer + 1, head + 1]


def pronouns_without() -> str:
    """Say how often the pronoun is right, as measured with and without its head."""
    card = runs.card()
    if card is None or card.causes is None:
        return ""
    measured = list(card.causes["pronouns"].values())[-1]
    if not measured.get("sure"):
        whole, cut = (f"{measured['right'][name]:.0%}" for name in ("none", "one_head"))
        return _(
            "with pronouns it counts: in {count} generated sentences kept out of training, of "
            "known frames and of an unseen one, of il and elle the right one is "
            "likelier in {whole}, without this head in {cut}"
        ).format(count=measured["sentences"], whole=whole, cut=cut)
    right, wrong = (measured[name]["one_head"] for name in ("sure", "wrong"))
    return _(
        "with pronouns it counts: in {count} generated sentences kept out of training, of known "
        "frames and of an unseen one, il or elle is right in {whole}; without this head "
        "{undecided} are undecided (within {limit} nats), {right} right, {wrong} wrong"
    ).format(
        count=measured["sentences"],
        whole=f"{measured['sure']['none']:.0%}",
        undecided=f"{1 - right - wrong:.0%}",
        limit=UNDECIDED,
        right=f"{right:.0%}",
        wrong=f"{wrong:.0%}",
    )


def _roles(atlas_: Atlas, kind: Kind) -> list[Role]:
    """List the roles of a kind that have queries in the corpus."""
    return [role for role, count in zip(ROLES[kind], atlas_.queries(kind), strict=True) if count]


def _show_evidence(atlas_: Atlas, texts: Texts, head: Head) -> None:
    """Draw sentences for a role of the chosen head, and say how often the head follows it."""
    name = state.head_name(head)
    row = st.container(
        horizontal=True, gap="medium", vertical_alignment="bottom", key="evidence row"
    )
    roles, nearest = _roles(atlas_, head.kind), atlas.role_of(texts, head)
    role = row.selectbox(
        _("{head} looks at").format(head=name),
        roles,
        index=roles.index(nearest),
        format_func=lambda role: _(NAMES[role]),
        key=f"role of {name}",
        width=320,
    )
    chosen = choose_one(_("Sentences"), list(_CHOSEN), "evidence", row=row)
    seed = int(st.session_state.get(_DRAW, 0))
    if chosen == RANDOM:
        row.button(_("Draw others"), icon=":material/casino:", on_click=_draw)
    holds, of = atlas_.share(head, role)
    score, chance = _means(atlas_, head, role)
    st.markdown(
        _(
            "In **{holds} of {of}** sentences more than half of its weight goes to {role}. Over "
            "all queries it is {score}; by chance it would be {chance}."
        ).format(holds=holds, of=of, role=_(NAMES[role]), score=score, chance=chance)
    )
    if role == "antecedent" and not texts and carries(*head) and (counted := pronouns_without()):
        st.markdown(f"{counted[:1].upper()}{counted[1:]}.")
    shown = atlas.evidence(texts, head, role, _CHOSEN[chosen], seed if chosen == RANDOM else 0)
    if not shown:
        st.info(_("There is no such sentence in this corpus."))
        return
    st.caption(
        _(
            "The figure before a sentence is the weight on all such keys, in the mean over its "
            "queries; each line goes to the key with the most weight."
        )
    )
    evidence_list(rows_of(shown, head), head.kind == "cross", "evidence list")


def _means(atlas_: Atlas, head: Head, role: Role) -> Sequence[str]:
    at = ROLES[head.kind].index(role), head.layer, head.head
    return [f"{each(head.kind)[at]:.2f}" for each in (atlas_.scores, atlas_.chance)]


def _draw() -> None:
    st.session_state[_DRAW] = int(st.session_state.get(_DRAW, 0)) + 1
