"""The same sentence through all models: what they write, how good they are, and how they align."""

import streamlit as st

from model.recurrent.config import FIXED, Attending
from model.translator import Run
from viz.components.alignments import Listed, Panel, alignments
from viz.compute import ancestors, examples, runs
from viz.figures.table import show_table
from viz.language.text import _
from viz.link.choice import choose_one
from viz.pages.recurrent.words import SCORES
from viz.shell import state
from viz.shell.model_names import kind_name, recurrent_name

HISTORY: tuple[Attending, ...] = (
    *("none", "cho", "bahdanau", "additive", "dot", "general", "local-p", "lstm"),
)
"""The order of the list: without attention, then Bahdanau et al., Luong et al., and other units."""


def compare(run: Run) -> None:
    """Draw each model's translation and alignment, and the table of their scores."""
    names = {"own": _("own translation"), "shared": _("the Transformer's")}
    shared = choose_one(_("Alignment of"), names, "aligned") == "shared"
    kinds = sorted(ancestors.shipped(), key=HISTORY.index)
    panels = [_recurrent(run, kind, shared) for kind in kinds]
    cards = [ancestors.recurrent_card(kind) for kind in kinds]
    if transformer := _transformer(run):
        panels.append(transformer)
        cards.append(runs.card())
    listed = Listed(
        chosen=next((at for at, panel in enumerate(panels) if panel.weights is not None), 0),
        reference=run.translation.text,
        scores=[card.bleu("test") if card else None for card in cards],
        score=_("BLEU on the test set"),
        notes=[
            _("{steps:,} steps").format(steps=card.steps_in_all) if card else "" for card in cards
        ],
    )
    target = examples.current().target
    alignments(panels, state.current_theme(), "all models", target, listed)
    _measured()
    with st.expander(_("What am I looking at?")):
        _explain()


def _recurrent(run: Run, kind: Attending, shared: bool) -> Panel:
    text = run.source.text
    found = (
        ancestors.given(kind, text, run.translation.text)
        if shared
        else ancestors.looked(kind, text)
    )
    weights = None if kind in FIXED else found.recording.attention("cross")[0, 0]
    note = _("No alignment: every step gets the same vector.") if kind in FIXED else ""
    return Panel(
        recurrent_name(kind),
        found.translation.text,
        found.recording.target_tokens,
        found.recording.source_tokens,
        weights,
        note,
    )


def _transformer(run: Run) -> Panel | None:
    """Return the panel of the Transformer's best aligned head; None if it was not measured."""
    place = ancestors.best_aligned()
    if place is None:
        return None
    layer, head = place
    return Panel(
        _("Transformer, cross {layer}.{head}").format(layer=layer + 1, head=head + 1),
        run.translation.text,
        run.recording.target_tokens,
        run.recording.source_tokens,
        run.recording.attention("cross")[layer, head],
        _("One of its {heads} cross-attention heads, the best aligned as measured.").format(
            heads=run.recording.attention("cross")[:, :, 0, 0].size
        ),
    )


def _measured() -> None:
    """Write the scores of all models on many sentences, as one sentence says little."""
    cards = {kind_name(kind): ancestors.recurrent_card(kind) for kind in ancestors.shipped()}
    measured = {n: c for n, c in {**cards, _("Transformer"): runs.card()}.items() if c}
    frames = [card.pronouns.get("unseen frame") for card in measured.values()]
    pronouns = [frame["right_pronoun"] if frame else float("nan") for frame in frames]
    show_table(
        {
            _("model"): list(measured),
            _("BLEU on the test set"): [f"{card.bleu('test'):.1f}" for card in measured.values()],
            _("il or elle right, held-out sentences"): [f"{share:.1f}%" for share in pronouns],
            _("training steps"): [f"{card.steps_in_all:,}" for card in measured.values()],
        },
    )


def _explain() -> None:
    st.markdown(
        _(
            "Translators made of gated recurrent units, one of long short-term memories. Their "
            "pieces and their embedding are "
            "those that a Transformer had learned; all else they learned from the same pairs, in "
            "as many steps as the table says. One network reads the sentence from both "
            "sides and leaves a state h_j at every piece; the other writes, and its "
            "state s_t asks how well each h_j suits it. The score functions are those of Bahdanau "
            "et al. (2015) and Luong et al. (2015):"
        )
    )
    for kind in ancestors.shipped():
        if kind in SCORES:
            st.latex(rf"\text{{{kind_name(kind)}:}}\quad {SCORES[kind]}")
    st.latex(
        r"\alpha_{tj} = \text{softmax}_j(e_{tj}),\quad c_t = \sum_j \alpha_{tj} h_j,\quad"
        r" \tilde s_t = \tanh(W_c [c_t; s_t])"
    )
    st.markdown(
        _(
            "Luong et al. do not divide by √R. Here it was needed: undivided, one position soon "
            "got all the weight, and no alignment was learned. Weights say where a model looked, "
            "which need not be why it wrote a word."
        )
    )
