"""Names on screen for the parts of a vector, a score or a logit."""

from typing import cast

from model.sites.sites import Kind
from viz.figures.labels import head_text, kind_names, sublayer_names
from viz.language.text import _

NORMS, PROJECTION, REST = "norms", "projection", "rest"
"""The parts that are sums: the biases of all norms, a bias of q or k, and all the rest."""


def part_name(name: str) -> str:
    """Return the name on screen of a part of `model.recording.parts.Parts`, or of a sum."""
    own = {
        NORMS: _("LayerNorm biases"),
        PROJECTION: _("bias of the projection"),
        REST: _("all the rest"),
    }
    if name in own:
        return own[name]
    stack, *rest = name.split(".")
    if rest == ["embedding"]:
        return _("embedding")
    if rest == ["positions"]:
        return _("position")
    if rest[-1] in ("input", "memory", "q", "k") or rest[-1].startswith("norm"):
        return _("vector put in from another sentence")
    if rest[0] == "logits":
        return _("bias of the output")
    layer = int(rest[0]) + 1
    kind = cast(Kind, "cross" if rest[1:2] == ["cross_attn"] else stack)
    if rest[2:3] == ["z"]:
        return head_text(kind, layer - 1, int(rest[3]))
    stack = kind_names()[kind]
    if rest[-1] == "bias":
        return _("{stack} {layer}: bias of W_O").format(stack=stack, layer=layer)
    if rest[1] == "ffn":
        return _("{stack} {layer}: feed-forward").format(stack=stack, layer=layer)
    if kind == "cross":
        return _("cross {layer}").format(layer=layer)
    sublayer = next(text for key, text in sublayer_names().items() if key == rest[1])
    return _("{stack} {layer}: {sublayer}").format(stack=stack, layer=layer, sublayer=sublayer)


def origin(name: str) -> str:
    """Return who wrote a part: a layer, as "encoder.4", or the part's own group.

    All that a layer adds counts as one; the embedding, the position and biases are separate.
    """
    parts = name.split(".")
    if parts[-1] == "bias":
        return NORMS if parts[-2].startswith("norm") else PROJECTION
    written = len(parts) > 2 and parts[-1] not in (
        "q",
        "k",
    )  # these vectors come from another sentence
    return ".".join(parts[:2]) if written else name


def origin_name(name: str) -> str:
    """Return the screen name of an origin; see `origin`."""
    stack, _dot, layer = name.partition(".")
    if layer.isdecimal():
        return _("{stack} layer {layer}").format(
            stack=kind_names()[cast(Kind, stack)], layer=int(layer) + 1
        )
    return part_name(name)
