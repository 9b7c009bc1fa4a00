"""Through the layers: the architecture to click, a token on its way, and what it all costs."""

import numpy as np
import streamlit as st
from plotly.graph_objects import Figure

from viz.compute import runs
from viz.compute.runs import Run
from viz.pages.layers import numbers
from viz.pages.layers.architecture import SOFTMAX, Block, Stack, architecture
from viz.pages.layers.costs import Sizes, costs
from viz.pages.layers.growth import growth_figure
from viz.pages.layers.lens import lens_figure
from viz.pages.layers.stream import Part, contribution_figure, stream_figure
from viz.pages.layers.tensor import piece_heatmap, tensor_heatmap
from viz.shared.text import _
from viz.shared.theme import KIND_COLOURS
from viz.shared.token_row import token_row
from viz.shared.weights import softmax
from viz.shell import state
from viz.shell.header import open_page

PIECES = 16  # of the vocabulary, for which the output is shown
# Beside the architecture there may be a narrow rest: then the chosen block goes below.
ROOM = "<style>div:has(> .st-key-block) {min-width: 380px}</style>"


def show(figure: Figure, key: str) -> None:
    """Draw a figure in place of the one before."""
    st.plotly_chart(figure, theme=None, config={"displaylogo": False}, key=key)


def pieces_of(ids: np.ndarray) -> list[str]:
    """Name pieces by id."""
    tokenizer = runs.translator().tokenizer
    return [tokenizer.token(int(id_)) for id_ in ids]


def drawing(run: Run) -> Block:
    """Draw the architecture with this sentence's shapes; return the chosen block."""
    config = run.recording.config
    shapes = {site.name: site.shape for site in run.recording.sites()}
    shapes[SOFTMAX] = shapes["decoder.logits"]
    layers: dict[Stack, int] = {"encoder": config.encoder_layers, "decoder": config.decoder_layers}
    return architecture(layers, shapes, "encoder.0.self_attn.out")


def detail(run: Run, chosen: Block) -> None:
    """Show the chosen block's tensor, the length of each token's vector, and what it is for."""
    recording, theme = run.recording, state.current_theme()
    tokens = recording.source_tokens if chosen.site.startswith("enc") else recording.target_tokens
    output = chosen.site in (SOFTMAX, "decoder.logits")
    values = recording.logits if output else recording[chosen.site]
    where, shape = chosen.site.split(".")[:2], " x ".join(map(str, values.shape))
    layer = _(", layer {layer}").format(layer=int(where[1]) + 1) if where[1].isdigit() else ""
    st.subheader(chosen.title, anchor=False)
    st.caption(f"{state.kind_names()[_kind(where[0])]}{layer} · {shape} · `{chosen.site}`")
    st.markdown(chosen.purpose)
    if not output:
        show(tensor_heatmap(values, tokens, theme), "tensor")
        return
    likely = numbers.likely_pieces(values, PIECES)
    odds = chosen.site == SOFTMAX
    shown = (softmax(values.astype(np.float64)) if odds else values)[:, likely]
    st.caption(
        _(
            "{shown} of {all} pieces: those most probable anywhere, by what comes after each token."
        ).format(shown=PIECES, all=values.shape[1])
    )
    show(piece_heatmap(shown, tokens, pieces_of(likely), odds, theme), "tensor")
    if odds:
        st.latex(r"p_i = \frac{e^{s_i}}{\sum_m e^{s_m}},\qquad \sum_i p_i = 1")
    else:
        lengths = numbers.norms(values)
        st.caption(
            _("Length of each token's vector of scores: {low} to {high}.").format(
                low=f"{lengths.min():.1f}", high=f"{lengths.max():.1f}"
            )
        )


def _kind(stack: str) -> Stack:
    return "encoder" if stack == "encoder" else "decoder"


def blocks(run: Run) -> None:
    """Draw the architecture and, beside it or below where there is no room, the chosen block."""
    st.html(ROOM)
    with st.container(horizontal=True, gap="medium"):
        with st.container(width=516):
            chosen = drawing(run)
        with st.container(width="stretch", key="block"):
            detail(run, chosen)


def journey(run: Run) -> None:
    """Move one token's vector through the layers of a stack."""
    st.subheader(_("One token on its way"), anchor=False)
    row = st.container(horizontal=True, gap="large")
    stack = _kind(
        row.segmented_control(
            _("Stack"),
            ["encoder", "decoder"],
            default="decoder",
            required=True,
            key="stack",
            bind="query-params",
        )
    )
    recording = run.recording
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
        bind="query-params",
        width=420,
    )
    tokens = recording.source_tokens if stack == "encoder" else recording.target_tokens
    colour = KIND_COLOURS[stack]
    token = token_row(_("token"), tokens, f"{stack}-token", len(tokens) // 2, colour)
    own = stream[:, token]  # depth D
    theme = state.current_theme()
    show(stream_figure(own, depth, theme), "stream")
    st.caption(describe_depth(own, depth))
    if stack == "decoder":
        lens(own, depth)
    contributions(run, stack, token, depth)


def describe_depth(stream: np.ndarray, depth: int) -> str:
    """Say how similar the vector at a depth is to the one before, the input and the last."""
    cosines = numbers.similarities(stream)[depth]
    length = numbers.norms(stream)[depth]
    before = max(depth - 1, 0)
    return _(
        "At depth {depth} the vector is {length} long. Cosine to the depth before: {before}, "
        "to the input: {first}, to the last: {last}."
    ).format(
        depth=depth,
        length=f"{length:.2f}",
        before=f"{cosines[before]:.2f}",
        first=f"{cosines[0]:.2f}",
        last=f"{cosines[-1]:.2f}",
    )


def contributions(run: Run, stack: Stack, token: int, depth: int) -> None:
    """Show how much attention and feed-forward contribute to the token's vector."""
    recording = run.recording
    config = recording.config
    layers = config.encoder_layers if stack == "encoder" else config.decoder_layers
    found: dict[str, list[float]] = {}
    for layer in range(layers):
        for part in recording.additions(stack, layer):
            share = numbers.contribution(part.before[token], part.added[token])
            found.setdefault(part.sublayer, []).append(share)
    st.markdown(f"**{_('What each sublayer contributes')}**")
    parts = [Part(name, tuple(shares)) for name, shares in found.items()]
    show(contribution_figure(parts, depth, state.current_theme()), "contributions")
    st.caption(
        _(
            "Share of the sublayer in x + sublayer(x), before the norm: its projection on the sum. "
            "The rest, up to 100 %, is carried over by the residual. Below 0: it points against "
            "the sum. It measures size and direction, not importance."
        )
    )


def lens(stream: np.ndarray, depth: int) -> None:
    """Show what the decoder would say if it stopped at each depth."""
    guesses = numbers.logit_lens(stream, runs.parameter("embedding.weight"), 4)
    st.markdown(f"**{_('Logit lens: the next piece, if the network stopped here')}**")
    pieces = [pieces_of(row) for row in guesses.ids]
    show(lens_figure(pieces, guesses.probabilities, depth, state.current_theme()), "lens")
    st.caption(
        _(
            "In this post-norm model each layer ends in a LayerNorm, so the tied output layer is "
            "applied to that norm's output as it is. Only the last layer was trained to be read "
            "so; its row is the model's real prediction."
        )
    )


def price(run: Run) -> None:
    """Count parameters and multiply-adds, and show how a layer's cost grows with n."""
    config, recording = run.recording.config, run.recording
    source, target = len(recording.source_tokens), len(recording.target_tokens)
    sizes = Sizes(
        config.d_model,
        config.d_ff,
        config.vocab_size,
        config.encoder_layers,
        config.decoder_layers,
        source,
        target,
    )
    found = costs(sizes)
    st.subheader(_("What it costs"), anchor=False)
    st.markdown(
        _(
            "This sentence: S = {source} source and T = {target} target pieces; the model: "
            "d = {width}, F = {outer}, V = {vocabulary}. In all **{parameters}** parameters and "
            "**{operations}** multiply-adds for one pass."
        ).format(
            source=source,
            target=target,
            width=config.d_model,
            outer=config.d_ff,
            vocabulary=config.vocab_size,
            parameters=f"{sum(cost.parameters * cost.times for cost in found):,}",
            operations=f"{sum(cost.multiply_adds * cost.times for cost in found):,}",
        )
    )
    st.dataframe(
        {
            _("block"): [cost.block for cost in found],
            _("how many"): [cost.times for cost in found],
            _("parameters each"): [f"{cost.parameters:,}" for cost in found],
            _("multiply-adds each"): [f"{cost.multiply_adds:,}" for cost in found],
            _("as a formula"): [cost.formula for cost in found],
        },
        hide_index=True,
    )
    kernel = st.segmented_control(
        _("Width k of the convolution"),
        ["3", "5", "9"],
        default="3",
        required=True,
        key="kernel",
        bind="query-params",
    )
    show(growth_figure(source, config.d_model, int(kernel), state.current_theme()), "growth")
    st.caption(
        _(
            "As in table 1 of the paper, constants left out, both axes logarithmic. Attention "
            "costs less than recurrence as long as n is below d = {width}, and less than the "
            "convolution as long as n is below k d = {wide:,}."
        ).format(width=config.d_model, wide=int(kernel) * config.d_model)
    )


def explain(run: Run) -> None:
    """Write the formulas of a layer with this model's sizes."""
    config = run.recording.config
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "Every sublayer's output is added to what went in (the residual), then normalised "
                "for each token alone. The feed-forward network sees one token at a time, with the "
                "same weights everywhere: a 1x1 convolution over the positions. The output layer "
                "is tied: its weights are the embedding table E itself."
            )
        )
        st.latex(r"x \leftarrow \text{LayerNorm}\left(x + \text{Sublayer}(x)\right)")
        st.latex(
            rf"\text{{FFN}}(x) = \max(0,\ x W_1 + b_1)\, W_2 + b_2,\quad "
            rf"{config.d_model} \to {config.d_ff} \to {config.d_model}"
        )
        st.latex(
            rf"p = \text{{softmax}}(x E^\top),\quad E: {config.vocab_size} \times {config.d_model}"
        )


run = open_page(
    _("Through the layers"),
    _("Click a block to see what flows out of it; below, follow one token from layer to layer."),
)
# Each part is a fragment: a click redraws its own figures only.
st.fragment(blocks)(run)
st.fragment(journey)(run)
st.fragment(price)(run)
explain(run)
