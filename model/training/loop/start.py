"""Initial weights, where they are not the model's own choice."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from model.families import Network


def reset_feed_forward(model: Network, gain: float) -> None:
    """Start all feed-forward matrices anew, Glorot with this gain; 0 leaves them unchanged.

    The model's own start is smaller (DeepNet's beta, 0.50 in the encoder and 0.34 in the decoder of
    six layers each), and leaves fewer hidden units above zero.
    """
    if not gain:
        return
    for name, parameter in model.named_parameters():
        if ".ffn." in name and parameter.dim() == 2:
            with torch.no_grad():
                nn.init.xavier_uniform_(parameter, gain)


def rows_for(pieces: Sequence[str], vectors: Tensor, known: Sequence[str], rows: Tensor) -> Tensor:
    """Return an initial embedding (V, D) for new pieces from the `rows` of the `known` ones.

    A known piece keeps its row. Any other gets a place by its counted vector: a linear map from
    `vectors` (V, D) to the rows, fitted on the pieces that both have, gives it. So 老师 is near
    teacher and professeur before the first step. Without a common piece the vectors stay unchanged.
    """
    places = {piece: place for place, piece in enumerate(known)}
    both = [(place, places[piece]) for place, piece in enumerate(pieces) if piece in places]
    if not both:
        return vectors
    ours, theirs = torch.tensor(both, device=vectors.device).T
    middle = rows[theirs].mean(0)
    given, wanted = vectors[ours], rows[theirs] - middle
    ridge = torch.eye(given.size(1), device=given.device)
    found = vectors @ torch.linalg.solve(given.T @ given + ridge, given.T @ wanted)
    # A fitted vector is shorter than the vectors it is fitted to.
    longer = wanted.norm(dim=1).mean() / found[ours].norm(dim=1).mean()
    found = middle + longer * found
    found[ours] = rows[theirs]
    return found
