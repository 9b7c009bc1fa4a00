"""Initial weights that differ from the model's own."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from model.families import Network


def reset_feed_forward(model: Network, gain: float) -> None:
    """Start all feed-forward matrices anew, Glorot with this gain; gain 0 changes nothing.

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
    """Return an initial embedding (V, D) for new pieces from the `rows` of `known` pieces.

    A known piece keeps its row. A linear map from `vectors` (V, D) to the rows, fitted on the
    common pieces, gives the rows of all other pieces. So 老师 is near teacher and professeur before
    the first step. Without a common piece, the vectors are returned unchanged.
    """
    old_row = {piece: number for number, piece in enumerate(known)}
    common = [(number, old_row[piece]) for number, piece in enumerate(pieces) if piece in old_row]
    if not common:
        return vectors
    ours, theirs = torch.tensor(common, device=vectors.device).T
    mean_row = rows[theirs].mean(0)
    common_vectors, common_rows = vectors[ours], rows[theirs] - mean_row
    ridge = torch.eye(common_vectors.size(1), device=common_vectors.device)
    new_rows = vectors @ torch.linalg.solve(
        common_vectors.T @ common_vectors + ridge, common_vectors.T @ common_rows
    )
    # A fitted vector is shorter than the vectors it is fitted to.
    longer = common_rows.norm(dim=1).mean() / new_rows[ours].norm(dim=1).mean()
    new_rows = mean_row + longer * new_rows
    new_rows[ours] = rows[theirs]
    return new_rows
