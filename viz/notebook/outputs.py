"""The attention in the output of a transformers model; transformers itself is not imported."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viz.notebook.arrays import TOLERANCE, Floats, numbers

Outputs = Any
"""An output object, a dict or a tuple, of one pass or of generate()."""

_NAMES = {
    "encoder": "encoder_attentions",
    "decoder": "decoder_attentions",
    "cross": "cross_attentions",
}
_ALONE = "attentions"
_IN_TUPLES = {
    1: (_ALONE,),
    2: (_ALONE, "cross_attentions"),
    3: ("decoder_attentions", "cross_attentions", "encoder_attentions"),
}
"""The names of so many attentions in a tuple, in their order there."""


def attentions(outputs: Outputs, row: int, source: int) -> dict[str, Floats]:
    """Return weights (L, H, query, key) of one sentence of the batch, by their kind.

    A model with one stack calls its attention just `attentions`. It is the encoder's if there are
    `source` tokens and no cross-attention, else the decoder's. The steps of generate() are joined,
    by beam search along the hypothesis that won; layers without attention are zero. Raises
    ValueError when there is no attention, or its layers differ in size.
    """
    by_name = _named(outputs, source)
    names = {kind: name for kind, name in _NAMES.items() if name in by_name}
    if names.keys() <= {"cross"} and _ALONE in by_name:
        names["encoder" if source and not names else "decoder"] = _ALONE
    if not names:
        raise ValueError(
            "no attention in this output: call the model with output_attentions=True, and load it "
            'with from_pretrained(..., attn_implementation="eager"): others keep no weights'
        )
    steps = any(_is_steps(by_name[name]) for name in names.values())
    rows = _rows(outputs, row) if steps else None
    weights: dict[str, Floats] = {}
    for kind, name in names.items():
        layers = by_name[name]
        if rows is not None and _is_steps(layers):
            weights[kind] = _joined(name, layers, rows, square=kind != "cross")
        else:
            weights[kind] = _stacked(name, layers, row, len(outputs.sequences) if steps else None)
    return weights


def is_generated(outputs: Outputs) -> bool:
    """Tell whether an output is that of generate(): its last token was never read."""
    return not isinstance(outputs, tuple | list) and _value(outputs, "sequences") is not None


def attended(mask: Any, row: int) -> NDArray[np.bool_] | None:  # noqa: ANN401
    """Return which tokens are not padding, (n,), by an attention mask (B, n) or (n,).

    None without a mask. Raises ValueError when it has other axes or no such row.
    """
    if mask is None:
        return None
    values = numbers("mask", mask)
    if values.ndim not in (1, 2):
        raise ValueError(f"mask: (batch, tokens) expected, not {values.shape}")
    return _row(values, row) > 0 if values.ndim == 2 else values > 0


def _value(outputs: Outputs, name: str) -> Any:  # noqa: ANN401
    return outputs.get(name) if hasattr(outputs, "get") else getattr(outputs, name, None)


def _named(outputs: Outputs, source: int) -> dict[str, list[Any]]:
    """Return the attention of each layer, or step, by its name in an output."""
    if isinstance(outputs, tuple | list):
        return _in_tuple(outputs)
    given = ((name, _value(outputs, name)) for name in (*_NAMES.values(), _ALONE))
    by_name = {name: list(layers) for name, layers in given if layers is not None}
    by_name = {name: some for name, some in by_name.items() if any(one is not None for one in some)}
    if by_name:
        return by_name
    values = outputs if isinstance(outputs, Mapping) else getattr(outputs, "__dict__", {})
    inner = {
        name: _named(value, source)
        for name, value in values.items()
        if isinstance(value, Mapping) or str(name).endswith("output")
    }
    inner = {name: some for name, some in inner.items() if some}
    fitting = [some for some in inner.values() if _keys(some) == source]
    if len(inner) > 1 and len(fitting) != 1:
        names = " or ".join(f"outputs.{name}" for name in inner)
        raise ValueError(f"this output has the attention of several models: choose one, {names}")
    return next(iter(fitting or inner.values()), {})


def _keys(by_name: dict[str, list[Any]]) -> int:
    """Return the number of keys of the first attention."""
    return next(one.shape[-1] for one in next(iter(by_name.values())) if one is not None)


def _in_tuple(outputs: Sequence[Any]) -> dict[str, list[Any]]:
    """Return the attentions of a tuple by name: one a layer, or as return_dict=False has them."""
    if outputs and all(_is_weights(layer) for layer in outputs):
        return {_ALONE: list(outputs)}
    stacks = [
        list(part)
        for part in outputs
        if isinstance(part, tuple | list) and part and all(map(_is_weights, part))
    ]
    return dict(zip(_IN_TUPLES.get(len(stacks), ()), stacks, strict=True))


def _is_weights(layer: Any) -> bool:  # noqa: ANN401
    """Tell whether this is one layer's weights (B, H, query, key), not keys or values."""
    if getattr(layer, "ndim", 0) != 4:
        return False
    weights = np.nan_to_num(numbers("", layer))
    return weights.min(initial=0) >= 0 and weights.max(initial=0) <= 1 + TOLERANCE


def _is_steps(layers: Sequence[Any]) -> bool:
    return isinstance(layers[0], tuple | list)


def _rows(outputs: Outputs, row: int) -> list[int] | int:
    """Return the row of the batch at each step by beam search; without beams, the only row."""
    beams = _value(outputs, "beam_indices")
    if beams is None:
        return row
    return [int(place) for place in _row(numbers("beam_indices", beams), row) if place >= 0]


def _joined(name: str, steps: Sequence[Any], rows: list[int] | int, square: bool) -> Floats:
    """Join what generate() returns: (L, H, query, key) of each step, with a cache or without."""
    if isinstance(rows, int):
        rows = [rows] * len(steps)
    layers = range(len(steps[0]))
    parts = [
        np.stack([_row(numbers(name, step[layer]), row) for layer in layers])  # L H query key
        for step, row in zip(steps, rows, strict=False)
    ]
    queries = sum(part.shape[2] for part in parts)
    keys = queries if square else parts[0].shape[3]
    joined = np.zeros((*parts[0].shape[:2], queries, keys), np.float32)
    end = 0
    for part in parts:
        start, end = end, end + part.shape[2]
        if square:  # a sliding cache has the last keys, a static one has room for more
            part = part[..., :end]
        first = max(0, end - part.shape[3]) if square else 0
        joined[:, :, start:end, first : first + part.shape[3]] = part
    return joined


def _stacked(name: str, layers: Sequence[Any], row: int, sentences: int | None) -> Floats:
    """Stack the layers of a pass; `sentences` counts those that generate() made of the batch."""
    arrays = [None if layer is None else numbers(name, layer) for layer in layers]
    first = next(array for array in arrays if array is not None)
    for number, array in enumerate(arrays, start=1):
        if array is not None and array.ndim != 4:
            raise ValueError(f"{name}: (batch, H, query, key) a layer expected, not {array.shape}")
        if array is not None and array.shape != first.shape:
            raise ValueError(
                f"{name}: layer {number} has {_size(array)}, other layers {_size(first)}: all that "
                "are shown together need one size"
            )
    stacked = np.stack([np.zeros_like(first) if one is None else one for one in arrays], axis=1)
    return _row(stacked, row * len(first) // sentences if sentences else row)


def _size(array: Floats) -> str:
    _batch, heads, queries, keys = array.shape
    return f"{heads} heads of {queries} x {keys} tokens"


def _row(batch: Floats, row: int) -> Floats:
    if not 0 <= row < len(batch):
        raise ValueError(f"row must be 0 to {len(batch) - 1}, not {row}: one sentence of the batch")
    return batch[row]
