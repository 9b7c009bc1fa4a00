"""The view "one token": its vector after each layer, and the part that each sublayer adds."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from model.results import Run
from model.sites.sites import Stack, Sublayer
from viz.compute import runs, weights
from viz.figures.cosines import cosines
from viz.figures.figure import show_figure
from viz.figures.labels import Number, written_by
from viz.figures.theme import KIND_COLOURS
from viz.language.text import _
from viz.link import address
from viz.pages.layers import numbers
from viz.pages.layers.lens import lens_figure
from viz.pages.layers.stream import Part, contribution_figure, stream_figure
from viz.shell import state
from viz.shell.finding import quoted, say
from viz.shell.token_choice import choose_stack, choose_token

PALE = 2
"""A row looks pale if the longest vector of the picture is this many times longer."""


def journey(run: Run) -> None:
    """Draw one token's vector through the layers of a stack, its similarities and its parts."""
    row = st.container(horizontal=True, gap="large")
    recording = run.recording
    stack = choose_stack(row, recording.config)
    stream = recording.stream(stack)  # depth n D
    most = len(stream) - 1
    if st.session_state.get("depth", 0) > most:
        st.session_state["depth"] = most
    depth = row.slider(
        _("After how many layers? 0 is what enters the first"),
        0,
        most,
        most,
        key="depth",
        bind=address.BOUND,
        width=420,
    )
    tokens = recording.source_tokens if stack == "encoder" else recording.target_tokens
    colour = KIND_COLOURS[stack]
    token = choose_token(_("token"), tokens, stack, f"{stack}-token", colour)
    own = stream[:, token]  # depth D
    say(finding(own, named(tokens, token, stack)))
    theme = state.current_theme()
    show_figure(stream_figure(own, depth, theme), "stream")
    st.caption(describe_depth(own, depth))
    if stack == "decoder":
        lens(own, depth)
    contributions(run, stack, token, depth)


def named(tokens: Sequence[str], token: int, stack: Stack) -> str:
    """Name a token by its piece, and a row of the decoder by the piece that it writes."""
    if stack == "encoder":
        return quoted(tokens[token])
    return _("the row that writes {piece}").format(piece=quoted(written_by(tokens, token)))


def finding(stream: np.ndarray, token: str) -> str:
    """Say how much of a token, by its name, is left at the end, and where it turned most."""
    alike = cosines(stream)
    steps = np.diagonal(alike, 1)
    sentence = _(
        "What becomes of {token}? The cosine of its last vector to its first is **{last}**. It "
        "turns most in layer **{layer}**: cosine {turned} to the vector before."
    )
    return sentence.format(
        token=token,
        last=f"{Number(alike[0, -1]):.2f}",
        layer=int(steps.argmin()) + 1 if steps.size else 0,
        turned=f"{Number(steps.min(initial=1)):.2f}",
    )


def describe_depth(stream: np.ndarray, depth: int) -> str:
    """Say how similar the vector at a depth is to others; `stream` is (depth, D)."""
    alike = cosines(stream)[depth]
    length = numbers.norms(stream)[depth]
    before = max(depth - 1, 0)
    pale = length < numbers.norms(stream).max() / PALE
    said = (
        _(
            "At depth {depth} the vector is {length} long. Cosine to the depth before: {before}, "
            "to the input: {first}, to the last: {last}."
        )
        if depth
        else _("The input, depth 0, is {length} long. Cosine to the last depth: {last}.")
    )
    return said.format(
        depth=depth,
        length=f"{length:.2f}",
        before=f"{Number(alike[before]):.2f}",
        first=f"{Number(alike[0]):.2f}",
        last=f"{Number(alike[-1]):.2f}",
    ) + (" " + _("All rows have one scale of colours, so a short vector is pale.") if pale else "")


def contributions(run: Run, stack: Stack, token: int, depth: int) -> None:
    """Draw how much each sublayer contributes to the token's vector."""
    recording = run.recording
    config = recording.config
    layers = config.encoder_layers if stack == "encoder" else config.decoder_layers
    shares_of: dict[Sublayer, list[float]] = {}
    for layer in range(layers):
        for part in recording.additions(stack, layer):
            share = numbers.contribution(part.before[token], part.added[token])
            shares_of.setdefault(part.sublayer, []).append(share)
    st.markdown(f"**{_('What each sublayer contributes')}**")
    parts = [Part(name, tuple(shares)) for name, shares in shares_of.items()]
    show_figure(contribution_figure(parts, depth, state.current_theme()), "contributions")
    st.caption(
        _(
            "Share of the sublayer in x + sublayer(x), both without their means, before the norm: "
            "its projection on the sum. "
            "The rest, up to 100%, is carried over by the residual. Below 0: it points against "
            "the sum. It measures size and direction, not importance."
        )
    )


def lens(stream: np.ndarray, depth: int) -> None:
    """Draw the pieces that the decoder would write if it stopped at each depth (depth, D)."""
    guesses = numbers.logit_lens(stream, *weights.output_layer(), 4)
    st.markdown(f"**{_('Logit lens: the next piece, if the network stopped here')}**")
    pieces = [runs.token_names(row) for row in guesses.ids]
    show_figure(lens_figure(pieces, guesses.probabilities, depth, state.current_theme()), "lens")
    st.caption(
        _(
            "In this post-norm model each layer ends in a LayerNorm, so the output layer is "
            "applied to that norm's output as it is. Only the last layer was trained to be read "
            "in this way; its row is the model's real prediction."
        )
    )
