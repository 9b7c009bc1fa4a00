"""Initial embeddings of added pieces: near the pieces that stood for them before."""

import unicodedata
from collections.abc import Callable

import torch
from torch import Tensor

from model.tokenizer import Tokenizer
from model.training.data.more_pieces import like_which
from model.words import WORD_START

APART = 0.4
"""How far a new row is from the old rows that it starts from, relative to their mean length."""


def longer_embedding(old: Tokenizer, new: Tokenizer, rows: Tensor, seed: int = 0) -> Tensor:
    """Return an embedding (V', D) for a tokenizer whose first V pieces are those of `old`, (V, D).

    An old piece keeps its row. A new piece starts near the mean of the rows that its text had
    before; a word in capitals or after a bracket starts near the ordinary word. All pieces of a
    kind are shifted alike, so that capitals are one direction to learn.
    """
    random = torch.Generator().manual_seed(seed)
    length = APART * rows[len(old) // 2 :].norm(dim=1).mean()

    def away() -> Tensor:
        direction = torch.randn(rows.size(1), generator=random).to(rows)
        return length * direction / direction.norm()

    shifts = {kind: away() for kind in ("upper", "title", "inner")}
    ids = {old.token(id_): id_ for id_ in range(len(old))}
    added = [
        _row(new.token(id_), ids, rows, shifts, old, away) for id_ in range(len(old), len(new))
    ]
    return torch.cat((rows, torch.stack(added))) if added else rows


def _row(
    name: str,
    ids: dict[str, int],
    rows: Tensor,
    shifts: dict[str, Tensor],
    old: Tokenizer,
    away: Callable[[], Tensor],
) -> Tensor:
    bare = name.removeprefix(WORD_START)
    if len(bare) > 1:
        kind = "upper" if bare.isupper() else "title" if name != bare else "inner"
        start = WORD_START if kind == "inner" else name[: len(name) - len(bare)]
        for like in (start + bare, start + bare.lower(), start + bare.capitalize()):
            if like in ids:
                return rows[ids[like]] + shifts[kind]
    near = like_which(bare) or unicodedata.normalize("NFD", bare)[:1]
    if near in ids:
        return rows[ids[near]] + away()
    return rows[old.encode(name.replace(WORD_START, " "))].mean(0) + 2 * away()
