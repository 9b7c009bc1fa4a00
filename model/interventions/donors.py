"""The other sentences of a run: the donors of interventions that take vectors from elsewhere.

A donor runs in the unchanged model, with its own greedy translation, when it is first needed.
"""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from model.sites.tap import Recorder
from model.transformer.transformer import Transformer

Ids = tuple[int, ...]


def partners(own: Sequence[int], other: Sequence[int]) -> list[int | None]:
    """Pair the pieces of two sentences by their common beginning and end.

    Return, for each piece of the first sentence, the index of its partner in the other. The pieces
    between beginning and end are paired one by one if there are as many in both sentences;
    otherwise they have no partner.
    """
    shorter = min(len(own), len(other))
    start = next((n for n in range(shorter) if own[n] != other[n]), shorter)
    room = shorter - start
    end = next((n for n in range(room) if own[-1 - n] != other[-1 - n]), room)
    shift = len(other) - len(own)
    return [
        at if at < start or not shift else at + shift if at >= len(own) - end else None
        for at in range(len(own))
    ]


class Donors:
    """The donors of one sentence, each run once; like a cache, the object belongs to one call."""

    def __init__(
        self,
        model: Transformer,
        source_ids: Sequence[int],
        cut: Callable[[str], Ids],
        write: Callable[[str], Ids],
    ) -> None:
        """Keep a model and the ids of the receiving sentence.

        `cut` turns a donor's text into ids, and raises ValueError for a text without pieces.
        `write` returns the ids of the donor's translation, from the begin token on.
        """
        self._model, self._ids = model, tuple(source_ids)
        self._cut, self._write = cut, write
        self._sources: dict[str, Ids] = {}
        self._targets: dict[str, Ids] = {}
        self._memories: dict[str, tuple[Tensor, Tensor]] = {}  # with their padding masks
        self._sites: dict[str, dict[str, Tensor]] = {}
        self._taken: dict[tuple[str, str], Tensor] = {}

    def source(self, donor: str) -> Ids:
        """Return the ids of a donor; ValueError when its text has no pieces."""
        if donor not in self._sources:
            self._sources[donor] = self._cut(donor)
        return self._sources[donor]

    def target(self, donor: str) -> Ids:
        """Return the ids of a donor's translation, from the begin token on."""
        if donor not in self._targets:
            self._targets[donor] = self._write(donor)
        return self._targets[donor]

    def partner(self, donor: str, piece: int) -> int | None:
        """Return the donor's piece that corresponds to a piece of the sentence, or None."""
        return partners(self._ids, self.source(donor))[piece]

    @torch.inference_mode()
    def activation(self, donor: str, site: str) -> Tensor:
        """Return a site's array of the donor's run, without the batch dimension."""
        if (donor, site) not in self._taken:
            self._taken[donor, site] = self._activation(donor, site)
        return self._taken[donor, site]

    def _activation(self, donor: str, site: str) -> Tensor:
        recorder = Recorder()
        if donor not in self._memories:
            source = torch.tensor([self.source(donor)])
            self._memories[donor] = self._model.encode(source, recorder)
            self._sites[donor] = dict(recorder.recorded)
        if site not in self._sites[donor]:
            target = torch.tensor([self.target(donor)])
            self._model.decode(target, *self._memories[donor], recorder)
            self._sites[donor] |= recorder.recorded
        return self._sites[donor][site][0]

    def without_model(self) -> "Donors | None":
        """Return the donors with the arrays taken so far, without the model; None without arrays.

        Unlike this object it can be pickled. It has no other arrays.
        """
        if not self._taken:
            return None
        return KnownDonors(self._ids, self._sources, self._targets, self._taken)


class KnownDonors(Donors):
    """Donors whose runs are over: their ids, and the arrays that were taken, by donor and site."""

    def __init__(
        self,
        source_ids: Ids,
        sources: Mapping[str, Ids],
        targets: Mapping[str, Ids],
        taken: Mapping[tuple[str, str], Tensor],
    ) -> None:
        """Keep the ids of the receiving sentence, and the ids and arrays of the donors."""
        self._ids, self._sources, self._targets = source_ids, dict(sources), dict(targets)
        self._taken = {donor_site: array.cpu().clone() for donor_site, array in taken.items()}
