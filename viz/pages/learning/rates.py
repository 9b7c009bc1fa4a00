"""Topic 3, beside the steps: the schedule, dropout and the optimizers."""

import numpy as np
import streamlit as st

from viz.compute import learning, runs, weights
from viz.compute.runs import Run
from viz.language.text import _
from viz.pages.learning import formulas
from viz.pages.learning.lesson import LINK, choose, controls, per_cent, picture
from viz.pages.learning.rate_figures import draws_figure, schedule_figure
from viz.pages.learning.rows import number, table
from viz.shell import state

WIDTHS = (128, 256, 512, 1024)
MOST_WARMUP = 16_000


def show(run: Run) -> None:
    """Show the schedule, two draws of dropout, and the steps of the optimizers."""
    show_schedule()
    show_dropout(run)
    st.markdown(_("**The optimizers, in a sentence each**"))
    st.markdown(
        _(
            "- **Gradient descent** takes w \u2212 η g: the steps of the topic before.\n"
            "- **Adam** (the paper's) follows a running mean of the gradient and divides each "
            "weight's step by its usual size; **AdamW** also pulls weights a little towards 0. "
            "This model's run used it for the embeddings, biases and LayerNorms.\n"
            "- **Muon** replaces a matrix's running mean of gradients by the nearest matrix that "
            "stretches all directions alike. This model's run used it for every matrix inside the "
            "layers: W_Q, W_K, W_V, W_O and both of each feed-forward block."
        )
    )


def show_schedule() -> None:
    """Draw the paper's formula with sliders, beside the log of the model's run."""
    row = controls()
    width = row.select_slider(_("d_model"), WIDTHS, 512, key="paper_width", bind=LINK, width=220)
    warmup = row.slider(
        _("Warm-up steps"), 200, MOST_WARMUP, 4000, 200, key="warmup", bind=LINK, width=320
    )
    card = runs.card()
    log = [line for line in card.training_log if "learning_rate" in line] if card else []
    steps = [line["step"] for line in log]
    shown = max(2 * warmup, max(steps, default=0), 10_000)
    paper = learning.schedule(shown, int(width), warmup)
    rates = [line["learning_rate"] for line in log]
    picture(schedule_figure(paper, steps, rates, state.current_theme()), "schedule")
    st.latex(formulas.schedule(int(width), warmup))
    text = _("The sliders move the paper's formula.")
    if log:
        text += " " + _(
            "The orange line is what the log of this model's training says, of {steps:,} steps: "
            "a rise, a plateau, and a straight line down, so that a run can be made longer."
        ).format(steps=steps[-1])
    else:
        text += " " + _("No training log comes with this checkpoint.")
    st.caption(text)


def show_dropout(run: Run) -> None:
    """Draw the decoder's input at one row without dropout, and two draws of it."""
    st.markdown(_("**Dropout: the same row, drawn twice**"))
    row = controls()
    lesson = choose(run, row)
    rate = row.slider(_("Dropout"), 0.0, 0.5, 0.1, 0.05, key="drop", bind=LINK, width=180)
    example = learning.example(lesson.sentence, lesson.target, 0.1, True)
    count, chosen = len(example.input_ids), 0
    if count > 1:
        chosen = row.slider(_("Row"), 1, count, min(4, count), key="row", bind=LINK, width=180) - 1
    pressed = int(st.session_state.get("draws", 0))
    if row.button(_("Draw again"), icon=":material/casino:"):
        pressed += 1
        st.session_state["draws"] = pressed
    seeds = (2 * pressed, 2 * pressed + 1)
    found = learning.draws(lesson.sentence, lesson.target, chosen, rate, seeds)
    names = [_("without dropout"), _("first draw"), _("second draw")]
    picture(draws_figure(found.inputs, names, state.current_theme()), "dropout")
    st.html(odds_table(found.probabilities, names, example.target_ids[chosen]))
    st.caption(
        _(
            "What enters the decoder at row {row}; holes were dropped: {holes} of {width} values. "
            "Below it, the probabilities of the next piece; the right one comes first. "
            "Dropout also falls on attention weights and after every sublayer, drawn anew each "
            "time."
        ).format(
            row=chosen + 1,
            width=found.inputs.shape[1],
            holes=_("{first} and {second}").format(
                first=int((found.inputs[1] == 0).sum()), second=int((found.inputs[2] == 0).sum())
            ),
        )
    )
    st.latex(formulas.dropout(rate))


def odds_table(probabilities: np.ndarray, names: list[str], wanted: int) -> str:
    """Draw the three most probable pieces without dropout and the right one, in every draw."""
    tokens = weights.vocabulary("output").tokens
    best = [int(id_) for id_ in np.argsort(probabilities[0])[::-1][:4]]
    ids = list(dict.fromkeys([wanted, *best]))[:4]
    lines = [
        ("", [name, *(number(per_cent(float(row[id_]))) for id_ in ids)])
        for name, row in zip(names, probabilities, strict=True)
    ]
    heads = ["", *(tokens[id_].replace("\u2581", "·") for id_ in ids)]
    return table(heads, lines)
