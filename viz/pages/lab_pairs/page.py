"""Break it: two sentences that differ in one word, where they part, and which heads noticed."""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.sites.sites import Head, Kind
from viz.components.head_picker import Shares
from viz.compute import examples, pairs
from viz.compute.pairs import Pair
from viz.effect.difference import difference_heatmap, is_seen
from viz.effect.moved import most_moved, offer_heads
from viz.effect.near import near_tie
from viz.language.text import _
from viz.link import edits
from viz.pages.lab_pairs import pair_cards, views
from viz.pages.lab_pairs.looks import lines_of, looks
from viz.pages.lab_pairs.measures import agreement_heatmap, measures_heatmap
from viz.pages.lab_pairs.pair_cards import Card
from viz.shell import state
from viz.shell.below import show_below
from viz.shell.chooser import no_attention
from viz.shell.cover import telling
from viz.shell.finding import say
from viz.shell.header import open_page
from viz.shell.heavy import heavy, shown
from viz.shell.second_sentence import second_sentence

Moved = Mapping[Kind, NDArray[np.float64]]
"""The share of the compared row that each head (L, H) moved, by kind of attention."""

MOST_PIECES = 64
"""The longest source, in pieces, that is measured unasked: each word takes a run of the model."""


def show_cards(pair: Pair, head: Head | None, slot: int) -> None:
    """Draw both sentences with what the head looks at, and the probabilities of both pieces."""
    seen = looks(pair, head, slot) if head else (None, None)
    off = head is not None and edits.is_off(head)
    say(views.finding(pair, head, seen, off))
    if pair.decision and (caution := near_tie((pair.first.likely, pair.second.likely))):
        st.caption(caution)
    languages = examples.current().source, examples.current().target
    first, second = (
        Card(lines_of(side), look, views.odds(pair, side), views.after(pair))
        for side, look in zip((pair.first, pair.second), seen, strict=True)
    )
    name = state.head_name(head) if head else ""
    pair_cards.show(
        (first, second), _("{head}, off").format(head=name) if off else name, languages, off
    )
    if pair.decision is None:
        st.info(_("Both translations are the same, and without a pronoun: nothing is decided."))
    elif not pair.changed and pair.first.run.translation.ids == pair.second.run.translation.ids:
        st.caption(_("Both translations are the same: this is the step of their last pronoun."))


def show_heads(pair: Pair, moved: Moved, ranked: Sequence[tuple[float, Head]]) -> None:
    """Rank the heads by the change of their row, and draw the chosen head's change."""
    st.subheader(_("Which heads look differently"), anchor=False)
    if not moved:
        st.info(no_attention())
        return
    if "encoder" in moved:
        views.choose_query(pair)
    theme = state.current_theme()
    shares = Shares(_("share of the row that moved"), moved, theme.moved)
    first = ranked[0][1] if ranked else None
    view = state.attention_controls(pair.first.recording, first, shares, folded=False)
    offer_heads(ranked, _("In every head, this row is the same in both sentences."))
    change = pair.change(view.kind)[view.layer, view.head].astype(np.float32)
    slots, prefix = pair.labels(), list(pair.prefix)
    title = _("{head}: second minus first").format(head=state.head_name(view))
    queries = slots if view.kind == "encoder" else prefix
    keys = prefix if view.kind == "decoder" else slots
    if not is_seen(change):
        st.caption(_("This head looks alike in both sentences."))
        return
    figure = difference_heatmap(change, queries, keys, title, theme, view.kind != "encoder")
    show_below(figure, "pair difference")


def show_measures(pair: Pair) -> None:
    """Draw four measures of a piece's dependence on each word, two of them by attention."""
    if pair.decision is None:
        return
    st.subheader(_("What the deciding piece depends on, measured in several ways"), anchor=False)
    side, piece_id, piece = views.choose_side(pair)
    asked = side.run.source.text, pair.decision.prefix, piece_id
    if len(side.run.source.ids) <= MOST_PIECES or pairs.attributions.known(*asked):
        attribution = pairs.attributions(*asked)
    elif st.button(_("Measure it, with one run for each word"), icon=":material/bar_chart:"):
        with heavy(_("Leaving out one word after the other")):
            attribution = pairs.attributions(*asked)
    else:
        return
    st.markdown(views.measured_text(piece, bool(edits.in_force(side.run.left_out))))
    theme, names = state.current_theme(), views.measure_names(attribution.measures)
    units = views.measure_units(attribution.measures)
    figure = measures_heatmap(names, units, attribution.words, attribution.values, theme)
    show_below(figure, "measures", tools=False)
    if idle := views.idle_word(pair, side, attribution):
        st.caption(idle)
    if len(attribution.words) < 3:
        st.caption(_("With fewer than three words there is no order to compare the measures by."))
        return
    st.markdown(
        _(
            "**How far they agree**: rank correlation over the words, by size without the sign. "
            "It compares orders only: measures of quite different sizes can agree."
        )
    )
    figure = agreement_heatmap(names, attribution.agreement, theme)
    show_below(figure, "agreement", tools=False)


open_page()
second = second_sentence()
try:
    with shown(_("Translating the second sentence, and comparing both")):
        compared = pairs.pair(state.sentence(), second, edits.interventions())
except ValueError:
    st.info(_("Type a second sentence: the one above, with another word in it."))
    st.stop()
slot = views.compared_query(compared)
rows: Moved = {kind: compared.moved(kind, slot) for kind in compared.first.recording.made_by.kinds}
most = most_moved(rows)
with telling():
    config = compared.first.recording.made_by
    looking = state.shown_head(config, most[0][1] if most else None) if rows else None
    if compared.first.run.source.text == compared.second.run.source.text:
        st.info(_("Both sentences are the same: change a word of the second one."))
        st.stop()
    show_cards(compared, looking, slot)
    if not compared.related:
        st.info(
            _(
                "These two sentences have hardly a word in common. What differs below has no "
                "single cause: change one word, and it has."
            )
        )
    show_heads(compared, rows, most)
    show_measures(compared)
with st.expander(_("What was measured, and what was not")):
    st.markdown(views.caution())
