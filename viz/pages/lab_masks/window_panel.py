"""The view of self-attention in a window: the restricted attention of the paper's table 1."""

from collections.abc import Mapping

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from model.interventions.masks import Window
from model.recording.recording import Recording
from model.results import Run
from model.sites.sites import STACKS, Stack, mask_site
from viz.components.recomputed import recomputed
from viz.compute import effects
from viz.compute.effects import Effect
from viz.effect.effect import current_effect, show_outcome
from viz.figures.figure import show_figure
from viz.figures.labels import Number, kind_names
from viz.language.text import _, _n, capital
from viz.link import edits
from viz.link.choice import choose_one
from viz.pages.lab_masks import windows
from viz.pages.lab_masks.window_figures import sizes_figure, window_heatmap
from viz.shell import state
from viz.shell.below import show_below
from viz.shell.cover import telling
from viz.shell.heavy import shown

SHARE = 0.5  # of the page's width, for each of two pictures

# Where the names would not fit side by side, one picture goes below the other.
ROOM = "<style>div:has(> [class*=st-key-half]) {min-width: min(400px, 100%)}</style>"


def window_panel(run: Run) -> None:
    """Draw the choice of a window for each stack, what it cuts off, saves and breaks."""
    st.container(key="window lead").markdown(
        _(
            "Each query sees only the **r** pieces around it; what lies further away is cut off, "
            "beyond the orange lines. How small can the window be?"
        )
    )
    effect = current_effect()
    counts: dict[Stack, int] = {
        stack: len(_tokens(effect.before.recording, stack)) for stack in STACKS
    }
    row = st.container(horizontal=True, gap="medium", vertical_alignment="bottom")
    for stack, count in counts.items():
        _choose(row, stack, count)
    drawn = _choose_drawn(row, counts)
    show_outcome(effect)
    with telling("effect"):
        st.html(ROOM)
        with st.container(horizontal=True, gap="medium"):
            with st.container(key="half"):
                _cut_off(effect.before.recording, drawn, counts[drawn])
            with st.container(key="half of sizes"):
                _all_sizes(effect, counts)
        _findings(effect, counts)
        _badge(effect, run, counts)
    with st.expander(_("What am I looking at?")):
        _explain()


def _tokens(recording: Recording, stack: Stack) -> list[str]:
    return recording.tokens(stack)[0]


def _key(stack: Stack) -> str:
    return f"window {stack}"


def _choose(row: DeltaGenerator, stack: Stack, pieces: int) -> None:
    """Draw the slider of a stack's window; its last value means no window."""
    options = windows.sizes(pieces)
    now = windows.size_of(edits.interventions(), stack, pieces)
    st.session_state[_key(stack)] = min(options, key=lambda one: (abs(one - now), one))
    row.select_slider(
        _("{stack}: pieces in the window").format(stack=capital(kind_names()[stack])),
        options,
        format_func=lambda size: _("all") if size == options[-1] else str(size),
        key=_key(stack),
        on_change=_take,
        args=(stack, options[-1]),
        width=215,
    )


def _choose_drawn(row: DeltaGenerator, counts: Mapping[Stack, int]) -> Stack:
    """Draw the choice of the stack in the picture, at first a stack with a window."""
    now = edits.interventions()
    cut: list[Stack] = [
        one for one in STACKS if windows.size_of(now, one, counts[one]) < 2 * counts[one] - 1
    ]
    names: dict[Stack, str] = {stack: kind_names()[stack] for stack in STACKS}
    first: Stack = cut[0] if cut else "encoder"
    chosen: Stack = choose_one(
        _("In the picture"), names, "window of", default=first, row=row, link=False
    )
    return chosen


def _take(stack: Stack, whole: int) -> None:
    size = st.session_state[_key(stack)]
    edits.replace(Window, [Window(stack, size)] if size != whole else [], stack=stack)


def _mean(recording: Recording, stack: Stack) -> NDArray[np.float32]:
    return recording.attention(stack).mean(axis=(0, 1))  # n n


def _cut_off(recording: Recording, stack: Stack, pieces: int) -> None:
    """Draw the attention of the unchanged model, and the edges of the window in force."""
    size = windows.size_of(edits.interventions(), stack, pieces)
    title = _("{stack}, no window: mean of all heads").format(stack=capital(kind_names()[stack]))
    tokens = _tokens(recording, stack)
    theme = state.current_theme()
    figure = window_heatmap(_mean(recording, stack), tokens, size, title, theme)
    show_figure(figure, f"window {stack} picture", share=SHARE)


def _all_sizes(effect: Effect, counts: Mapping[Stack, int]) -> None:
    """Measure every size alone, and draw what it saves and breaks."""
    recording, sentence = effect.before.recording, state.sentence()
    options = windows.sizes(max(counts.values()))
    with shown(_("Trying every window")):
        before = float(np.log(effect.likely_before).sum())
        asked: dict[Stack, tuple[Window, ...]] = {
            stack: tuple(Window(stack, size) for size in options) for stack in STACKS
        }
        log_probs: dict[Stack, NDArray[np.float64]] = {
            stack: before + effects.changes_alone(sentence, some) for stack, some in asked.items()
        }
    scored: dict[Stack, list[int]] = {
        stack: [windows.pairs(recording[mask_site(stack)], size) for size in options]
        for stack in STACKS
    }
    now: dict[Stack, int] = {
        stack: windows.size_of(edits.interventions(), stack, count)
        for stack, count in counts.items()
    }
    chosen: dict[Stack, int] = {
        stack: min(range(len(options)), key=lambda place, size=size: abs(options[place] - size))
        for stack, size in now.items()
    }
    names = [*map(str, options[:-1]), _("all")]
    figure = sizes_figure(names, log_probs, scored, chosen, state.current_theme())
    show_below(figure, "window sizes", share=SHARE)
    st.caption(
        _("Above: the unchanged translation with each window alone. Below: pairs in each head.")
    )


def _findings(effect: Effect, counts: Mapping[Stack, int]) -> None:
    """Write what each window saves and cuts off, and what all changes together break."""
    recording, config = effect.before.recording, effect.before.recording.config
    lines: list[str] = []
    for stack, count in counts.items():
        size = windows.size_of(edits.interventions(), stack, count)
        mask, heads = recording[mask_site(stack)], config.layers(stack) * config.heads
        if size >= 2 * count - 1:
            continue
        scored, every = windows.pairs(mask, size), int(mask.sum())
        lines.append(
            _(
                "**{stack}**: {scored} of {every} pairs are scored in each head, {all_scored} "
                "instead of {all_pairs} in all {heads}. Without the window, {share:.0%} of the "
                "attention goes beyond it."
            ).format(
                stack=capital(kind_names()[stack]),
                scored=scored,
                every=every,
                all_scored=f"{scored * heads:,}",
                all_pairs=f"{every * heads:,}",
                heads=heads,
                share=windows.cut_off(recording.attention(stack), size),
            )
        )
    if not lines:
        st.markdown(_("No window is set: every piece sees all that the masks leave it."))
        return
    before, after = effect.log_probs
    lines.append(
        _n(
            "**{count} word** of the translation changes; the log-probability of the one before "
            "goes from {before:.2f} to {after:.2f}, with all that is changed now.",
            "**{count} words** of the translation change; the log-probability of the one before "
            "goes from {before:.2f} to {after:.2f}, with all that is changed now.",
            effect.words_changed,
        ).format(count=effect.words_changed, before=Number(before), after=Number(after))
    )
    st.markdown("  \n".join(lines))


def _badge(effect: Effect, run: Run, counts: Mapping[Stack, int]) -> None:
    """Recompute the first layer of each stack, if only windows are changed."""
    changed = edits.in_force(run.left_out)
    if not changed or not all(isinstance(one, Window) for one in changed):
        return
    errors = [
        windows.largest_error(
            effect.before.recording,
            effect.forced,
            stack,
            windows.size_of(changed, stack, counts[stack]),
        )
        for stack in STACKS
    ]
    recomputed(
        max(errors),
        _(
            "First layers: the scores without a window, those in it kept, and softmax over them; "
            "beside the weights of the model with the window."
        ),
    )


def _explain() -> None:
    st.markdown(
        _(
            "The paper's table 1 has a row *self-attention (restricted)*: a neighbourhood of r "
            "pieces around each position, so that n r pairs are scored instead of n². In the "
            "decoder the half that lies ahead stays hidden by the look-ahead mask. Pieces further "
            "apart can still meet: each layer hands on what its window has seen, so that several "
            "layers reach several windows far. This model learned without a window and is not "
            "trained on here: this does not show how a model trained with a window would do. This "
            "program computes masked scores and throws them away; what is counted is what a "
            "program for windows needs."
        )
    )
    st.latex(r"\text{mask}_{ij} = \Big[\, |i - j| \le \tfrac{r - 1}{2} \,\Big]")
