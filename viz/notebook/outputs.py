"""The attention in the output of a model of transformers, which itself is not imported."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Outputs = Any
"""An output object, or a dict, with `encoder_attentions`, `cross_attentions` and the like."""

_NAMES = {
    "encoder": "encoder_attentions",
    "decoder": "decoder_attentions",
    "cross": "cross_attentions",
}


def attentions(outputs: Outputs, row: int, encodes: bool) -> dict[str, NDArray[np.float32]]:
    """Return weights (L, H, query, key) of one sentence of the batch, by their kind.

    A model of one stack calls its attention just `attentions`: it is the encoder's if there are
    source tokens (`encodes`), else the decoder's. Raises ValueError when there is no attention.
    """
    names = {kind: name for kind, name in _NAMES.items() if _get(outputs, name) is not None}
    if not names and _get(outputs, "attentions") is not None:
        names = {"encoder" if encodes else "decoder": "attentions"}
    if not names:
        raise ValueError(
            "no attention in this output: call the model with output_attentions=True, and with "
            'attn_implementation="eager" where it was loaded'
        )
    return {kind: _stacked(name, _get(outputs, name), row) for kind, name in names.items()}


def _get(outputs: Outputs, name: str) -> Any:  # noqa: ANN401
    return outputs.get(name) if hasattr(outputs, "get") else getattr(outputs, name, None)


def _stacked(name: str, layers: Any, row: int) -> NDArray[np.float32]:  # noqa: ANN401
    if not layers or any(isinstance(layer, tuple | list) or layer is None for layer in layers):
        raise ValueError(
            f"{name}: one array a layer expected, as one pass returns them; what generate() "
            "returns has them by step: run the model once over its tokens"
        )
    stacked = np.stack([numbers(layer) for layer in layers])  # L B H query key
    if stacked.ndim != 5:
        raise ValueError(
            f"{name}: (batch, H, query, key) a layer expected, not {stacked.shape[1:]}"
        )
    if not 0 <= row < stacked.shape[1]:
        raise ValueError(f"row must be 0 to {stacked.shape[1] - 1}, not {row}")
    return stacked[:, row]


def numbers(array: Any) -> NDArray[np.float32]:  # noqa: ANN401
    """Return an array, or a tensor on any device, as float32."""
    if hasattr(array, "detach"):
        array = array.detach().float().cpu().numpy()
    return np.asarray(array, dtype=np.float32)
