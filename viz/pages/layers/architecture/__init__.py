"""The architecture, to click on: the encoder left, the decoder right, the memory in between."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from model.sites.sites import Stack
from viz.components.answer import refuse
from viz.components.component import renderer
from viz.figures.theme import KIND_COLOURS
from viz.language.text import _
from viz.link import address
from viz.pages.layers.architecture.blocks import Block, block
from viz.pages.layers.architecture.layout import LEFT, TOTAL_WIDTH, WIDTH, Box, draw

_MAIN = Path(__file__).parent / "assets" / "architecture.js"
_KEY, _PARAMETER, _OPEN, _CHOSEN = "architecture", "block", "open layer", "chosen block"


def architecture(
    layers: Mapping[Stack, int], shapes: Mapping[str, tuple[int, ...]], default: str
) -> Block:
    """Draw the architecture with the `shapes` of its sites; return the chosen block.

    The link holds the chosen site as `block`; one without a shape means the `default`. Without one
    in the link, the last choice stays as long as the default is the same.
    """

    def choose() -> None:
        site = st.session_state[_KEY].site
        if not isinstance(site, str) or site not in shapes:
            return refuse()
        address.put({_PARAMETER: site})

    chosen = _chosen(shapes, default)
    if chosen.layer is not None:
        st.session_state[_OPEN] = chosen.layer
    opened = min(int(st.session_state.get(_OPEN, 0)), max(layers.values()) - 1)
    drawing, words = draw(dict(layers), opened), _("layer {layer} of {count}")
    data = {
        "width": TOTAL_WIDTH,
        "height": drawing.height,
        "boxWidth": WIDTH,
        "left": LEFT,
        "chosen": chosen.site,
        "boxes": [_box(box, shapes) for box in drawing.boxes],
        "lines": [[line.kind, line.path] for line in drawing.lines],
        "frames": [
            [stack, y, height, words.format(layer=at + 1, count=layers[stack])]
            for stack, at, y, height in drawing.frames
        ],
        "colours": KIND_COLOURS,
        "label": _("The architecture: click a block"),
        "stacks": {"encoder": _("Encoder"), "decoder": _("Decoder")},
    }
    renderer("architecture", _MAIN)(key=_KEY, data=data, on_site_change=choose)
    return chosen


def _chosen(shapes: Mapping[str, tuple[int, ...]], default: str) -> Block:
    """Return the block of the link, else the last chosen one, else the default."""
    known: dict[str, str] = st.session_state.get(_CHOSEN, {})
    site = address.parameters().get(_PARAMETER) or known.get(default, default)
    try:
        found = block(site if site in shapes else default)
    except ValueError:
        found = block(default)
    st.session_state[_CHOSEN] = {default: found.site}
    if found.site != default:
        address.put({_PARAMETER: found.site})
    return found


def _box(box: Box, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, object]:
    """Return a box for the browser; a closed layer stands for its output."""
    last = 2 if box.stack == "encoder" else 3
    site = box.block.site if box.block else f"{box.stack}.{box.layer}.norm{last}"
    layer = _("layer {layer}").format(layer=(box.layer or 0) + 1)
    title = box.block.title if box.block else layer
    shape = " × ".join(map(str, shapes[site]))
    cross = ".cross_attn." in site
    return {
        "site": site,
        "title": title,
        "shape": shape,
        "kind": "cross" if cross else box.stack,
        "stack": box.stack,
        "closed": box.block is None,
        "y": box.y,
        "height": box.height,
    }
