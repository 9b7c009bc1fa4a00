"""The architecture, to click on: the encoder left, the decoder right, the memory in between."""

import base64
from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from model.results import Run
from model.sites.sites import Kind, Stack
from viz.components import message
from viz.components.answer import refuse
from viz.components.component import palette, renderer
from viz.components.miniatures import miniatures
from viz.figures.theme import KIND_COLOURS, Theme, token_text
from viz.language.text import _, capital
from viz.link import address
from viz.pages.layers.architecture.blocks import SOFTMAX, Block, block, purpose
from viz.pages.layers.architecture.layout import (
    FLOW,
    LEFT,
    NAME,
    PICTURES,
    TOTAL_WIDTH,
    WIDTH,
    Box,
    Drawing,
    draw,
)
from viz.pages.layers.architecture.tensors import Tensor, tensor_of

_MAIN = Path(__file__).parent / "assets" / "architecture.js"
_KEY, _PARAMETER, _OPEN, _CHOSEN = "architecture", "block", "open layer", "chosen block"

Shapes = Mapping[str, tuple[int, ...]]


def architecture(run: Run, default: str, theme: Theme) -> Block:
    """Draw the architecture of a run, and what the chosen block hands on; return that block.

    The link holds the chosen site as `block`; a site without a shape means the `default`. Without a
    site in the link, the last choice stays as long as the default is the same.
    """
    shapes = {site.name: site.shape for site in run.recording.sites()}
    shapes[SOFTMAX] = shapes["decoder.logits"]

    def choose() -> None:
        site = st.session_state[_KEY].site
        if not isinstance(site, str) or site not in shapes:
            return refuse()
        address.put({_PARAMETER: site})

    chosen = _chosen(shapes, default)
    if chosen.layer is not None:
        st.session_state[_OPEN] = chosen.layer
    data = _data(run, chosen.site, int(st.session_state.get(_OPEN, 0)), shapes, theme)
    renderer("architecture", _MAIN)(key=_KEY, data=data, on_site_change=choose)
    return chosen


def _data(run: Run, chosen: str, opened: int, shapes: Shapes, theme: Theme) -> dict[str, object]:
    """Return the drawing with layer `opened`, from 0, and the outputs of its boxes."""
    recording = run.recording
    layers: dict[Stack, int] = {
        "encoder": recording.config.encoder_layers,
        "decoder": recording.config.decoder_layers,
    }
    drawing = draw(layers, min(opened, max(layers.values()) - 1))
    words = {
        "encoder": _("Encoder, layer {layer} of {count}"),
        "decoder": _("Decoder, layer {layer} of {count}"),
    }
    tensors = {_site(box): tensor_of(recording, _site(box)) for box in drawing.boxes}
    arrays = {site: tensor.levels for site, tensor in tensors.items()}
    return {
        "width": TOTAL_WIDTH,
        "height": drawing.height,
        "wordLines": drawing.words,
        "boxWidth": WIDTH,
        "left": LEFT,
        "name": NAME,
        "flow": FLOW,
        "pictureHeight": PICTURES,
        "chosen": chosen,
        "boxes": [_box(box, shapes, tensors[_site(box)], run) for box in drawing.boxes],
        "lines": [[line.kind, line.path] for line in drawing.lines],
        "frames": [
            [stack, y, height, words[stack].format(layer=at + 1, count=layers[stack])]
            for stack, at, y, height in drawing.frames
        ],
        "heads": _heads(run, drawing, theme),
        "colours": KIND_COLOURS,
        "palette": palette(),
        "tokens": {
            "encoder": [token_text(token) for token in recording.source_tokens],
            "decoder": [token_text(token) for token in recording.target_tokens],
        },
        "ends": {
            "encoder": [run.source.text, ""],
            "decoder": [_read(recording.target_tokens), run.translation.text],
        },
        "words": _words(),
        "tensors": base64.b64encode(message.pack({}, arrays, deflate=True)).decode(),
    }


def _read(tokens: list[str]) -> str:
    """Return what the decoder reads as a text: the begin token, and what was written so far."""
    return "".join(tokens).replace("\u2581", " ")


def _words() -> dict[str, str]:
    return {
        "label": _("The architecture: click a block"),
        "play": _("Play"),
        "pause": _("Pause"),
        "layers": _("layers"),
        "dimension": _("{count} numbers of each piece"),
        "some": _("1 of {step} drawn"),
        "pieces": _("Drawn: the likeliest of {count} pieces."),
        "reading": _("{row}, number {column}: {value}"),
        "code": _("in code, from 0:"),
    }


def _heads(run: Run, drawing: Drawing, theme: Theme) -> dict[str, object]:
    """Return one image of the open layer's heads for each kind of attention, and their count."""
    kinds: tuple[tuple[Kind, Stack, str], ...] = (
        ("encoder", "encoder", "self_attn"),
        ("decoder", "decoder", "self_attn"),
        ("cross", "decoder", "cross_attn"),
    )
    opened = {stack: layer for stack, layer, _y, _height in drawing.frames}
    pictures: dict[str, object] = {}
    for kind, stack, part in kinds:
        weights = run.recording.attention(kind)[opened[stack]][None]
        site = f"{stack}.{opened[stack]}.{part}.out"
        pictures[site] = [weights.shape[1], miniatures({kind: weights}, theme.sequential)[kind]]
    return pictures


def _chosen(shapes: Shapes, default: str) -> Block:
    """Return the block of the link, else the last chosen block, else the default."""
    known: dict[str, str] = st.session_state.get(_CHOSEN, {})
    site = address.parameters().get(_PARAMETER) or known.get(default, default)
    try:
        chosen = block(site if site in shapes else default)
    except ValueError:
        chosen = block(default)
    st.session_state[_CHOSEN] = {default: chosen.site}
    if chosen.site != default:
        address.put({_PARAMETER: chosen.site})
    return chosen


def _site(box: Box) -> str:
    """Return the site of a box; a closed layer stands for its output."""
    last = 2 if box.stack == "encoder" else 3
    return box.block.site if box.block else f"{box.stack}.{box.layer}.norm{last}"


def _box(box: Box, shapes: Shapes, tensor: Tensor, run: Run) -> dict[str, object]:
    """Return a box for the browser, with the texts about its tensor."""
    site = _site(box)
    name = capital(_("layer {layer}").format(layer=(box.layer or 0) + 1))
    return {
        "site": site,
        "title": box.block.title if box.block else name,
        "number": None if box.block else str((box.layer or 0) + 1),
        "shape": " × ".join(map(str, shapes[site])),
        "columns": shapes[site][-1],
        "said": purpose(site, run.recording.config),
        "kind": "cross" if ".cross_attn." in site else box.stack,
        "stack": box.stack,
        "closed": box.block is None,
        "x": box.x,
        "y": box.y,
        "width": box.width,
        "height": box.height,
        "most": tensor.most,
        "signed": tensor.signed,
        "step": tensor.step,
        "pieces": tensor.pieces,
    }
