"""The whole model in one picture: all layers, and how their heads look at a sentence."""

from collections.abc import Mapping, Sequence
from html import escape

from model.sites.sites import Head, Kind
from model.transformer.config import ModelConfig
from viz.components.miniatures import Miniatures
from viz.figures.labels import head_text, kind_names
from viz.figures.theme import KEY, KIND_COLOURS
from viz.language.text import _

_BESIDE = 228
"""The width in pixels of everything beside the heads: feed-forward, memory, numbers."""
_SMALL = "font-size:max(14px,var(--least,0px))"
_LINE = "display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 16px"
RING = f"outline:3px solid {KEY};outline-offset:-1px;position:relative"


def whole_model(
    config: ModelConfig,
    pictures: Miniatures,
    texts: tuple[str, str],
    sizes: tuple[int, int],
    roles: Mapping[Head, str],
) -> str:
    """Return both stacks as HTML, side by side, with a row of heads for each layer.

    `pictures` have the miniatures of the heads, `texts` are source and translation, and `sizes` are
    the numbers of their pieces. The heads with `roles` have a ring, and their names stand below.
    """
    encoder = _stack(config, ("encoder",), roles)
    decoder = _stack(config, ("decoder", "cross"), roles)
    source = _("{count} pieces → {count} × {width}").format(count=sizes[0], width=config.d_model)
    target = _("{count} × {width} → one of {pieces:,} pieces, {count} times").format(
        count=sizes[1], width=config.d_model, pieces=config.target_vocab_size
    )
    images = ";".join(f"--{kind}:url({image})" for kind, image in pictures.items())
    # Heads take the available room, up to 34 pixels each, with a gap of 2 pixels.
    tile = f"clamp(14px,calc((100cqw - {_BESIDE}px) / {3 * config.heads} - 2px),34px)"
    style = f"--tile:{tile};display:flex;align-items:center;gap:8px;overflow-x:auto;padding:4px 0"
    arrow = '<span style="font-size:26px;line-height:1">→</span>'
    return (
        f'<div style="container-type:inline-size">{_end(texts[0], f"{source} ↓")}'
        f'<div tabindex="0" style="{style};{images}">{encoder}'
        f'<div style="text-align:center;{_SMALL}">{_("memory")}<br>'
        f"{sizes[0]} × {config.d_model}<br>{arrow}<br>{_('to every layer')}</div>{decoder}</div>"
        f"{_named(roles)}{_end(texts[1], f'{target} →')}</div>"
    )


def _end(text: str, note: str) -> str:
    """Return the text that goes in or comes out, as HTML, with a note of its sizes."""
    said = f'<b style="font-size:17px;font-weight:600">{escape(text)}</b>'
    sizes = f'<span style="{_SMALL};opacity:.8">{note}</span>'
    if note.endswith("↓"):
        return f'<div style="{_LINE}">{said}{sizes}</div>'
    return f'<div style="{_LINE};justify-content:flex-end">{sizes}{said}</div>'


def _named(roles: Mapping[Head, str]) -> str:
    """Return the names of the heads with a ring, as HTML, each after its own ring."""
    ring = f'<i style="display:inline-block;width:10px;height:10px;margin-right:8px;{RING}"></i>'
    names = "".join(
        f"<span>{ring}{head_text(head.kind, head.layer, head.head)}: <b>{escape(role)}</b></span>"
        for head, role in roles.items()
    )
    return f'<div style="{_LINE};{_SMALL};padding:2px 0 4px 2px">{names}</div>' if roles else ""


def _stack(config: ModelConfig, kinds: Sequence[Kind], roles: Mapping[Head, str]) -> str:
    """Return the layers of a stack as HTML, the first on top, under the names of their parts.

    One bar beside them stands for the feed-forward networks of all layers.
    """
    layers = config.layers(kinds[0])
    wide = f"calc({config.heads} * (var(--tile) + 2px))"
    columns = f"14px {' '.join([wide] * len(kinds))} 26px"
    head = "<span></span>" + "".join(
        f'<b style="border-bottom:3px solid {KIND_COLOURS[kind]}">{kind_names()[kind]}</b>'
        for kind in kinds
    )
    bar = (
        f'<span style="grid-area:2 / {len(kinds) + 2} / span {layers};writing-mode:vertical-rl;'
        "background:color-mix(in srgb,currentColor 20%,transparent);border-radius:4px;"
        'text-align:center;white-space:nowrap;line-height:26px">'
        f"{_('feed-forward')} {config.d_ff}</span>"
    )
    rows = "".join(
        f'<span style="grid-column:1;align-self:center">{layer + 1}</span>'
        + "".join(_heads(config, kind, layer, roles) for kind in kinds)
        for layer in range(layers)
    )
    style = f"display:grid;gap:3px 6px;grid-template-columns:{columns};{_SMALL}"
    return f'<div style="{style}">{head}{bar}{rows}</div>'


def _heads(config: ModelConfig, kind: Kind, layer: int, roles: Mapping[Head, str]) -> str:
    """Return the heads of a layer as HTML, each cut from the image of all heads."""
    layers, heads = config.layers(kind), config.heads
    down = 100 * layer / max(layers - 1, 1)
    tiles = "".join(
        f'<i data-head="{kind} {layer + 1}.{head + 1}" style="width:var(--tile);height:var(--tile);'
        "border:1px solid color-mix(in srgb,currentColor 25%,transparent);border-radius:4px;"
        f"{RING + ';' if Head(kind, layer, head) in roles else ''}"
        f"background:var(--{kind}) {100 * head / max(heads - 1, 1):.4f}% {down:.4f}% / "
        f'{100 * heads}% {100 * layers}%;image-rendering:pixelated"></i>'
        for head in range(heads)
    )
    return f'<span style="display:flex;align-items:center;gap:2px">{tiles}</span>'
