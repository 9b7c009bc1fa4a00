"""The topic "steps": gradient descent on a copy of the model."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.learning.descent import Descent
from model.learning.recipe import (
    MOST_PIECES,
    MOST_STEPS,
    SECONDS,
    Optimizer,
    Recipe,
    Start,
)
from model.results import Run
from model.sites.sites import KINDS
from viz.components.two_texts import marked
from viz.compute import learning, runs
from viz.figures.attention import attention_heatmap
from viz.language.text import _, _n, later
from viz.link import address
from viz.link.choice import choose_one
from viz.pages.learning import formulas
from viz.pages.learning.descent_figures import gradient_figure, loss_figure, update_figure
from viz.pages.learning.lesson import Lesson, choose, controls, picture
from viz.shell import state
from viz.shell.below import show_below
from viz.shell.finding import say
from viz.shell.heavy import heavy

RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
FIRST_CHOICES = {"take": 8, "eta": 0.1, "step_by": "plain", "start": "trained"}
OPTIMIZERS: dict[str, Optimizer] = {later("plain"): "plain", "Muon + AdamW": "run"}
STARTS: dict[str, Start] = {later("trained"): "trained", later("random"): "fresh"}


def show(run: Run) -> None:
    """Take the steps, then draw their effect."""
    with st.container(key="choices steps"):
        row = controls()
    lesson, recipe = choose(run, row), choose_recipe(row)
    longest = max(len(lesson.run.source.ids), pieces_of(lesson))
    if longest > MOST_PIECES:
        st.info(
            _(
                "The steps are taken on pairs of at most {most} pieces a side; here are {count}."
            ).format(most=MOST_PIECES, count=longest)
        )
        return
    descent = descend(lesson, recipe)
    if descent.taken < recipe.steps:
        st.caption(
            _(
                "{taken} of {asked} steps: no more fit into {seconds:.0f} seconds of computing."
            ).format(taken=descent.taken, asked=recipe.steps, seconds=SECONDS)
        )
    say(finding(descent, lesson.target or lesson.run.translation.text))
    moves(descent, lesson)
    gradients(descent)
    explain(descent)


def pieces_of(lesson: Lesson) -> int:
    """Return the number of rows of the decoder."""
    return len(learning.example(lesson.sentence, lesson.target, 0.1, True).input_ids)


def choose_recipe(row: DeltaGenerator) -> Recipe:
    """Draw the controls of the descent; return the recipe."""
    steps = row.slider(
        _("Steps"), 1, MOST_STEPS, FIRST_CHOICES["take"], key="take", bind=address.BOUND, width=150
    )
    rate = row.select_slider(_("Rate η"), RATES, 0.1, key="eta", bind=address.BOUND, width=150)
    optimizer = choose_one(_("Step by"), list(OPTIMIZERS), "step_by", default="plain", row=row)
    start = choose_one(_("Start from"), list(STARTS), "start", default="trained", row=row)
    row.button(_("Reset"), icon=":material/restart_alt:", on_click=reset)
    return Recipe(steps, float(rate), OPTIMIZERS[optimizer], STARTS[start])


def reset() -> None:
    """Go back to the first choices; there is nothing else to undo, as only a copy was changed."""
    st.session_state.update(FIRST_CHOICES)
    st.session_state.pop("moment", None)


def descend(lesson: Lesson, recipe: Recipe) -> Descent:
    """Take the steps when other heavy work allows; return a known result at once."""
    asked = lesson.sentence, lesson.target, recipe
    if (known := learning.descent.known(*asked)) is not None:
        return known
    doing = _n(
        "Taking one step on a copy of the model",
        "Taking {count} steps on a copy of the model",
        recipe.steps,
    )
    with heavy(doing.format(count=recipe.steps)):
        return learning.descent(*asked)


def finding(descent: Descent, wanted: str) -> str:
    """Say what the steps did: the loss before and after, and when the translation turned."""
    translations = [moment.translation for moment in descent.moments]
    first, last = descent.moments[0].loss, descent.moments[-1].loss
    turned = translations.index(wanted) if wanted in translations else None
    changed = next(
        (step for step, each in enumerate(translations) if each != translations[0]), None
    )
    if turned:
        template = _(
            "After step {step} it writes what should come out. Loss: {first:.2f} → {last:.2f}."
        )
    elif turned == 0 and changed is None:
        template = _(
            "It writes what should come out from the start. Loss: {first:.2f} → {last:.2f}."
        )
    elif changed is not None:
        template = _(
            "After step {changed} it writes something else. Loss: {first:.2f} → {last:.2f}."
        )
    else:
        template = _("It still writes the same. Loss: {first:.2f} → {last:.2f}.")
    return template.format(step=turned, changed=changed, first=first, last=last)


def moves(descent: Descent, lesson: Lesson) -> None:
    """Draw the loss at every moment, and the translation and one head at the chosen moment."""
    left, right = st.columns([2, 3], gap="large")
    with right:
        moment = st.slider(
            _("Look at the copy after step"), 0, descent.taken, descent.taken, key="moment"
        )
        now = descent.moments[moment]
        before, after = marked(descent.moments[0].translation, now.translation)
        st.caption(_("before"))
        st.html(before)
        st.caption(_("after step {step}").format(step=moment))
        st.html(after)
        wanted = lesson.target or lesson.run.translation.text
        st.caption(_("What should come out: {text}").format(text=_plain(wanted)))
    with left:
        translations = [moment.translation for moment in descent.moments]
        losses = [moment.loss for moment in descent.moments]
        floor = float(learning.floors(np.array([descent.recipe.smoothing]))[0])
        picture(loss_figure(losses, translations, moment, floor, state.current_theme()), "descent")
    heads(descent, moment)


def heads(descent: Descent, moment: int) -> None:
    """Draw the chosen head before the first step and at the chosen moment."""
    config = runs.translator().config
    looks: state.Looks = {kind: descent.attention(kind)[moment] for kind in KINDS}
    view = state.head_controls(config, looks)
    weights = descent.attention(view.kind)[:, view.layer, view.head]
    queries = descent.source_tokens if view.kind == "encoder" else descent.input_tokens
    keys = descent.input_tokens if view.kind == "decoder" else descent.source_tokens
    name = f"{view.kind} {view.layer + 1}.{view.head + 1}"
    titles = (_("{head}, before"), _("{head}, after step {step}"))
    sides = zip(st.columns(2), titles, (0, moment), ("first", "now"), strict=True)
    for column, title, part, key in sides:
        figure = attention_heatmap(
            weights[part],
            queries,
            keys,
            title.format(head=name, step=moment),
            state.current_theme(),
        )
        with column:
            picture(figure, f"{key} head", share=0.5)
    moved = float(np.abs(weights[moment] - weights[0]).sum(axis=-1).mean() / 2)
    st.caption(
        _("On average {share} of a query's weight went to other keys.").format(share=f"{moved:.1%}")
    )


def gradients(descent: Descent) -> None:
    """Draw each block's gradient, with and without residual connections, and its first update."""
    st.markdown(_("**The gradient of every block, before the first step**"))
    theme = state.current_theme()
    figure = gradient_figure(descent.blocks, descent.gradients[0], descent.bare, theme)
    show_below(figure, "gradients-picture", tools=False)
    norm = float(np.sqrt((descent.gradients[0].astype(np.float64) ** 2).sum()))
    before, after = (moment.loss for moment in descent.moments[:2])
    recipe = descent.recipe
    if recipe.optimizer == "plain":
        st.latex(formulas.step(recipe.rate, norm, recipe.clip, before, after))
    else:
        st.latex(formulas.runs_step(recipe.rate, norm, before, after))
    st.markdown(_("**How far the first step moves each block's weights**"))
    figure = update_figure(descent.blocks, descent.updates[0] / descent.weights, theme)
    show_below(figure, "update-picture", tools=False)


def explain(descent: Descent) -> None:
    """Explain the step, the gradients and the simplifications."""
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "A copy of all weights is trained on this one pair; the model that everybody uses "
                "is only read. The loss is the trainer's, with smoothing {smoothing}, and the "
                "gradient is clipped to length {clip:g}, as in its run; dropout is off. A few "
                "steps teach it this pair by heart; what it forgets by that is not measured.\n\n"
                "**Without residual connections** the same weights compute LayerNorm(Sublayer(x)) "
                "instead of LayerNorm(x + Sublayer(x)): in one pass for the orange line, with a "
                "loss of {bare:.2f}. A layer of the decoder then reaches the next one only through "
                "*where* it looks, and layer by layer less of the gradient comes back, down to 0 "
                "in 32-bit numbers. The weights were not learned for this, so it says what the "
                "connections carry here, not how well a model without them could be trained.\n\n"
                "**Muon + AdamW** are the optimizers of the model's own run, here without the "
                "momentum of their past; they need smaller rates (0.001) and half a second a step."
            ).format(
                smoothing=descent.recipe.smoothing, clip=descent.recipe.clip, bare=descent.bare_loss
            )
        )


def _plain(sentence: str) -> str:
    """Escape the characters that a caption would read as markup."""
    return "".join(f"\\{letter}" if letter in "\\[]*_`$:~<>#|!" else letter for letter in sentence)
