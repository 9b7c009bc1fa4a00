"""How the vectors of a beginning change when the rest of the sentence is added, under each mask."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from model.sites.tap import Edit, Editor
from model.transformer.transformer import Transformer


def change_of_beginning(
    model: Transformer, source_ids: Sequence[int], first: int, look_ahead_mask: bool
) -> float:
    """Return how far the encoder's vectors of the `first` pieces move when the rest is added.

    It is the length of the difference over the length of the vector, as a mean over the pieces.
    With the decoder's look-ahead mask instead of the encoder's own it is 0, except for rounding.
    Raises ValueError unless `first` is from 1 to the number of pieces.
    """
    if not 1 <= first <= len(source_ids):
        raise ValueError(f"first must be 1 to {len(source_ids)}, not {first}")
    edits: Mapping[str, Edit] = {"encoder.mask": _looking_back} if look_ahead_mask else {}
    with torch.no_grad():
        in_sentence, beginning = (
            model.encode(torch.tensor([list(ids)]), Editor(edits))[0][0, :first]
            for ids in (source_ids, source_ids[:first])
        )
    moved = (in_sentence - beginning).norm(dim=-1) / beginning.norm(dim=-1)  # first
    return float(moved.mean())


def _looking_back(mask: Tensor) -> Tensor:
    """Hide the later pieces in a mask (B, S, S)."""
    return mask.tril()
