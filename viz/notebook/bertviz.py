"""The calls of BertViz, so that its notebooks need another import only."""

import sys
from collections.abc import Sequence
from typing import Any, Literal

from viz.notebook import arrays as checks
from viz.notebook.arrays import Given
from viz.notebook.explorer import Explorer

Action = Literal["view", "return"]


def head_view(
    attention: Given = None,
    tokens: Sequence[str] | None = None,
    sentence_b_start: int | None = None,
    prettify_tokens: bool = True,  # noqa: ARG001
    layer: int | None = None,
    heads: Sequence[int] | None = None,
    encoder_attention: Given = None,
    decoder_attention: Given = None,
    cross_attention: Given = None,
    encoder_tokens: Sequence[str] | None = None,
    decoder_tokens: Sequence[str] | None = None,
    include_layers: Sequence[int] | None = None,
    html_action: Action = "view",
) -> Explorer | None:
    """Show the heads of a layer as BertViz does, with its arguments: layers and heads from 0.

    Args:
        attention: weights of one stack, as a tuple of (1, H, n, n), one for each layer.
        tokens: its tokens.
        sentence_b_start: the first token of a second sentence. The first sentence is then the
            source and the second the target: each looks at itself, and the second at the first.
        prettify_tokens: is not used; tokens are always shown without their special letters.
        layer: the layer that is shown first.
        heads: the heads that are shown first.
        encoder_attention: weights of a model with two stacks, one (1, H, n, n) for each layer.
        decoder_attention: those of its decoder.
        cross_attention: those from target tokens to source tokens.
        encoder_tokens: the source tokens.
        decoder_tokens: the target tokens.
        include_layers: the layers that are shown; all by default.
        html_action: "view" shows the explorer in a notebook, and returns it elsewhere; "return"
            returns it in any case.

    Returns:
        The explorer, or None where it is shown.

    Raises:
        ValueError: as in `explorer.from_arrays`.

    >>> attention = ([[[[0.5, 0.5], [0.0, 1.0]]]],)  # of one layer
    >>> head_view(attention, ["a", "b"], html_action="return").recording.source_tokens
    ('a', 'b')

    """
    parts = attention, encoder_attention, decoder_attention, cross_attention
    names = tokens, encoder_tokens, decoder_tokens
    made = _explorer(parts, names, sentence_b_start, include_layers)
    chosen = {} if layer is None else {"layer": str(layer + 1)}
    if heads:
        chosen |= {"heads": "-".join(str(head + 1) for head in heads)}
    made.view = "&".join(f"{name}={value}" for name, value in chosen.items())
    return _shown(made, html_action)


def model_view(
    attention: Given = None,
    tokens: Sequence[str] | None = None,
    sentence_b_start: int | None = None,
    prettify_tokens: bool = True,  # noqa: ARG001
    display_mode: Literal["dark", "light"] = "dark",  # noqa: ARG001
    encoder_attention: Given = None,
    decoder_attention: Given = None,
    cross_attention: Given = None,
    encoder_tokens: Sequence[str] | None = None,
    decoder_tokens: Sequence[str] | None = None,
    include_layers: Sequence[int] | None = None,
    include_heads: Sequence[int] | None = None,  # noqa: ARG001
    html_action: Action = "view",
) -> Explorer | None:
    """Show all layers and heads as a grid, as BertViz does, with its arguments.

    Args:
        attention: as in `head_view`.
        tokens: as in `head_view`.
        sentence_b_start: as in `head_view`.
        prettify_tokens: is not used.
        display_mode: is not used; the explorer has the theme of the notebook.
        encoder_attention: as in `head_view`.
        decoder_attention: as in `head_view`.
        cross_attention: as in `head_view`.
        encoder_tokens: as in `head_view`.
        decoder_tokens: as in `head_view`.
        include_layers: as in `head_view`.
        include_heads: is not used; the grid has all heads.
        html_action: as in `head_view`.

    Returns:
        The explorer, or None where it is shown.

    Raises:
        ValueError: as in `explorer.from_arrays`.

    >>> attention = ([[[[0.5, 0.5], [0.0, 1.0]]]],)  # of one layer
    >>> model_view(attention, ["a", "b"], html_action="return").view
    'view=grid'

    """
    parts = attention, encoder_attention, decoder_attention, cross_attention
    names = tokens, encoder_tokens, decoder_tokens
    made = _explorer(parts, names, sentence_b_start, include_layers)
    made.view = "view=grid"
    return _shown(made, html_action)


def _explorer(
    parts: tuple[Given, ...],
    names: tuple[Sequence[str] | None, ...],
    second: int | None,
    include_layers: Sequence[int] | None,
) -> Explorer:
    attention, *given = parts
    tokens, source, target = (list(side or ()) for side in names)
    layers = None if include_layers is None else [number + 1 for number in include_layers]
    encoder, decoder, cross = (_included(part, include_layers) for part in given)
    if attention is not None:
        encoder, source = _included(attention, include_layers), tokens
    if attention is not None and second is not None:
        weights = checks.layers("attention", encoder)
        encoder, decoder = weights[:, :, :second, :second], weights[:, :, second:, second:]
        cross, source, target = weights[:, :, second:, :second], tokens[:second], tokens[second:]
    return Explorer.from_arrays(
        encoder=encoder, decoder=decoder, cross=cross, source=source, target=target, layers=layers
    )


def _included(attention: Given, layers: Sequence[int] | None) -> Given:
    if attention is None or layers is None:
        return attention
    return [attention[number] for number in layers]


def _shown(made: Explorer, html_action: Action) -> Explorer | None:
    ipython: Any = sys.modules.get("IPython")
    if html_action == "view" and ipython and ipython.get_ipython():
        ipython.display.display(made)
        return None
    return made
