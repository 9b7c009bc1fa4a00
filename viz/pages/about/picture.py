"""The whole model in one picture: all layers with their heads, as they look at one sentence."""

from collections.abc import Sequence
from html import escape

from model.sites.sites import Kind
from model.transformer.config import ModelConfig
from viz.components.miniatures import Miniatures
from viz.figures.labels import kind_names
from viz.figures.theme import KIND_COLOURS
from viz.language.text import _

_BESIDE = 350
"""The width in pixels of all that stands beside the heads: feed-forward, memory, numbers."""
_SMALL = "font-size:max(14px,var(--least,0px))"


def whole_model(
    config: ModelConfig, pictures: Miniatures, texts: tuple[str, str], sizes: tuple[int, int]
) -> str:
    """Return both stacks as HTML, with a row for each layer: its heads, then feed-forward.

    `pictures` have the miniatures of the heads, `texts` are source and translation, and `sizes` are
    the numbers of their pieces.
    """
    encoder, decoder = _stack(config, ("encoder",)), _stack(config, ("decoder", "cross"))
    source = _("{count} pieces → {count} × {width}").format(count=sizes[0], width=config.d_model)
    target = _("{count} × {width} → one of {pieces:,} pieces, {count} times").format(
        count=sizes[1], width=config.d_model, pieces=config.target_vocab_size
    )
    images = ";".join(f"--{kind}:url({image})" for kind, image in pictures.items())
    # Heads take the room that there is, up to 32 pixels each; two more are the gap beside them.
    tile = f"clamp(14px,calc((100cqw - {_BESIDE}px) / {3 * config.heads} - 2px),32px)"
    style = f"--tile:{tile};display:flex;align-items:center;gap:6px;overflow-x:auto;padding:4px 0"
    arrow = '<span style="font-size:26px;line-height:1">→</span>'
    return (
        '<div style="container-type:inline-size">'
        f'<div tabindex="0" style="{style};{images}">'
        f"{_column(texts[0], source, encoder, first=True)}"
        f'<div style="text-align:center;{_SMALL}">{_("memory")}<br>'
        f"{sizes[0]} × {config.d_model}<br>{arrow}<br>{_('to every layer')}</div>"
        f"{_column(texts[1], target, decoder, first=False)}</div></div>"
    )


def _column(text: str, note: str, rows: str, *, first: bool) -> str:
    said = f'<div style="font-size:17px;font-weight:600">{escape(text)}</div>'
    sizes = f'<div style="{_SMALL};opacity:.8">{note} {"↓" if first else ""}</div>'
    parts = (said, sizes, rows) if first else (rows, sizes, said)
    return f'<div style="display:grid;gap:5px">{"".join(parts)}</div>'


def _stack(config: ModelConfig, kinds: Sequence[Kind]) -> str:
    """Return the layers of a stack as HTML, the first on top, under the names of their parts."""
    layers = config.layers(kinds[0])
    wide = f"calc({config.heads} * (var(--tile) + 2px))"
    columns = f"18px {' '.join([wide] * len(kinds))} max-content"
    head = "<span></span>" + "".join(
        f'<b style="border-bottom:3px solid {KIND_COLOURS[kind]}">{kind_names()[kind]}</b>'
        for kind in kinds
    )
    head += f"<b>{_('feed-forward')}</b>"
    bar = (
        '<span style="align-self:center;background:color-mix(in srgb,currentColor 30%,transparent);'
        f'border-radius:4px;{_SMALL};text-align:center">{config.d_ff}</span>'
    )
    rows = "".join(
        f'<span style="align-self:center;{_SMALL}">{layer + 1}</span>'
        + "".join(_heads(config, kind, layer) for kind in kinds)
        + bar
        for layer in range(layers)
    )
    style = f"display:grid;gap:3px 6px;grid-template-columns:{columns};{_SMALL}"
    return f'<div style="{style}">{head}{rows}</div>'


def _heads(config: ModelConfig, kind: Kind, layer: int) -> str:
    """Return the heads of a layer as HTML, each cut from the image of all heads."""
    layers, heads = config.layers(kind), config.heads
    down = 100 * layer / max(layers - 1, 1)
    tiles = "".join(
        f'<i data-head="{kind} {layer + 1}.{head + 1}" style="width:var(--tile);height:var(--tile);'
        "border:1px solid color-mix(in srgb,currentColor 25%,transparent);border-radius:4px;"
        f"background:var(--{kind}) {100 * head / max(heads - 1, 1):.4f}% {down:.4f}% / "
        f'{100 * heads}% {100 * layers}%;image-rendering:pixelated"></i>'
        for head in range(heads)
    )
    return f'<span style="display:flex;align-items:center;gap:2px">{tiles}</span>'
