"""The topic "rate": its schedule in the paper and in this model's run."""

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.checkpoints.card import Card
from model.results import Run
from viz.compute import learning, runs
from viz.language.text import _
from viz.language.wording import in_a_row
from viz.link import address
from viz.pages.learning import formulas
from viz.pages.learning.lesson import controls, picture
from viz.pages.learning.rate_figures import schedule_figure
from viz.shell import state
from viz.shell.finding import say

WIDTHS = (128, 256, 512, 1024)
MOST_WARMUP = 16_000


def own_width() -> int:
    """Return the width of the model, or the nearest width on offer."""
    width = runs.translator().config.d_model
    return min(WIDTHS, key=lambda known: abs(known - width))


def show(_run: Run) -> None:
    """Draw the rate by the paper's formula, with sliders, beside the log of the model's run."""
    row = controls()
    width = row.select_slider(
        _("d_model"), WIDTHS, own_width(), key="paper_width", bind=address.BOUND, width=220
    )
    warmup = row.slider(
        _("Warm-up steps"), 200, MOST_WARMUP, 4000, 200, key="warmup", bind=address.BOUND, width=320
    )
    card = runs.card()
    log = [line for line in card.training_log if "learning_rate" in line] if card else []
    steps = [line["step"] for line in log]
    shown = max(2 * warmup, max(steps, default=0), 10_000)
    paper = learning.schedule(shown, int(width), warmup)
    rates = [line["learning_rate"] for line in log]
    say(finding(paper, rates))
    picture(schedule_figure(paper, steps, rates, state.current_theme()), "schedule")
    st.latex(formulas.schedule(int(width), warmup))
    st.caption(in_a_row((_("The sliders move the paper's formula."), _about_the_log(card))))


def finding(paper: NDArray[np.float64], rates: Sequence[float]) -> str:
    """Say how high the rate of the paper's formula, at steps 1 to n, and that of the run rise."""
    first = _("How big are the steps? The paper's rate rises to **{peak:.2e}** at step {step:,}.")
    second = _("That of this model's last run rose to **{peak:.2e}**.")
    told = first.format(peak=paper.max(), step=int(paper.argmax()) + 1)
    return in_a_row((told, second.format(peak=max(rates)) if rates else ""))


def _about_the_log(card: Card | None) -> str:
    if not card or not any("learning_rate" in line for line in card.training_log):
        return _("No training log comes with this checkpoint.")
    return _(
        "The orange line is the log of the last run that made this model: {steps:,} of "
        "{all:,} steps. It is no step of the paper's one run, so the two compare in form alone."
    ).format(steps=card.steps, all=card.steps_in_all)
