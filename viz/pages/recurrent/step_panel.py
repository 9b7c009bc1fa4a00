"""One step of a recurrent decoder in numbers."""

import re

import numpy as np
import streamlit as st

from model.recording.recording import Recording
from model.recurrent.config import FIXED, LONG, LOOK_FIRST, Attending
from model.results import Run
from viz.components.recomputed import recomputed
from viz.compute import ancestors
from viz.figures.figure import show_figure
from viz.figures.labels import Number, token_label
from viz.figures.theme import token_text
from viz.figures.weights import softmax
from viz.language.formula import in_formula
from viz.language.text import _
from viz.link import address
from viz.pages.recurrent.controls import choose_kind, choose_step
from viz.pages.recurrent.figures import score_bars, strips
from viz.pages.recurrent.numbers import (
    ADDITIVE,
    RecurrentStep,
    asking,
    largest_difference,
    recomputed_step,
    recorded_step,
)
from viz.pages.recurrent.words import SCORES, gate_name
from viz.shell import state
from viz.shell.finding import quoted, say
from viz.shell.folded import opened
from viz.shell.model_names import kind_name

SWAPPED: tuple[Attending, ...] = ("dot", "general", "additive")


def step(run: Run) -> None:
    """Draw one step: gates, scores, weights, context, and the next piece."""
    kind = choose_kind(_("Score function"), "score", without=FIXED)
    recording = ancestors.looked(kind, run.source.text).recording
    t = choose_step(_("the piece that is read: t"), recording.target_tokens, kind)
    recorded = recorded_step(recording, t)
    again = recomputed_step(recording, t, lambda name: ancestors.weight(kind, name))
    recomputed(largest_difference(recorded, again))
    say(finding(kind, recording, t))
    theme = state.current_theme()
    show_figure(strips(_strips(recorded, t), theme), "vectors of the step")
    _formulas(kind, recording, recorded, t)
    _bars(kind, recording, t)
    _keys(recording, recorded)
    _outcome(kind, recording, t)


def _strips(recorded: RecurrentStep, t: int) -> dict[str, np.ndarray]:
    return {
        _("s_{t} before").format(t=t): recorded.before,
        **{gate_name(name): values for name, values in recorded.gates.items()},
        _("s_{t} after").format(t=t + 1): recorded.state,
        _("context c"): recorded.context,
    }


def _formulas(kind: Attending, recording: Recording, recorded: RecurrentStep, t: int) -> None:
    """Write the formulas of the step, with the numbers of the strongest key."""
    j = int(recorded.weights.argmax())
    _say_order(recording)
    mean = {name: f"{values.mean():.2f}" for name, values in recorded.gates.items()}
    if recording.made_by.kind in LONG:
        st.latex(
            r"m_t = f \odot m_{t-1} + i \odot n,\ s_t = o \odot \tanh(m_t),\quad "
            rf"t = {t + 1},\ \bar f = {mean['forget_gate']},\ \bar i = {mean['input_gate']},\ "
            rf"\bar o = {mean['output_gate']}"
        )
    else:
        st.latex(
            r"s_t = z \odot s_{t-1} + (1 - z) \odot n,\quad "
            rf"t = {t + 1},\ \bar z = {mean['update']},\ \bar r = {mean['reset']}"
        )
    st.latex(
        rf"{SCORES[kind]},\quad e_{{{t + 1},{j + 1}}} = {_products(kind, recording, recorded, j)}"
    )
    shown = rf"\alpha_{{{t + 1},{j + 1}}} = "
    if kind == "local-p":
        bell = recording["decoder.0.cross_attn.gaussian"][0, t, j]
        near = recording["decoder.0.cross_attn.gaussian"][0, t] > 0
        share = softmax(np.where(near, recorded.scores, -np.inf))[j]
        names = in_formula(_("softmax in the window")), in_formula(_("bell"))
        terms = rf"{names[0]} \cdot {names[1]} = {share:.2f} \cdot {bell:.2f}"
    else:
        powers = np.exp(recorded.scores - recorded.scores.max())
        terms = rf"\frac{{{powers[j]:.2f}}}{{{powers.sum():.2f}}}"
    st.latex(shown + terms + rf" = {recorded.weights[j]:.2f},\quad c_t = \sum_j \alpha_{{tj}} h_j")


def _say_order(recording: Recording) -> None:
    if recording.made_by.kind in LOOK_FIRST:
        st.markdown(
            _(
                "**Look, then step** (Bahdanau et al. 2015): the state before the step asks, and "
                "the GRU reads the piece and the context it found, [x; c]."
            )
        )
    else:
        st.markdown(
            _(
                "**Step, then look** (Luong et al. 2015): a step reads the piece alone, and the "
                "state after it asks."
            )
        )


def _products(kind: Attending, recording: Recording, recorded: RecurrentStep, j: int) -> str:
    """Write the first products of the score of key j, from 0, and the score."""
    h, width = recording["encoder.memory"][j], len(recorded.state)
    if kind in ADDITIVE:
        asks = recorded.before if recording.made_by.kind in LOOK_FIRST else recorded.state
        query = ancestors.weight(kind, "decoder.attention.query.weight") @ asks
        key = ancestors.weight(kind, "decoder.attention.key.weight") @ h
        left, right = ancestors.weight(kind, "decoder.attention.v"), np.tanh(query + key)
        divisor, under = 1.0, ""
    else:
        matrix = kind != "dot"
        left = recorded.state
        right = ancestors.weight(kind, "decoder.attention.key.weight") @ h if matrix else h
        divisor, under = float(np.sqrt(width)), rf" / \sqrt{{{width}}}"
    terms = " + ".join(rf"{a:.2f} \cdot {b:.2f}" for a, b in zip(left[:2], right[:2], strict=True))
    terms = re.sub(r"\\cdot (-[\d.]+)", r"\\cdot (\1)", terms.replace("+ -", "- "))
    return rf"({terms} + \dots){under} = {float(left @ right) / divisor:.2f}"


def _bars(kind: Attending, recording: Recording, t: int) -> None:
    """Draw the weights; on demand, also the weights of other score functions on the same states."""
    swapped = st.toggle(
        _("What if another function scored the same states?"), key="swap", bind=address.BOUND
    )
    named = {kind_name(kind): recording.attention("cross")[0, 0, t]}
    if swapped:
        states, memory = asking(recording), recording["encoder.memory"]
        for other in _others(kind):
            named[kind_name(other)] = softmax(ancestors.scores_by(other, states, memory)[t])
    figure = score_bars(named, recording.source_tokens, state.current_theme())
    show_figure(figure, "weights of the step")
    if swapped:
        st.caption(
            _(
                "The states are those of the {kind} model; the other functions were trained with "
                "states of their own. States and function fit only together: only dot has no "
                "weights of its own."
            ).format(kind=kind_name(kind))
        )


def _keys(recording: Recording, recorded: RecurrentStep) -> None:
    """Draw a closed box with all h_j, and their scores and weights at this step."""
    box = opened(_("Every h_j, its score and its weight"), "keys")
    if box is None:
        return
    with box:
        rows = zip(recording.source_tokens, recorded.scores, recorded.weights, strict=True)
        names = [
            _("h_{j} {piece}: score {score}, weight {weight}").format(
                j=j, piece=token_label(piece), score=f"{Number(score):.2f}", weight=f"{weight:.2f}"
            )
            for j, (piece, score, weight) in enumerate(rows, start=1)
        ]
        states = dict(zip(names, recording["encoder.memory"], strict=True))
        show_figure(strips(states, state.current_theme()), "keys of the step")
        st.caption(
            _(
                "Left half: the state of the network that reads forwards; right half: of the one "
                "that reads backwards. The context c is the sum of the rows, each times its weight."
            )
        )


def _others(kind: Attending) -> list[Attending]:
    return [other for other in SWAPPED if other != kind and other in ancestors.shipped()]


def _outcome(kind: Attending, recording: Recording, t: int) -> None:
    """Write the most probable next pieces of step t, from 0."""
    st.text(
        _("Next piece: ")
        + "   ".join(
            f"{token_text(piece)} {chance:.1%}" for piece, chance in _likeliest(kind, recording, t)
        )
    )


def _likeliest(kind: Attending, recording: Recording, t: int) -> list[tuple[str, float]]:
    """Return the most probable next pieces of step t, with their probabilities."""
    chances = softmax(recording.logits[t].astype(np.float64))
    best = np.argsort(-chances)[:5].tolist()
    pieces = ancestors.recurrent(kind).tokenizer.tokens(best)
    return [(piece, float(chances[id_])) for piece, id_ in zip(pieces, best, strict=True)]


def finding(kind: Attending, recording: Recording, t: int) -> str:
    """Say what step t, from 0, looks at most, and what is likeliest to be written."""
    weights = recording.attention("cross")[0, 0, t]
    key, (piece, chance) = int(weights.argmax()), _likeliest(kind, recording, t)[0]
    return _(
        "What does one step do? After {read} it looks most at {key} (**{weight}**), and {piece} is "
        "likeliest next: **{chance}**."
    ).format(
        read=quoted(recording.target_tokens[t]),
        key=quoted(recording.source_tokens[key]),
        weight=f"{weights[key]:.2f}",
        piece=quoted(piece),
        chance=f"{chance:.1%}",
    )
