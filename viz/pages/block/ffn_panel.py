"""The view of feed-forward: the units that fire, and the input and output of a unit."""

import numpy as np
import streamlit as st

from model.interventions.blocks import left_out
from model.recording.recording import Recording
from model.results import Run
from viz.components.recomputed import recomputed
from viz.compute import units, weights
from viz.compute.units import Driver
from viz.compute.weights import Vocabulary
from viz.figures.figure import show_figure
from viz.figures.labels import Number
from viz.figures.theme import token_text
from viz.language.formula import in_formula
from viz.language.text import _
from viz.language.wording import escaped, listed
from viz.pages.block.ffn_figures import hidden_figure, matrices_figure
from viz.pages.block.ffn_numbers import FeedForward, ends, silent
from viz.pages.block.place import Place, choose_place, tokens_of
from viz.shell import state
from viz.shell.finding import quoted, say

UNIT = "unit"
AROUND, PIECES, MOST = 4, 8, 10


def ffn_panel(run: Run) -> None:
    """Draw a token's way through a layer's feed-forward network, and one of its units."""
    recording = run.recording
    place = choose_place(recording)
    network = read(recording, place)
    site = f"{place.stack}.{place.layer}.ffn"
    before, hidden = recording[f"{site}.before_relu"], recording[f"{site}.hidden"]  # n F
    strongest = int(before[place.token].argmax())
    unit = _choose_unit(strongest, hidden.shape[1])
    x = recording[_input_site(place)]
    say(finding(hidden[place.token], tokens_of(recording, place.stack)[place.token]))
    with st.container(horizontal=True, gap="small"):
        recomputed(float(np.abs(network.before(x) - before).max()))
        _silent(recording, place, hidden)
        _changes(recording, place, float(network.after(before[place.token])[unit]), unit)
    figure = hidden_figure(
        before[place.token],
        hidden[place.token],
        network.activation,
        unit,
        state.current_theme(),
    )
    show_figure(figure, "hidden", tools=False)
    st.markdown(firing(hidden[place.token]))
    for line in formulas(network, before[place.token], x[place.token], unit):
        st.latex(line)
    left, middle, right = st.columns(3)
    with left:
        _drives(network, place, unit)
    with middle:
        _drivers(place, unit)
    with right:
        _writes(network, place, unit)
    _alike(network, x)
    if st.toggle(_("W₁ and W₂ as matrices"), key="matrices shown"):  # half a megabyte
        theme = state.current_theme()
        show_figure(matrices_figure(network.first, network.second, unit, theme), "matrices")


def read(recording: Recording, place: Place) -> FeedForward:
    """Return the feed-forward network of a layer, in double precision."""
    name = f"{place.stack}.layers.{place.layer}.ffn"
    first, second = (recording.weights.linear(f"{name}.{part}") for part in ("hidden", "out"))
    w1, b1, w2, b2 = (each.astype(np.float64) for each in (*first, *second))
    return FeedForward(w1, b1, w2, b2, recording.config.variant.activation)


def _input_site(place: Place) -> str:
    """Return the site that the feed-forward network reads: the norm after the last attention."""
    number = 1 if place.stack == "encoder" else 2
    return f"{place.stack}.{place.layer}.norm{number}"


def _choose_unit(strongest: int, count: int) -> int:
    """Draw the choice of a unit, at first the token's strongest; return the unit, from 0."""
    row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
    following = row.toggle(_("Follow the strongest unit"), True, key="strongest unit")
    if following:
        st.session_state[UNIT] = strongest + 1
    row.number_input(_("Unit"), 1, count, key=UNIT, width=160, disabled=following)
    return min(int(st.session_state[UNIT]), count) - 1


def finding(hidden: np.ndarray, token: str) -> str:
    """Say how many units fire at a token, by its hidden vector (F,), and which unit fires most."""
    fired, unit = int((hidden > 0).sum()), int(hidden.argmax())
    asked = _("Which units fire at {token}?").format(token=quoted(token))
    if not fired:
        return f"{asked} " + _("**None** of {count}.").format(count=f"{len(hidden):,}")
    sentence = _("**{fired} of {count}**, unit {unit} most ({value}).")
    return f"{asked} " + sentence.format(
        fired=fired, count=f"{len(hidden):,}", unit=unit + 1, value=f"{hidden[unit]:.2f}"
    )


def firing(hidden: np.ndarray) -> str:
    """Say which units fire most at a token: the largest above zero in its hidden vector (F,).

    Without ReLU, units below zero add something too.
    """
    order = [int(unit) for unit in np.argsort(-hidden, kind="stable")[:MOST] if hidden[unit] > 0]
    if not order and hidden.any():
        return _("No unit fires at this token.")
    if not order:
        return _("No unit fires at this token: what the network adds is its bias b₂ alone.")
    units = listed(f"**{unit + 1}** ({hidden[unit]:.2f})" for unit in order)
    return _("Units that fire most, with their numbers: {units}").format(units=units)


def _changes(recording: Recording, place: Place, after: float, unit: int) -> None:
    """Draw badges for a network that is left out, and for a unit whose value is not `after`."""
    site = f"{place.stack}.{place.layer}.ffn"
    if f"{site}.out" in left_out(recording.interventions):
        label = _("the sublayer is left out")
        st.badge(label, color="orange", icon=":material/science:")
    used = float(recording[f"{site}.hidden"][place.token, unit])
    if not np.isclose(used, after, atol=1e-3):
        label = _("a change of the model makes unit {unit} {value}")
        label = label.format(unit=unit + 1, value=f"{Number(used):.2f}")
        st.badge(label, color="orange", icon=":material/science:")


def _silent(recording: Recording, place: Place, hidden: np.ndarray) -> None:
    """Draw a badge with the tokens at which no unit fires, if there are any."""
    if quiet := silent(hidden):
        tokens = tokens_of(recording, place.stack)
        names = listed(escaped(token_text(tokens[at])) for at in quiet[:12])
        st.badge(_("nothing fires at: {tokens}").format(tokens=names), color="orange")


def formulas(network: FeedForward, before: np.ndarray, x: np.ndarray, unit: int) -> tuple[str, ...]:
    """Write the computation of one unit at this token, in LaTeX."""
    width, outer = network.first.shape
    value = float(before[unit])
    after = float(network.after(before[unit : unit + 1])[0])
    terms = x * network.first[:, unit]
    first = " ".join(f"{term:+.2f}" for term in terms[:3])
    functions = {"relu": r"\max(0, h)", "none": "h"}
    name = functions.get(network.activation, rf"\text{{{network.activation}}}(h)")
    at = unit + 1
    return (
        rf"h_{{{at}}} = \sum_{{i=1}}^{{{width}}} x_i\,W_{{1;i,{at}}} + b_{{1;{at}}}"
        rf" = ({first} + \dots) {network.first_bias[unit]:+.2f} = {value:.2f}",
        rf"{name} = \mathbf{{{after:.2f}}}",
        rf"\text{{out}} = \sum_{{u=1}}^{{{outer}}} h_u\,W_{{2;u}} + b_2",
        rf"{in_formula(_('this unit adds'))}\ {after:.2f} \cdot W_{{2;{unit + 1}}},\ "
        rf"\lVert\cdot\rVert = {abs(after) * float(np.linalg.norm(network.second[unit])):.2f}",
    )


def _pieces(values: np.ndarray, vocabulary: Vocabulary, title: str, note: str) -> None:
    """List the pieces with the largest and with the smallest values."""
    high, low = ends(values, PIECES, vocabulary.mute)

    def listed(ids: list[int]) -> str:
        return " ".join(f"`{token_text(vocabulary.tokens[id_]).replace('`', '')}`" for id_ in ids)

    st.markdown(f"**{title}**")
    st.markdown(_("most: {pieces}").format(pieces=listed(high)))
    st.markdown(_("least: {pieces}").format(pieces=listed(low)))
    st.caption(note)


def _drives(network: FeedForward, place: Place, unit: int) -> None:
    """List the pieces whose embeddings point most, and least, along the unit's column of W1."""
    read = weights.vocabulary("source" if place.stack == "encoder" else "target")
    values = read.units @ network.first[:, unit].astype(np.float32)
    note = _("Embedding times the unit's column of W₁. It reads a vector that is more than that.")
    _pieces(values, read, _("Pieces that drive it"), note)


def _writes(network: FeedForward, place: Place, unit: int) -> None:
    """List the pieces along whose embeddings the unit's row of W2 points most, and least."""
    scored = weights.vocabulary("source" if place.stack == "encoder" else "output")
    values = scored.embedding @ network.second[unit].astype(np.float32)
    note = (
        _(
            "The unit's row of W₂ times the embedding: the pieces that it points to. A whole "
            "decoder comes after it, and reads it in its own way."
        )
        if place.stack == "encoder"
        else _("The unit's row of W₂ times the embedding: what it says if nothing came after.")
    )
    _pieces(values, scored, _("What it writes"), note)


def _drivers(place: Place, unit: int) -> None:
    """List the tokens of many sentences at which the unit was largest, if it was measured."""
    measured = units.measured(place.stack, place.layer, unit)
    if measured is None:
        st.markdown(_("**Tokens that drive it**"))
        st.caption(_("Not measured for these weights: `python -m model.training.units` does it."))
        return
    title = _("**Tokens that drive it**, of {count:,} sentences")
    st.markdown(title.format(count=measured.sentences))
    # Sentences that begin alike drive a unit alike, so each beginning is listed once.
    values: dict[str, list[float]] = {}
    for driver in measured.drivers:
        values.setdefault(_in_sentence(driver), []).append(driver.value)
    for words, alike in values.items():
        often = _("(in {count} sentences)").format(count=len(alike)) if len(alike) > 1 else ""
        st.markdown(f"{Number(max(alike)):.2f} · {words} {often}")
    if not measured.drivers:
        st.markdown(_("It never fired."))
    st.caption(_("Fires at {share:.2%} of their tokens.").format(share=measured.fires))


def _in_sentence(driver: Driver) -> str:
    """Return a token in bold among its neighbours, in Markdown."""

    def text(tokens: tuple[str, ...]) -> str:
        return escaped("".join(tokens).replace("▁", " "))

    start = max(0, driver.place - AROUND)
    before = text(driver.tokens[start : driver.place])
    after = text(driver.tokens[driver.place + 1 : driver.place + 1 + AROUND])
    word = escaped(token_text(driver.tokens[driver.place]))
    return f"{before.strip()} **:orange-background[{word}]** {after.strip()}"


def _alike(network: FeedForward, x: np.ndarray) -> None:
    """Show by computing that the network is the same at every position."""
    together = network(x)
    alone = np.stack([network(row) for row in x])
    slid = network.as_convolution(x)
    st.markdown(
        _(
            "**The same at every position, like a 1 × 1 convolution.** Computed for all {count} "
            "tokens at once, for each token alone, and as two convolutions of width 1 that slide "
            "over the sentence: the largest difference is {alone} and {slid}."
        ).format(
            count=len(x),
            alone=_difference(together - alone),
            slid=_difference(together - slid),
        )
    )


def _difference(differences: np.ndarray) -> str:
    largest = float(np.abs(differences).max())
    return f"{Number(largest):.0e}" if largest else "0"
