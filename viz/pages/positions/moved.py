"""The model itself with its positions scaled, shuffled, shifted or one given out twice."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.compute import runs
from viz.compute.runs import Moved, PositionChange, Run
from viz.pages.positions import formulas
from viz.pages.positions.change import change_figure, log_prob, mean_change
from viz.shared.figure import show_figure
from viz.shared.text import _
from viz.shared.theme import token_chips
from viz.shared.wording import marked
from viz.shell import state
from viz.shell.scale import Positions, set_positions

CHANGES: dict[str, PositionChange] = {
    "scaled": "scaled",
    "shuffled": "shuffled",
    "shifted": "shifted",
    "repeated": "repeated",
}
STACKS: dict[str, tuple[runs.Stack, ...]] = {
    "encoder": ("encoder",),
    "decoder": ("decoder",),
    "both": ("encoder", "decoder"),
}


def show_model(shown: Run) -> None:
    """Show translation and attention without and with a change to the positions.

    The positions of the run on show may be changed themselves: here they are as trained.
    """
    others = state.interventions()
    for each in STACKS["both"]:
        others = set_positions(others, each, Positions("trained"))
    run = shown if others == state.interventions() else runs.run(state.sentence(), others)
    row = st.container(horizontal=True, gap="medium")
    change = CHANGES[_choice(row, _("Positions"), list(CHANGES), "change")]
    stack = _choice(row, _("In the"), list(STACKS), "stack")
    amount = _amount(row, change, len(run.recording.source_tokens))
    view = state.attention_controls(run.recording.config)
    try:
        moved = runs.moved_positions(state.sentence(), change, STACKS[stack], amount, others)
    except ValueError as error:
        st.warning(str(error))
        return
    _translations(run, moved)
    before = run.recording.attention(view.kind)[view.layer, view.head]
    after = moved.recording.attention(view.kind)[view.layer, view.head]
    queries, keys = run.recording.tokens(view.kind)
    titles = _("positions as trained"), _title(change, amount)
    theme = state.current_theme()
    figure = change_figure((before, after), titles, queries, keys, theme)
    show_figure(figure, "model-picture")
    st.caption(
        _(
            "{head}: on average {share:.0%} of a query's weight went to other keys. Both pictures "
            "are of the translation on the left."
        ).format(head=state.head_title(view), share=mean_change(before, after))
    )
    if stack == "decoder" and view.kind == "encoder":
        st.caption(_("The encoder runs first, so nothing in the decoder can change it."))
    _explain(run, moved, change, amount)


def _choice(row: DeltaGenerator, label: str, options: list[str], key: str) -> str:
    return row.segmented_control(
        label, options, default=options[0], required=True, key=key, bind=state.LINK
    )


def _amount(row: DeltaGenerator, change: PositionChange, length: int) -> float:
    """Draw the slider of this change: a factor, a seed, a shift or a 0-based position."""
    if change == "scaled":
        return row.slider(_("Times"), 0.0, 2.0, 0.0, 0.1, key="factor", bind=state.LINK, width=260)
    if change == "shuffled":
        return row.slider(_("Shuffle number"), 1, 20, 1, key="shuffle", bind=state.LINK, width=260)
    if change == "shifted":
        return row.slider(_("Shift by k"), -100, 250, 50, key="by", bind=state.LINK, width=260)
    last = max(1, length - 2)
    return row.slider(
        _("Position given out twice"), 0, last, 1, key="twice", bind=state.LINK, width=260
    )


def _title(change: PositionChange, amount: float) -> str:
    """Name the change for a figure's title."""
    if change == "scaled":
        return _("positions times {amount:g}").format(amount=amount)
    if change == "shuffled":
        return _("positions shuffled")
    if change == "shifted":
        return _("positions shifted by {amount:+g}").format(amount=amount)
    return _("position {amount:g} given out twice").format(amount=amount)


def _translations(run: Run, moved: Moved) -> None:
    """Draw both translations with the words marked that changed."""
    columns = st.columns(2)
    titles = _("French, positions as trained"), _("French, positions changed")
    texts = marked(run.translation.text, moved.translation.text)
    for column, title, text, shown in zip(columns, titles, texts, (run, moved), strict=True):
        with column.container(border=True):
            st.markdown(f":small[{title}]")
            if shown.translation.text:
                st.html(text)
            else:
                st.text(_("(nothing: the end token came first)"))
            st.html(token_chips(shown.translation.tokens))


def _explain(run: Run, moved: Moved, change: PositionChange, amount: float) -> None:
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "The same trained model, the same pieces, but another encoding is added to the "
                "piece at position i. Every step of the translation on the right was made that way."
            )
        )
        st.latex(formulas.changed(change, amount))
        following = (*run.recording.target_ids[1:], run.recording.config.end_id)
        st.markdown(
            _("How probable is the translation on the left, in the model as it is and changed?")
        )
        st.latex(
            formulas.log_probs(
                log_prob(run.recording.logits, following),
                log_prob(moved.recording.logits, following),
            )
        )
        st.markdown(
            _(
                "With all encodings 0 the encoder cannot tell one order of the words from another. "
                "A shift keeps every distance, but the model was trained on sentences that start "
                "at position 0: what it does with others shows how far it relies on distance "
                "alone. This is one sentence, not a law."
            )
        )
