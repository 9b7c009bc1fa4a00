"""The chain of one query through a head: drawn, written out, and with controls for teaching."""

from collections.abc import Sequence

import streamlit as st

from model.results import Run
from model.sites.sites import Head
from viz.figures.labels import query_name, written_by
from viz.figures.letters import STAGE
from viz.figures.theme import QUERY
from viz.language.text import _
from viz.language.wording import listed
from viz.pages.head import numbers
from viz.pages.head.formulas import links, strongest
from viz.pages.head.head_chain import head_chain, score_products
from viz.pages.head.panels import badge, spread, teaching_controls, write
from viz.pages.head.reading import picture, read
from viz.shell import state
from viz.shell.finding import quoted, say
from viz.shell.folded import opened
from viz.shell.off_heads import off_heads
from viz.shell.token_choice import choose_token

LEAST = 0.05
"""The least weight for which a second or third key is named."""


def show_chain(run: Run, view: Head, first: int | None = None) -> None:
    """Draw the chain of the chosen query, what changes it, and its formulas.

    `first` is the query to open at, if the head was chosen for what it mixes.
    """
    queries, keys = run.recording.tokens(view.kind)
    query = choose_token(
        _("query: who is looking"), queries, view.kind, "query", QUERY, first=first
    )
    headline, drawn = st.container(), st.container(key="chain")
    row = st.container(
        horizontal=True, gap="small", vertical_alignment="center", key="choices formula"
    )
    sublayer, recorded = read(run.recording, view)
    teaching = teaching_controls(row, sublayer.divides(view.head, query))
    as_model = numbers.chain(sublayer, recorded, view.head, query)
    shown = numbers.chain(sublayer, recorded, view.head, query, teaching)
    with row:
        off = view in off_heads(run.recording.interventions, run.recording.config)
        badge(sublayer, recorded, view, query, (as_model, shown), off=off)
        spread(as_model, shown)
    with headline:
        writes = "" if view.kind == "encoder" else written_by(queries, query)
        text = finding(shown.weights, queries[query], keys, writes)
        if numbers.other_formula(as_model, shown):
            text = finding_texts()["yours"].format(finding=text)
        elif off or numbers.switched_off(recorded, view.head):
            text = finding_texts()["idle"].format(finding=text)
        elif first == query:
            opening = state.shown_head(run.recording.config)
            # On stage the headline has one line: the chain below it must be in view.
            if opening == view or st.session_state.get(STAGE):
                text = finding_texts()["mixes"].format(finding=text)
            else:
                text = _("A head that mixes (Attention opens on {head}): {finding}").format(
                    head=state.head_name(opening), finding=text
                )
        say(text)
    with drawn:
        head_chain(picture(run, view, sublayer, shown, query), state.current_theme())
    if box := opened(_("The formulas, with these numbers"), "formulas", ":material/function:"):
        with box:
            name = query_name(view.kind, queries, query)
            write(links(shown, name, keys, view.head, sublayer.heads, strongest(shown)))
    score_products()


def finding(weights: numbers.Floats, query: str, keys: Sequence[str], writes: str = "") -> str:
    """Say at most three of a query's largest weights (S,), and what the other keys share.

    A query of the decoder is named by the piece that it `writes`, not by the one it reads.

    The numbers add up to the sum of all weights, which is 1 in an unchanged head. A key that occurs
    more than once is named with its place, from 1.
    """
    order = [int(at) for at in (-weights).argsort(kind="stable")]
    most = [at for at in order[:3] if at == order[0] or weights[at] >= LEAST]
    names = [
        f"{quoted(key)} ({at})" if keys.count(key) > 1 else quoted(key)
        for at, key in enumerate(keys, start=1)
    ]
    texts = finding_texts()
    takes = listed(
        texts["weight"].format(weight=f"{weights[at]:.2f}", key=names[at]) for at in most
    )
    whole = len(most) == len(keys)
    text = texts[("writes" if writes else "takes") + ("Whole" if whole else "")]
    said = sum(round(float(weights[at]), 2) for at in most)
    left = f"{max(0.0, float(weights.sum()) - said):.2f}"
    return text.format(query=quoted(writes or query), takes=takes, rest=left)


def finding_texts() -> dict[str, str]:
    """Return the parts of the finding; the site fills them in with the same numbers."""
    return {
        "comma": listed(("", "")),
        "weight": _("**{weight}** of {key}"),
        "writes": _("To write {query}, it takes {takes}; the rest share {rest}."),
        "writesWhole": _("To write {query}, it takes {takes}."),
        "takes": _("{query} takes {takes}; the rest share {rest}."),
        "takesWhole": _("{query} takes {takes}."),
        "mixes": _("A head that mixes: {finding}"),
        "yours": _("By your formula: {finding}"),
        "idle": _("Switched off, so nothing of this arrives: {finding}"),
    }
