"""The topic "one example": a training example, row by row, with its loss."""

import numpy as np
import streamlit as st

from model.learning.example import TrainingExample
from model.results import Run
from viz.compute import learning, runs, weights
from viz.figures.labels import Number
from viz.language.text import _
from viz.language.wording import in_a_row
from viz.link import address
from viz.pages.learning import formulas
from viz.pages.learning.figures import Mark, floor_figure, target_figure
from viz.pages.learning.lesson import Lesson, choose, controls, given_text, picture
from viz.pages.learning.rows import MOST_ROWS, ExampleRows, example_table
from viz.shell import state

MOST_SMOOTHING, CANDIDATES = 0.4, 8


def show(run: Run) -> None:
    """Draw the rows of the example, one row in detail, and the floor of smoothing."""
    row = controls()
    lesson = choose(run, row)
    epsilon = row.slider(
        _("Label smoothing ε"),
        0.0,
        MOST_SMOOTHING,
        0.1,
        0.05,
        key="eps",
        bind=address.BOUND,
        width=180,
    )
    masked = row.toggle(
        _("Hide its own position"), key="diagonal", bind=address.BOUND, width="content"
    )
    example = learning.example(lesson.sentence, lesson.target, epsilon, not masked)
    count = min(len(example.input_ids), MOST_ROWS)
    chosen = 0
    if count > 1:
        worst = int(example.losses[:count].argmax()) + 1
        chosen = row.slider(_("Row"), 1, count, worst, key="row", bind=address.BOUND, width=180) - 1
    names = weights.vocabulary("output").tokens
    likeliest = [names[int(best)] for best in example.probabilities.argmax(axis=1)]
    right = np.exp(-example.losses.astype(np.float64))
    rows = ExampleRows(
        example.input_tokens, example.target_tokens, likeliest, example.mask, right, example.losses
    )
    st.html(example_table(rows, chosen, given_text(lesson)))
    st.caption(legend(example))
    metrics(example)
    if example.blind:
        blind(lesson, example)
    closely(example, chosen)
    where_it_stands(lesson, example)
    explain(lesson, example)


def metrics(example: TrainingExample) -> None:
    """Write the loss as the trainer computes it, and its parts."""
    smooth = example.smoothing
    columns = st.columns(4)
    columns[0].metric(_("Loss, as the trainer computes it"), f"{example.loss:.3f}")
    columns[1].metric(_("Floor: no model can be lower"), f"{smooth.floor:.3f}")
    columns[2].metric(_("Left to learn"), f"{example.loss - smooth.floor:.3f}")
    mean = float(example.losses.mean())
    columns[3].metric(_("Mean of \u2212log p, without smoothing"), f"{mean:.3f}")


def legend(example: TrainingExample) -> str:
    """Explain the cells of the mask."""
    words = _(
        "Each row is a query. Filled: a key it may look at (darker: its own position). ✕: the "
        "position that holds its answer, hidden by the mask."
    )
    if len(example.input_ids) > MOST_ROWS:
        more = _("Drawn are {shown} of {count} rows; the loss is that of all.")
        return in_a_row((words, more.format(shown=MOST_ROWS, count=len(example.input_ids))))
    return words


def blind(lesson: Lesson, example: TrainingExample) -> None:
    """Explain the effect of hiding each row's own position."""
    usual = learning.example(lesson.sentence, lesson.target, example.smoothing.epsilon, True)
    st.info(
        _(
            "Without its own position **row 1 has nothing to look at**: the softmax of no key is "
            "0/0, so its self-attention gives zeros here. Its \u2212log p goes from {before:.2f} "
            "to {after:.2f}, the loss of all rows from {whole:.3f} to {now:.3f}. Nothing is gained "
            "by hiding it: its own position holds the piece *before* the answer, as the input is "
            "shifted right."
        ).format(
            before=usual.losses[0], after=example.losses[0], whole=usual.loss, now=example.loss
        )
    )


def closely(example: TrainingExample, row: int) -> None:
    """Draw the probabilities of one row beside its target, and the formulas of its loss."""
    wanted, smooth = example.target_ids[row], example.smoothing
    ranked = np.argsort(example.probabilities[row])[::-1]
    ids = [int(id_) for id_ in ranked[:CANDIDATES]]
    if wanted not in ids:
        ids = [*ids[:-1], wanted]
    names = weights.vocabulary("output").tokens
    shares = np.array([smooth.right if id_ == wanted else smooth.other for id_ in ids])
    st.markdown(_("**Row {row}, closely: the target and what the model says**").format(row=row + 1))
    figure = target_figure(
        [names[id_] for id_ in ids],
        example.probabilities[row, ids],
        shares,
        state.current_theme(),
    )
    picture(figure, "target")
    pieces = example.probabilities.shape[1]
    st.latex(formulas.smoothed_target(smooth.epsilon, pieces, smooth.right, smooth.other))
    surprise, smoothed = float(example.losses[row]), float(example.smoothed[row])
    st.latex(formulas.row_loss(row + 1, smooth.epsilon, surprise, smoothed))
    st.latex(formulas.whole_loss(len(example.losses), example.loss))


def where_it_stands(lesson: Lesson, example: TrainingExample) -> None:
    """Draw the floor by the smoothing, with the losses of this example and of the model's run."""
    st.markdown(_("**The floor that smoothing puts under the loss**"))
    epsilons = np.linspace(0, MOST_SMOOTHING, 81)
    # The loss is linear in ε, so two points are enough.
    plain, other = float(example.losses.mean()), example
    if not example.smoothing.epsilon:
        other = learning.example(lesson.sentence, lesson.target, MOST_SMOOTHING, not example.blind)
    slope = (other.loss - plain) / other.smoothing.epsilon
    losses = plain + slope * epsilons
    floors, theme = learning.floors(epsilons), state.current_theme()
    picture(
        floor_figure(epsilons, floors, losses, example.smoothing.epsilon, marks(), theme), "floor"
    )
    st.latex(formulas.floor(example.smoothing.epsilon, example.smoothing.floor))


def marks() -> list[Mark]:
    """Return the last losses of the model's own run that its card has."""
    card = runs.card()
    if card is None:
        return []
    train = [line["loss"] for line in card.training_log if "loss" in line][-10:]
    known = []
    if train and "smoothing" in card.settings:
        mean = float(np.mean(train))
        known.append(Mark(card.settings["smoothing"], mean, _("end of its training, with dropout")))
    if card.dev_loss is not None:
        known.append(Mark(0.0, card.dev_loss, _("sentences it never trained on, at the end")))
    return known


def explain(lesson: Lesson, example: TrainingExample) -> None:
    """Explain the shift, the mask, and why one pass serves all rows."""
    # Computed only when the box is opened: a pass for each row costs as much as a translation.
    with st.expander(_("What am I looking at?"), key="both ways", on_change="rerun") as box:
        if not box.open:
            return
        both = learning.one_by_one(lesson.sentence, lesson.target)
        apart = float(np.abs(both.at_once - both.one_by_one).max())
        st.markdown(
            _(
                "**Shifted right.** The decoder is given the translation with the begin token "
                "before it, and every row must say the piece that comes next. So row *t* is given "
                "what row *t* \u2212 1 had to say, whether it said so or not: teacher forcing.\n\n"
                "**All rows at once.** The whole translation is known in training, so one pass "
                "answers all {rows} rows. When it translates, it takes {rows} passes, one a piece. "
                "Both were done for this page: \u2212log p of no row differs by more than "
                "{apart:.0e}.\n\n"
                "**Why the mask?** In one pass the answer of row *t* stands in the input, one "
                "position on. Without the mask the model could copy it and learn nothing.\n\n"
                "**Why may a row look at its own position?** Because of the shift: what stands "
                "there is the piece before the answer. Hide it with the switch above.\n\n"
                "**Label smoothing** asks for a little probability for every piece, so a model "
                "that is sure of the right one is *not* at the lowest loss. The lowest loss is the "
                "entropy of the target, reached when p = q. The step from ε = 0.1 to the model's "
                "own dots in the picture is dropout and all that it does not know."
            ).format(rows=len(example.losses), apart=Number(apart))
        )
