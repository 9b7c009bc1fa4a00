"""The attention in the output of a transformers model; transformers itself is not imported."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from viz.notebook.arrays import Floats, numbers

Outputs = Any
"""An output object, or a dict, with `encoder_attentions`, `cross_attentions` and so on."""

_NAMES = {
    "encoder": "encoder_attentions",
    "decoder": "decoder_attentions",
    "cross": "cross_attentions",
}
_ALONE = "attentions"


def attentions(outputs: Outputs, row: int, encodes: bool) -> dict[str, Floats]:
    """Return weights (L, H, query, key) of one sentence of the batch, by their kind.

    A model with one stack calls its attention just `attentions`. It is the encoder's if there are
    source tokens (`encodes`) and no cross-attention, else the decoder's. Raises ValueError when
    there is no attention.
    """
    names = {kind: name for kind, name in _NAMES.items() if _layers(outputs, name)}
    if names.keys() <= {"cross"} and _layers(outputs, _ALONE):
        names["encoder" if encodes and not names else "decoder"] = _ALONE
    if not names:
        raise ValueError(
            "no attention in this output: call the model with output_attentions=True, and load it "
            'with from_pretrained(..., attn_implementation="eager"): others keep no weights'
        )
    return {kind: _stacked(name, _layers(outputs, name), row) for kind, name in names.items()}


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


def _layers(outputs: Outputs, name: str) -> list[Any]:
    """Return the attention of each layer; none where the model returned no weights."""
    found = outputs.get(name) if hasattr(outputs, "get") else getattr(outputs, name, None)
    return [] if found is None or all(layer is None for layer in found) else list(found)


def _stacked(name: str, layers: list[Any], row: int) -> Floats:
    if any(isinstance(layer, tuple | list) or layer is None for layer in layers):
        raise ValueError(
            f"{name}: one array a layer expected, as one pass returns them; what generate() "
            "returns has them by step: run the model once over its tokens"
        )
    stacked = numbers(name, layers)  # L B H query key
    if stacked.ndim != 5:
        raise ValueError(
            f"{name}: (batch, H, query, key) a layer expected, not {stacked.shape[1:]}"
        )
    return _row(stacked.swapaxes(0, 1), row)


def _row(batch: Floats, row: int) -> Floats:
    if not 0 <= row < len(batch):
        raise ValueError(f"row must be 0 to {len(batch) - 1}, not {row}")
    return batch[row]
