"""The view of why a head looks from one token at another: its score as a sum of products."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.recording.recording import Recording
from model.results import Run
from model.sites.sites import Head
from viz.components.recomputed import recomputed
from viz.figures.figure import show_figure
from viz.figures.labels import written_by
from viz.figures.theme import KEY, QUERY
from viz.language.formula import in_formula
from viz.language.text import _
from viz.language.wording import in_a_row
from viz.link.choice import choose_one
from viz.pages.why.figures import products_figure, signed
from viz.pages.why.ribbons import Link, ribbons
from viz.pages.why.sums import Match, above_mean, best_match, products, rest_of
from viz.pages.why.words import origin_name
from viz.shell import state
from viz.shell.finding import quoted, say
from viz.shell.off_heads import off_heads
from viz.shell.token_choice import choose_key, choose_token

MOST = 7
"""The most rows or columns of the table; the last row or column adds up the smaller parts."""


def link_panel(run: Run) -> None:
    """Draw the choice of a head, a query and a key, and the parts of their score."""
    recording = run.recording
    view = state.attention_controls(recording)
    queries, keys = recording.tokens(view.kind)
    with st.container(key="link ends"):
        query = choose_token(_("query: who is looking"), queries, view.kind, "query", QUERY)
        weights = recording.part(view.kind, view.layer, "weights")[view.head, query]
        strongest = int(weights.argmax())
        key = choose_key(_("key: who is looked at"), keys, view.kind, strongest, KEY)
    slot = st.container()
    row = st.container(horizontal=True, gap="small", vertical_alignment="center")
    score = _("the score")
    parts = (score, _("its lead over the mean key"))
    chosen = choose_one(_("Take apart"), parts, "why score", row=row, link=False, bare=True)
    _taken_to_pieces(recording, view, (query, key), chosen != score, (slot, row))


def _taken_to_pieces(
    recording: Recording,
    view: Head,
    link: tuple[int, int],
    lead: bool,
    slots: tuple[DeltaGenerator, DeltaGenerator],
) -> None:
    """Draw the products of one score, or of its `lead` over the mean of its row.

    The first of `slots` gets ribbons, the second the error; a table follows at the end.
    """
    query, key = link
    if recording.config.scores != "dot":
        slots[0].info(
            _("This model's scores are v tanh(q + k): no sum of products gives one of them.")
        )
        return
    head = view.kind, view.layer, view.head
    recorded = float(recording.part(view.kind, view.layer, "scores")[view.head, query, key])
    seen = np.flatnonzero(recording.reads(view.kind, view.layer)[2][query])
    if lead and len(seen) == 1:
        slots[0].info(_("This query may look at one key alone: its score has no others to lead."))
        return
    factors = recording.score_factors(view.kind, view.layer)[view.head, query]
    if np.isnan(factors[[key, *seen] if lead else key]).any():
        before = recording.unedited_scores(view.kind, view.layer)[view.head, query, key]
        slots[0].info(_no_sum(before, recorded, lead))
        return
    shown = parts = recording.score_parts(*head, query, key)
    if lead:
        shown = above_mean(parts, [recording.score_parts(*head, query, int(at)) for at in seen])
    table = products(shown, MOST)
    queries, keys = recording.tokens(view.kind)
    writes = view.kind != "encoder"
    tokens = written_by(queries, query) if writes else queries[query], keys[key]
    weight = float(recording.part(view.kind, view.layer, "weights")[view.head, query, key])
    match = best_match(shown)
    with slots[0]:
        headline = _finding(match, tokens, shown.total, lead, writes)
        say(in_a_row((headline, _rest(rest_of(table), match))))
        drawn = Link(table, *tokens, match, _score(shown.total, weight, lead), writes)
        with st.container(key="ribbons"):
            st.html(ribbons(drawn, state.current_theme()))
    with slots[1]:
        if np.isclose(parts.total, recorded, atol=0.01):
            recomputed(abs(parts.total - recorded))
        else:
            st.badge(_("An intervention wrote another score here: this is the one before it"))
        if view in off_heads(recording.interventions, recording.config):
            st.badge(_("This head is switched off: its weights reach nothing"), color="orange")
    show_figure(
        products_figure(table, *tokens, state.current_theme()),
        key="products",
        tools=False,
        wide=True,
    )
    st.caption(_note(lead))


def _no_sum(before: float, after: float, lead: bool) -> str:
    """Say that interventions do not multiply what should be taken apart."""
    if lead:
        return _("An intervention does not multiply the scores of this row: no sum gives the lead.")
    sentence = _(
        "An intervention turns {before} into {after} without a factor: no sum gives the score."
    )
    return sentence.format(before=signed(before), after=signed(after))


def _score(total: float, weight: float, lead: bool) -> str:
    words = _("lead {score} · weight {weight}") if lead else _("score {score} · weight {weight}")
    return words.format(score=signed(total), weight=f"{weight:.2f}")


def _finding(match: Match, tokens: tuple[str, str], total: float, lead: bool, writes: bool) -> str:
    """Say whose parts push the score furthest; such figures are exact sums, not causes.

    The first of `tokens` is the query, or, if it `writes`, the piece that the query writes.
    """
    both = match.query == match.key and match.query.rpartition(".")[2].isdecimal()
    asked = (
        _("Why does {query} score {whole} more with {key} than with the mean key?")
        if lead
        else _("Why does {query} score {whole} with {key}?")
    )
    answer = (
        _("The largest part: what **{one}** wrote into both, **{part}**.")
        if both
        else _("The largest part: **{one}** meets **{other}**, **{part}**.")
    )
    more = _("Biases push further.") if match.biases_push_more else ""
    named = (
        (_("the query that writes {piece}"), _("the key {piece}")) if writes else ("{piece}",) * 2
    )
    return in_a_row((asked, answer, more)).format(
        query=named[0].format(piece=quoted(tokens[0])),
        key=named[1].format(piece=quoted(tokens[1])),
        one=origin_name(match.query),
        other=origin_name(match.key),
        part=signed(match.value),
        whole=signed(total),
    )


def _rest(rest: float, match: Match) -> str:
    """Say that the parts without a name together push the score further than the best match."""
    if abs(rest) <= abs(match.value) or rest * match.value < 0:
        return ""
    said = _("The row and column “all the rest”, many small parts, add up to more: **{rest}**.")
    return said.format(rest=signed(rest))


def _note(lead: bool) -> str:
    if lead:
        return _(
            "The softmax sees only how far a score is above the others of its row. This is the "
            "score less the mean over the keys that the query may see: what is alike for every "
            "key, such as the query times the keys' bias, is gone."
        )
    return _(
        "Each part of the query's vector times each part of the key's, through W_Q and W_K and "
        "divided by √d_k. The norms' means and deviations are those of this sentence; with them "
        "given, the sum is exact. A part names who wrote it, not what made it write that. "
        "LayerNorm biases are the β that the norms add, the same for every token."
    )


def explain() -> None:
    """Explain the sum and its formulas."""
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "Every layer adds to a token's vector and normalises it. With the norm's own mean "
                "and deviation of this pass given, the norm is a straight map, so the vector that "
                "enters a layer is an exact sum of everything that was ever written into it."
            )
        )
        st.latex(r"x = \sum_i p_i,\qquad q = \sum_i p_i W_Q + b_Q,\qquad k = \sum_j p'_j W_K + b_K")
        st.latex(
            r"\frac{q \cdot k}{\sqrt{d_k}} = \sum_{i,j}"
            r"\frac{(p_i W_Q) \cdot (p'_j W_K)}{\sqrt{d_k}} + "
            + in_formula(_("what the biases add"))
        )
        st.latex(
            r"\text{LayerNorm}(y) = \gamma\,\frac{y - \bar y}{\sigma} + \beta"
            r"\;\Rightarrow\; p_i \leftarrow \gamma\,\frac{p_i - \bar p_i}{\sigma},"
            r"\quad \beta:\ " + in_formula(_("one more part"))
        )
