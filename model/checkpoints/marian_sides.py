"""Which of two files of pieces is the target's: the one whose pieces the model writes.

A vocabulary for both sides has the pieces of both files, so it cannot tell which is which.
"""

import torch

from model.marian_tokenizer import MarianTokenizer
from model.transformer.transformer import Transformer

ASKED = 32
"""The number of pieces of each file that are given to the model, one at a time."""

LEAST = 12
"""The least number of different pieces that tell the files apart.

A model with random weights writes so many of one file alone once in 4,096 times.
"""

MOST_OTHERS = 0.05
"""The greatest share of pieces of the other file among those; a model copies some words."""


@torch.inference_mode()
def check_sides(model: Transformer, source: MarianTokenizer, target: MarianTokenizer) -> None:
    """Raise ValueError when the model writes the source's pieces, and none of the target's.

    Each of some pieces is a sentence of its own; what counts are the pieces with which their
    translations begin. Files with too few pieces of their own, or a model that writes too few
    different pieces, tell nothing.
    """
    both = source.cut_ids, target.cut_ids
    own = sorted(both[0] - both[1]), sorted(both[1] - both[0])
    if min(map(len, own)) < LEAST:
        return
    asked = [*own[0][:ASKED], *own[1][:ASKED]]
    sentences = torch.tensor([[id_, model.config.end_id] for id_ in asked])  # N 2
    begin = torch.full((len(asked), 1), model.config.begin_id)  # N 1
    written = set(model(sentences, begin)[:, 0].argmax(dim=-1).tolist())
    of_source, of_target = (len(written.intersection(ids)) for ids in own)
    if of_source >= LEAST and of_target <= MOST_OTHERS * of_source:
        raise ValueError(
            f"source.spm and target.spm are exchanged: of the pieces that the model writes, "
            f"{of_source} are in source.spm alone and {of_target} in target.spm alone"
        )
