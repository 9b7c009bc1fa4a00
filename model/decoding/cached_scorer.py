"""The scorer of unrecorded decoding: with kept keys and values, a step computes one position."""

from collections.abc import Sequence

import torch
from torch import Tensor

from model.decoding.draft import with_guess
from model.decoding.quick_decoder import QuickDecoder
from model.transformer.transformer import Transformer


class CachedScorer:
    """Scores what follows prefixes (N, T) as `Transformer.decode` does, but incrementally.

    A row that extends a row of the previous call computes only its new pieces. So does a single
    prefix that differs from the previous single prefix. Any other call starts afresh. The guesses
    of a draft are scored in the same run. Use one object for one decoding run; threads must not
    share it.
    """

    def __init__(
        self, model: Transformer, memory: Tensor, memory_mask: Tensor, draft: Sequence[int] = ()
    ) -> None:
        """Prepare to score prefixes against one memory (1, S, D) with its mask (1, 1, S).

        A draft begins with the begin id.
        """
        self._decoder, self._draft = QuickDecoder(model, memory, memory_mask), draft
        self._seen: list[list[int]] = [[]]  # M rows of P ids: the prefixes in the decoder
        self._scored = torch.empty(1, 0)  # M P' V: scores after their last pieces

    def __call__(self, prefixes: Tensor) -> Tensor:
        """Return the logits (N, V) of the piece after each prefix."""
        rows, length = prefixes.tolist(), prefixes.size(1)
        if len(self._seen) == 1:
            shared = _shared(self._seen[0], rows)
            first = len(self._seen[0]) - self._scored.size(1)
            if len(rows) == 1 and shared == length > first:
                return self._scored[:, length - 1 - first]  # 1 V
            self._cut(min(shared, length - 1))
        self._select(rows, length)
        self._seen, known = rows, self._decoder.length
        if self._draft and len(rows) == 1:
            prefixes = with_guess(prefixes, self._draft, self._decoder.longest)
            self._seen = prefixes.tolist()
        self._scored = self._decoder(prefixes)  # N P V
        return self._scored[:, length - 1 - known]  # N V

    def _cut(self, length: int) -> None:
        """Keep only the first pieces of the previous prefixes."""
        self._decoder.cut(length)
        self._seen = [self._seen[0][:length]]

    def _select(self, rows: list[list[int]], length: int) -> None:
        """Keep the rows that the prefixes continue; keep nothing when a prefix continues no row."""
        previous = len(self._seen[0])
        if previous >= length:
            self._decoder.select(None)
            return
        beginnings = [row[:previous] for row in rows]
        if beginnings != self._seen:
            row_of = {tuple(row): number for number, row in enumerate(self._seen)}
            rows_continued = [row_of.get(tuple(row)) for row in beginnings]
            continued = [row_number for row_number in rows_continued if row_number is not None]
            complete = len(continued) == len(rows_continued)
            self._decoder.select(torch.tensor(continued) if complete else None)


def _shared(seen: list[int], rows: list[list[int]]) -> int:
    """Count the ids with which all rows and all previous prefixes begin."""
    alike = (all(row[at] == id_ for row in rows) for at, id_ in enumerate(seen[: len(rows[0])]))
    return next((at for at, same in enumerate(alike) if not same), min(len(seen), len(rows[0])))
