"""The same sentence through all models: what they write, how good they are, and how they align."""

from dataclasses import replace

import streamlit as st

from model.checkpoints.card import Card
from model.recurrent.config import FIXED, Attending
from model.results import Run
from model.sites.sites import Head
from viz.components.alignments import Listed, Panel, alignments
from viz.compute import ancestors, examples, models, runs
from viz.figures.labels import head_text
from viz.figures.table import show_table
from viz.language.text import _
from viz.language.wording import in_a_row
from viz.link import edits
from viz.link.choice import choose_one
from viz.pages.recurrent.contrast import Way, contrast
from viz.pages.recurrent.measured import finding, table
from viz.pages.recurrent.words import SCORES
from viz.shell import state
from viz.shell.finding import say
from viz.shell.model_names import kind_name, recurrent_name

HISTORY: tuple[Attending, ...] = (
    *("none", "cho", "bahdanau", "additive", "dot", "general", "local-p", "lstm"),
)
"""The order of the list: without attention, then Bahdanau et al., Luong et al., and other units."""


YOUNG, SCORED = "thousand", "additive-scores"
"""The ends of the names of Transformers that learned as few steps as the recurrent models."""

THREE: tuple[Attending, Attending] = ("none", "additive")
"""The models that are shown first, with the Transformer."""


def choose_models() -> bool:
    """Draw the choice between three models and all; return True for all.

    If not all three have been trained, there is no choice.
    """
    if not set(THREE) <= set(ancestors.shipped()):
        return True
    count = len(ancestors.shipped()) + (ancestors.best_aligned() is not None)
    names = {"three": _("three"), "all": _("all {count}").format(count=count)}
    row = st.container(key="beside choices")
    return choose_one(_("Models"), names, "models", row=row, bare=True) == "all"


def compare(run: Run, everything: bool) -> None:
    """Draw how three models get from the sentence to its translation, or list all models."""
    if everything:
        _list_all(run)
    else:
        _contrast(run)
    _measured()
    with st.expander(_("What am I looking at?")):
        _explain()


def _contrast(run: Run) -> None:
    """Draw how the sentence passes through one vector, and along two models' weights."""
    cards = [ancestors.recurrent_card(kind) for kind in THREE]
    ways = [
        _way(_recurrent(run, kind, False), kind, card)
        for kind, card in zip(THREE, cards, strict=True)
    ]
    if cards[0] and cards[1]:
        say(finding(cards[0], cards[1], runs.card()))
    ways[0] = replace(ways[0], vector=ancestors.fixed_vector(run.source.text))
    ways += _last_way(run, cards[1])
    target = examples.current().target
    contrast(ways, run.recording.target_tokens, state.current_theme(), target)


def _way(panel: Panel, kind: Attending, card: Card | None) -> Way:
    """Return a recurrent model's way, along its weights if it has attention."""
    claim = _("The whole sentence must fit into one vector.")
    if panel.weights is not None:
        share = float(panel.weights[:, -1].mean())
        template = _(
            "Every word looks at all words again. {share} of the weight is on {end} (grey, drawn "
            "thin)."
        )
        claim = template.format(share=f"{share:.0%}", end=panel.keys[-1])
    return Way(
        recurrent_name(kind),
        claim,
        _steps(card),
        card.bleu("test") if card else None,
        panel.queries,
        panel.keys,
        panel.weights,
    )


def _last_way(run: Run, other: Card | None) -> list[Way]:
    """Return the Transformer's way, empty if its heads were not measured.

    It learned longer than the `other` model, and its words say so.
    """
    best, panel, card = ancestors.best_aligned(), _transformer(run), runs.card()
    if best is None or panel is None:
        return []
    trained = _steps(card)
    if card and other and card.steps_in_all > 1.5 * other.steps_in_all:
        times = card.steps_in_all / other.steps_in_all
        trained = _("{steps}, {times:.0f} times as many: no fair race").format(
            steps=trained, times=times
        )
        if young := _twin(YOUNG):
            trained += "; " + _("a small one after {steps}: BLEU {bleu:.1f}").format(
                steps=_steps(young), bleu=young.bleu("test")
            )
    claim = _("Attention only. Drawn: {head}, of {count} heads.").format(
        head=head_text("cross", *best),
        count=run.recording.attention("cross")[:, :, 0, 0].size,
    )
    if panel.off:
        claim = in_a_row((claim, _("Switched off: what it looks at adds nothing.")))
    if run.recording.interventions:
        trained = " · ".join(filter(None, [trained, _("the BLEU is the unchanged model's")]))
    score = card.bleu("test") if card else None
    return [Way(_("Transformer"), claim, trained, score, panel.queries, panel.keys, panel.weights)]


def _twin(what: str) -> Card | None:
    """Return the card of a Transformer of as many steps as the recurrent models, if it is there."""
    name = models.twin(models.in_force(), what)
    return runs.card_of(name) if name else None


def _steps(card: Card | None) -> str:
    return _("{steps:,} steps").format(steps=card.steps_in_all) if card else ""


def _list_all(run: Run) -> None:
    """Draw each model's translation, score and alignment."""
    names = {"own": _("own translation"), "shared": _("the Transformer's")}
    shared = choose_one(_("Alignment of"), names, "aligned") == "shared"
    kinds = sorted(ancestors.shipped(), key=HISTORY.index)
    panels = [_recurrent(run, kind, shared) for kind in kinds]
    cards = [ancestors.recurrent_card(kind) for kind in kinds]
    if transformer := _transformer(run):
        panels.append(transformer)
        cards.append(runs.card())
    first = next((at for at, panel in enumerate(panels) if panel.weights is not None), 0)
    listed = Listed(
        chosen=kinds.index(THREE[1]) if THREE[1] in kinds else first,
        reference=run.translation.text,
        scores=[card.bleu("test") if card else None for card in cards],
        score=_("BLEU on the test set"),
        notes=[_steps(card) for card in cards],
        marks=_("Underlined: not what the Transformer writes."),
    )
    target = examples.current().target
    alignments(panels, state.current_theme(), "all models", target, listed)


def _recurrent(run: Run, kind: Attending, shared: bool) -> Panel:
    sentence = run.source.text
    recurrent_run = (
        ancestors.given(kind, sentence, run.translation.text)
        if shared
        else ancestors.looked(kind, sentence)
    )
    weights = None if kind in FIXED else recurrent_run.recording.attention("cross")[0, 0]
    note = _("No alignment: every step gets the same vector.") if kind in FIXED else ""
    return Panel(
        recurrent_name(kind),
        recurrent_run.translation.text,
        recurrent_run.recording.target_tokens,
        recurrent_run.recording.source_tokens,
        weights,
        note,
    )


def _transformer(run: Run) -> Panel | None:
    """Return the panel of the Transformer's best aligned head; None without measures."""
    best = ancestors.best_aligned()
    if best is None:
        return None
    layer, head = best
    return Panel(
        _("Transformer, cross {layer}.{head}").format(layer=layer + 1, head=head + 1),
        run.translation.text,
        run.recording.target_tokens,
        run.recording.source_tokens,
        run.recording.attention("cross")[layer, head],
        _("One of its {heads} cross-attention heads, the best aligned as measured.").format(
            heads=run.recording.attention("cross")[:, :, 0, 0].size
        ),
        off=edits.is_off(Head("cross", layer, head)),
    )


def _measured() -> None:
    """Write the scores of all models on many sentences, as one sentence says little."""
    cards = {kind_name(kind): ancestors.recurrent_card(kind) for kind in ancestors.shipped()}
    known = {name: card for name, card in cards.items() if card}
    young = _twin(YOUNG)
    if young:
        known[_("Transformer, {steps} steps").format(steps=f"{young.steps_in_all:,}")] = young
    if scored := _twin(SCORED):
        steps = f"{scored.steps_in_all:,}"
        known[_("Transformer with additive scores, {steps} steps").format(steps=steps)] = scored
    if transformer := runs.card():
        known[_("Transformer")] = transformer
    if known:
        show_table(table(known))
    if young:
        st.caption(
            _(
                "The small Transformer learned from the same pairs as the recurrent models. Its "
                "vectors have {width} numbers, and it had to learn its embedding, too, which the "
                "recurrent models were given: the race is fairer, not fair."
            ).format(width=young.settings["config"]["d_model"])
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
