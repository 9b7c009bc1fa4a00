"""The view of add & norm: x, sublayer(x), their sum, its mean and variance, gain and bias."""

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from model.interventions.blocks import left_out
from model.interventions.masks import PadSource
from model.recording.recording import Recording
from model.results import Run
from model.sites.sites import SUBLAYERS, Stack, Sublayer
from viz.components.recomputed import recomputed
from viz.compute import runs
from viz.figures.figure import show_figure
from viz.figures.labels import sublayer_names
from viz.language.text import _
from viz.link import edits, focus
from viz.link.choice import choose_one
from viz.pages.block.add_norm import Row, draw_sum, first_drawn, rows_of
from viz.pages.block.norm_figures import axes_figure, spread_figure
from viz.pages.block.norm_numbers import AddNorm, Means, add_norm, half_width, means
from viz.pages.block.place import Place, choose_place, place_row, tokens_of
from viz.shell import state
from viz.shell.below import show_below
from viz.shell.finding import quoted, say

PADDING = 8
SAME = 1e-4
"""A smaller difference of two means is rounding."""

_DIMENSION = "norm dimension"


def norm_panel(run: Run) -> None:
    """Draw the way of one token through the end of a sublayer."""
    recording = run.recording
    above = st.container()
    parts = st.container(key="norm parts")
    with parts:
        row = place_row()
    with above:
        place = choose_place(recording, row, lambda stack: _widest(stack)[0])
    names: dict[Sublayer, str] = {
        known: sublayer_names()[known] for known in SUBLAYERS[place.stack]
    }
    first = None if focus.current().names_head else _widest(place.stack)[1]
    sublayer: Sublayer = choose_one(
        _("Sublayer"), names, "sublayer", default=first, row=row, link=False
    )
    shown, output = _computed(recording, place, sublayer)
    with above:
        kept = _keeps_norm(recording, place, sublayer)
        say(finding(shown, tokens_of(recording, place.stack)[place.token], kept))
        _changes(recording, place, sublayer)
    name = _("{sublayer}(x)").format(sublayer=sublayer_names()[sublayer])
    with parts.container():
        rows = rows_of(shown, name, _residual(recording, place, sublayer))
        at = _dimension(rows, (place, sublayer))
        draw_sum(rows, at, partial(_choose_dimension, (place, sublayer)))
    with parts.container():
        show_figure(spread_figure(shown, state.current_theme()), "spread", tools=False, share=0.53)
    recomputed(float(np.abs((shown.out if kept else shown.total) - output).max()))
    if (
        first
        and not recording.interventions
        and (place.layer, sublayer, place.token) == _widest(place.stack)
    ):
        st.caption(
            _(
                "The page opens at the widest sum of this token: two thirds of its numbers lie "
                "within ±{half} of their mean."
            ).format(half=f"{half_width(shown.total):.2f}")
        )
    for line in formulas(shown, at):
        st.latex(line)
    _two_axes(run, place, SUBLAYERS[place.stack].index(sublayer) + 1, at)


End = tuple[Place, Sublayer]
"""The end of a sublayer at one token."""


def _dimension(rows: list[Row], end: End) -> int:
    """Return the dimension, from 0, that is worked out: the last pressed, or the first drawn."""
    held: tuple[End, int] | None = st.session_state.get(_DIMENSION)
    return held[1] if held and held[0] == end else first_drawn(rows)


def _choose_dimension(end: End, at: int) -> None:
    """Keep the dimension that is to be worked out; call it in a callback."""
    st.session_state[_DIMENSION] = end, at


def _widest(stack: Stack) -> tuple[int, Sublayer, int]:
    """Find the layer, from 0, and the sublayer with the widest sum, where the norm does most.

    The sum is that of the token at which the sentence opens, in the unchanged model. The number of
    this token comes last.
    """
    recording, opening = runs.run(state.sentence()).recording, focus.opening()
    token = opening.word if stack == "encoder" else opening.step
    ends: list[tuple[int, Sublayer, np.ndarray]] = [
        (layer, sublayer, recording[f"{stack}.{layer}.sum{number}"][token])
        for layer in range(recording.config.layers(stack))
        for number, sublayer in enumerate(SUBLAYERS[stack], start=1)
    ]
    layer, sublayer, _sum = max(ends, key=lambda end: half_width(end[2]))
    return layer, sublayer, token


def finding(shown: AddNorm, token: str, kept: bool = True) -> str:
    """Say how widely a token's numbers spread before and after the norm, if the norm is `kept`."""
    if not kept:
        return _(
            "The {count} numbers of {token} have σ **{before}** and keep it: the norm is left out."  # noqa: RUF001
        ).format(count=len(shown.total), token=quoted(token), before=f"{shown.total.std():.2f}")
    return _(
        "What does the norm at the end do? The {count} numbers of {token} have σ "  # noqa: RUF001
        "**{before}**; it makes σ **{after}**, before γ and β."  # noqa: RUF001
    ).format(
        count=len(shown.total),
        token=quoted(token),
        before=f"{shown.total.std():.2f}",
        after=f"{shown.normed.std():.2f}",
    )


def _keeps_norm(recording: Recording, place: Place, sublayer: Sublayer) -> bool:
    """Return True if the norm at this end is not left out."""
    number = SUBLAYERS[place.stack].index(sublayer) + 1
    return f"{place.stack}.{place.layer}.norm{number}" not in left_out(recording.interventions)


def _residual(recording: Recording, place: Place, sublayer: Sublayer) -> bool:
    """Return True if x is added at this end: the residual is not left out."""
    number = SUBLAYERS[place.stack].index(sublayer) + 1
    return f"{place.stack}.{place.layer}.sum{number}" not in left_out(recording.interventions)


def _computed(recording: Recording, place: Place, sublayer: Sublayer) -> tuple[AddNorm, np.ndarray]:
    """Compute the end of a sublayer for a token; return it and the model's own output (D,)."""
    number = SUBLAYERS[place.stack].index(sublayer) + 1
    addition = recording.additions(place.stack, place.layer)[number - 1]
    weight = f"{place.stack}.layers.{place.layer}.norm{number}"
    gain, bias = recording.weights[f"{weight}.weight"], recording.weights[f"{weight}.bias"]
    shown = add_norm(
        addition.before[place.token],
        addition.added[place.token],
        gain,
        bias,
        _residual(recording, place, sublayer),
    )
    output = recording[f"{place.stack}.{place.layer}.norm{number}"][place.token]
    return shown, output


def _changes(recording: Recording, place: Place, sublayer: Sublayer) -> None:
    """Draw badges for the parts of this end that are left out in the model."""
    number = SUBLAYERS[place.stack].index(sublayer) + 1
    words = {
        f"{sublayer}.out": _("the sublayer is left out"),
        f"sum{number}": _("the residual is left out"),
        f"norm{number}": _("the norm is left out: in the model, out = s"),
    }
    gone = left_out(recording.interventions)
    for name, label in words.items():
        if f"{place.stack}.{place.layer}.{name}" in gone:
            st.badge(label, color="orange", icon=":material/science:")


def formulas(shown: AddNorm, at: int) -> tuple[str, ...]:
    """Write the steps of the token, and of its number `at`, from 0, in LaTeX."""
    width, i = len(shown.x), at + 1
    x, added, total = shown.x[at], shown.added[at], shown.total[at]
    normed, gain, bias, out = shown.normed[at], shown.gain[at], shown.bias[at], shown.out[at]
    sum_digits = _agreeing(lambda d: round(x, d) + round(added, d), total)
    out_digits = _agreeing(lambda d: round(gain, d) * round(normed, d) + round(bias, d), out)
    summed = (
        rf"s = x + \text{{Sublayer}}(x),\quad s_{{{i}}} = {_n(x, sum_digits)} "
        rf"{_signed(added, sum_digits)} = {_n(total, sum_digits)}"
    )
    if np.array_equal(shown.total, shown.added):  # the residual is left out
        summed = rf"s = \text{{Sublayer}}(x),\quad s_{{{i}}} = {_n(total)}"
    return (
        summed,
        rf"\bar s = \frac{{1}}{{{width}}}\sum_{{i=1}}^{{{width}}} s_i = {_n(shown.mean, 4)},\qquad "
        rf"\sigma^2 = \frac{{1}}{{{width}}}\sum_i (s_i - \bar s)^2 = {_n(shown.variance, 4)}",
        rf"\hat s_{{{i}}} = \frac{{s_{{{i}}} - \bar s}}{{\sqrt{{\sigma^2 + 10^{{-5}}}}}} = "
        rf"\frac{{{_n(total, 4)} {_signed(-shown.mean, 4)}}}{{{_n(shown.deviation, 4)}}}"
        rf" = {_n(normed, 4)}",
        rf"y_{{{i}}} = \gamma_{{{i}}} \hat s_{{{i}}} + \beta_{{{i}}} = "
        rf"{_n(gain, out_digits)} \cdot {_bracketed(normed, out_digits)} "
        rf"{_signed(bias, out_digits)} = \mathbf{{{_n(out, out_digits)}}}",
    )


def _agreeing(computed: Callable[[int], float], result: float) -> int:
    """Return the fewest decimals, from 2 to 6, with which the written numbers give the result."""
    fits = (d for d in range(2, 6) if round(computed(d), d) == round(result, d))
    return next(fits, 6)


def _n(value: float, digits: int = 2) -> str:
    written = f"{value:.{digits}f}"
    return written.removeprefix("-") if float(written) == 0 else written


def _signed(value: float, digits: int = 2) -> str:
    number = _n(value, digits)
    return number.replace("-", "- ") if number.startswith("-") else f"+ {number}"


def _bracketed(value: float, digits: int) -> str:
    number = _n(value, digits)
    return f"({number})" if number.startswith("-") else number


def _two_axes(run: Run, place: Place, number: int, dimension: int) -> None:
    """Draw LayerNorm's mean beside the mean that BatchNorm would take."""
    st.subheader(_("Why LayerNorm and not BatchNorm"), anchor=False)
    recording, site = run.recording, f"{place.stack}.{place.layer}.sum{number}"
    sums = recording[site]
    padded = None
    if place.stack == "encoder":
        longer = min(len(run.source.ids) + PADDING, runs.translator().max_tokens)
        wider = runs.run(state.sentence(), (*edits.interventions(), PadSource(longer)))
        padded = wider.recording[site]
    averages = means(sums, place.token, dimension, padded)
    st.markdown(_words(averages, dimension + 1))
    tokens = tokens_of(recording, place.stack)
    figure = axes_figure(sums, tokens, place.token, dimension, state.current_theme())
    show_below(figure, "axes", tools=False)


def _words(averages: Means, dimension: int) -> str:
    sentence = _(
        "LayerNorm takes the mean along a row (blue): over one token's numbers, {row}. BatchNorm "
        "would take it along a column (orange): over all tokens, and all sentences of a batch. In "
        "dimension {dimension} that is {column} here, {half} over the first half of the tokens: "
        "it depends on the length"
    ).format(
        row=_said(averages.of_token),
        dimension=dimension,
        column=_said(averages.of_dimension),
        half=_said(averages.half),
    )
    if averages.padded is None or averages.token_padded is None:
        return sentence + _(", and while a sentence is written, each new piece would change it.")
    stays = abs(averages.token_padded - averages.of_token) < SAME
    behind = (
        _(
            ". With {count} pieces of padding behind, the column's mean becomes {padded}, this "
            "token's stays {token}."
        )
        if stays
        else _(
            ". With {count} pieces of padding behind, the column's mean becomes {padded}, this "
            "token's {token}: padding is not hidden from it here."
        )
    )
    return sentence + behind.format(
        count=PADDING,
        padded=_said(averages.padded),
        token=_said(averages.of_token if stays else averages.token_padded),
    )


def _said(value: float) -> str:
    """Write a number for running text, with a true minus sign, which formulas set themselves."""
    return _n(value, 4).replace("-", "\u2212")
