"""Soft and hard attention: an average of the source, or a single position."""

from collections.abc import Sequence

import streamlit as st

from model.recurrent.config import FIXED
from model.recurrent.looking import Looking
from model.results import Run
from viz.components.alignments import Panel, alignments
from viz.compute import ancestors, examples
from viz.effect.outcome import lost
from viz.figures.labels import Number
from viz.language.formula import in_formula
from viz.language.text import _
from viz.link import address
from viz.pages.recurrent.controls import choose_kind
from viz.shell import state
from viz.shell.finding import say


def choosing(run: Run) -> None:
    """Draw the sentence's alignments with the weighted mean, the largest weight, and a draw."""
    row = st.container(horizontal=True, gap="medium")
    kind = choose_kind(_("Score function"), "score", without=(*FIXED, "bahdanau"), row=row)
    seed = int(
        row.number_input(_("Seed of the draw"), 0, 9999, key="draw", bind=address.BOUND, width=160)
    )
    ways = {
        _("Soft: the average"): Looking(),
        _("Hard: the largest weight"): Looking("largest"),
        _("Hard: drawn by the weights"): Looking("drawn", seed),
    }
    panels = []
    for title, looking in ways.items():
        recurrent_run = ancestors.looked(kind, run.source.text, looking)
        recording = recurrent_run.recording
        value = f"{Number(recurrent_run.translation.log_prob):.2f}"
        note = _("log-probability {value}").format(value=value)
        weights = recording.attention("cross")[0, 0]
        tokens = recording.target_tokens, recording.source_tokens
        panels.append(Panel(title, recurrent_run.translation.text, *tokens, weights, note))
    say(finding([panel.translation for panel in panels]))
    alignments(panels, state.current_theme(), "soft or hard", examples.current().target)
    _explain()


def finding(translations: Sequence[str]) -> str:
    """Say how many words change if a single position is read: by the largest weight, or drawn."""
    soft, *hard = translations
    largest, drawn = (lost(soft, translation) or _("the same words.") for translation in hard)
    return _(
        "Is one position enough? Against what the model writes softly, with the largest weight "
        "alone: **{largest}** With one drawn by the weights: **{drawn}**"
    ).format(largest=largest, drawn=drawn)


def _explain() -> None:
    st.markdown(
        _(
            "The model was trained soft. Hard attention (Xu et al. 2015) reads one position and "
            "never an average. It cannot be trained by gradient: with the largest weight, a small "
            "change of a score changes nothing until the winner changes, and then c_t jumps. "
        )
    )
    st.latex(
        r"c_t = h_{\arg\max_j e_{tj}}:\quad \frac{\partial c_t}{\partial e_{tj}} = 0"
        + rf"\ {in_formula(_('(undefined at a tie)'))},\qquad {in_formula(_('soft:'))}\ "
        r"\frac{\partial c_t}{\partial e_{tj}} = \alpha_{tj}\,(h_j - c_t)"
    )
    st.markdown(
        _(
            "With a draw, the gradient of the expected reward can be estimated instead, by "
            "REINFORCE (Williams 1992): the log-probability of the drawn position, times how well "
            "it went. It is right on average and noisy; the average needs no draw."
        )
    )
    st.latex(
        r"\nabla\,\mathbb{E}[r] = \mathbb{E}_{j \sim \alpha_t}"
        r"\left[(r - b)\,\nabla \log \alpha_{tj}\right]"
    )
