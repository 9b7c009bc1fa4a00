"""All heads compared with their past, or with another model: head by head, or role by role."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.measures.atlas.roles import Role
from model.results import Run
from model.sites.sites import Head
from viz.components.head_links import head_links
from viz.components.miniatures import miniatures
from viz.compute import compared, models
from viz.compute.atlas import Texts
from viz.compute.compared import RoleRow, Side
from viz.figures.labels import kind_names
from viz.figures.letters import STAGE
from viz.figures.table import MISSING, show_table
from viz.language.text import _, later
from viz.language.wording import escaped, in_a_row
from viz.link.choice import choose_one
from viz.link.offers import other_head_offers
from viz.pages.atlas.change_cards import Card, change_cards
from viz.pages.atlas.roles import COLOURS, NAMES
from viz.shell import state

NOTHING, BEFORE = later("As it is"), later("With its past")
BY_HEAD, BY_ROLE = later("head by head"), later("role by role")


@dataclass(frozen=True, eq=False)
class Compared:
    """Two sides and their names; `other` is the name of the other model, None for the past."""

    then: Side
    now: Side
    names: tuple[str, str]
    other: str | None


def choose(
    run: Run, texts: Texts, measured: Mapping[str, Texts], row: DeltaGenerator
) -> Compared | None:
    """Draw the choice of what the heads are compared with; return both sides, or None.

    `measured` are the texts on which this visitor has measured models without an index, by model.
    """
    earlier = compared.before(texts, state.sentence())
    others = compared.others(measured)
    if earlier is None and not others:
        return None
    options = {NOTHING: _(NOTHING), **({BEFORE: _(BEFORE)} if earlier else {})}
    options |= {name: _("With {model}").format(model=escaped(name)) for name in others}
    against = choose_one(
        _("Compare the heads with"), options, "against", quoted=True, bare=True, row=row
    )
    if against == NOTHING:
        return None
    if against == BEFORE and earlier:
        return Compared(*earlier, (_("before"), _("now")), None)
    there = compared.other(against, measured.get(against, ()))
    if there is None:
        st.info(_("Nobody has measured the heads of this model yet."))
        return None
    now = compared.now(texts, state.sentence(), state.attention_of(run.recording))
    return Compared(there, now, (against, models.in_force()), against)


def show(comparison: Compared, head: Head, row: DeltaGenerator) -> None:
    """Draw what changed, as cards of heads or as a table of roles."""
    ways = [BY_HEAD, BY_ROLE] if compared.same_sizes(comparison.then, comparison.now) else [BY_ROLE]
    if choose_one(_("Compare"), ways, "compared", bare=True, row=row) == BY_ROLE:
        _show_roles(comparison)
    else:
        _show_heads(comparison, head, row)
    st.caption(_said(comparison))


def _said(comparison: Compared) -> str:
    if comparison.other is None:
        sentence = _(
            "Its past: the weights from which it learned on, so that its encoder looks where "
            "readers look. Both were measured on the same sentences; the figure is the share of a "
            "head's weight."
        )
        if comparison.now.sentence:
            sentence = in_a_row(
                (
                    sentence,
                    _("Pictures: “{sentence}”, recorded then and now.").format(
                        sentence=escaped(comparison.now.sentence)
                    ),
                )
            )
        return sentence
    return _(
        "The two models were trained apart: the number of a head says nothing about which head of "
        "the other it is like. The figure is the share of a head's weight; each was measured on "
        "sentences of its own, and its pictures show “{first}” and “{second}”."
    ).format(first=escaped(comparison.then.sentence), second=escaped(comparison.now.sentence))


def _show_heads(comparison: Compared, head: Head, row: DeltaGenerator) -> None:
    """Draw cards of the heads, sorted by how much their share of a role changed."""
    roles: list[Role | None] = [None, *NAMES]
    role = row.selectbox(
        _("What changed"),
        roles,
        format_func=_asked,
        key="changed role",
        label_visibility="collapsed",
        width=300,
    )
    moved = compared.changed(comparison.then, comparison.now, role)
    if not moved:
        st.info(_("There is no such sentence in this corpus."))
        return
    cards = [
        Card(
            change.head,
            _(NAMES[change.role]),
            COLOURS[change.role],
            f"{change.before:.2f}",
            f"{change.now:.2f}",
        )
        for change in moved
    ]
    scale = state.current_theme().sequential
    pictures = miniatures(comparison.then.looks, scale), miniatures(comparison.now.looks, scale)
    kind = comparison.now.measures.kinds[0]
    layers, heads = comparison.now.measures.sharp(kind).shape
    change_cards(
        cards,
        pictures,
        (layers, heads),
        comparison.names,
        head,
        key="change cards",
        on_choice=state.show_head,
    )


def _asked(role: Role | None) -> str:
    return _(NAMES[role]) if role else _("whatever changed most")


def _show_roles(comparison: Compared) -> None:
    """Draw a table of the roles: on both sides, how many heads have each, and the surest head.

    Links of the surest heads in the marked row stand above the table.
    """
    roles = compared.roles(comparison.then, comparison.now)
    rows: list[dict[str, object]] = []
    for role in roles:
        row: dict[str, object] = {
            _("attention"): kind_names()[role.kind],
            _("role"): _(NAMES[role.role]),
        }
        sides = list(zip(comparison.names, (role.then, role.now), strict=True))
        for name, side in sides:
            row[_("heads, {side}").format(side=name)] = side.heads if side else None
        for name, side in sides:
            surest = f"{state.head_name(side.head)} ({side.score:.2f})" if side else ""
            row[_("surest, {side}").format(side=name)] = surest
        rows.append(row)
    if st.session_state.get(STAGE):
        show_table(rows, height="content")  # the plain table has large letters, but no rows to mark
        return
    above = st.container(horizontal=True, gap="medium", vertical_alignment="center")
    chosen = st.dataframe(
        rows,
        hide_index=True,
        height="content",
        key="roles",
        on_select="rerun",
        selection_mode="single-row",
        placeholder=MISSING,
    )
    picked = chosen.selection.rows
    if picked and picked[0] < len(roles):
        _lead_on(roles[picked[0]], comparison, above)
    else:
        above.caption(_("Mark a row to go on from its surest heads."))


def _lead_on(row: RoleRow, comparison: Compared, columns: DeltaGenerator) -> None:
    """Draw links to the surest heads of a role; a past model has none, as it has no pages."""
    models_of = (comparison.other, models.in_force())
    for model, name, side in zip(models_of, comparison.names, (row.then, row.now), strict=True):
        if model is None or side is None:
            continue
        head = side.head
        columns.markdown(f"{escaped(name)}: **{state.head_name(head)}**")
        with columns:
            head_links(
                head.kind,
                head.layer,
                head.head,
                other_head_offers(model),
                f"surest head of {model}",
            )
