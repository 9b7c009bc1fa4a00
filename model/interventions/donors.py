"""The other sentences of a run: what they give to interventions that carry something over.

A donor runs in the model as it is, with its own greedy translation, when it is first asked for.
"""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from model.sites.tap import Recorder
from model.transformer.transformer import Transformer

Ids = tuple[int, ...]


def partners(own: Sequence[int], other: Sequence[int]) -> list[int | None]:
    """Pair the pieces of two sentences by their common beginning and end.

    For each piece of the one, the place of its partner in the other. What lies between is paired
    one by one where it is as long in both, and has no partner otherwise.
    """
    shorter = min(len(own), len(other))
    start = next((n for n in range(shorter) if own[n] != other[n]), shorter)
    room = shorter - start
    end = next((n for n in range(room) if own[-1 - n] != other[-1 - n]), room)
    shift = len(other) - len(own)
    return [
        place if place < start or not shift else place + shift if place >= len(own) - end else None
        for place in range(len(own))
    ]


class Donors:
    """Runs donors of one sentence, each once; an object belongs to one call, as a cache does."""

    def __init__(
        self,
        model: Transformer,
        source_ids: Sequence[int],
        cut: Callable[[str], Ids],
        write: Callable[[str], Ids],
    ) -> None:
        """Keep a model and the ids of the sentence that receives.

        `cut` turns a donor's text into ids, ValueError when nothing is left of it; `write` gives
        the ids of its translation, from the begin token on.
        """
        self._model, self._ids = model, tuple(source_ids)
        self._cut, self._write = cut, write
        self._sources: dict[str, Ids] = {}
        self._targets: dict[str, Ids] = {}
        self._encoded: dict[str, Mapping[str, Tensor]] = {}
        self._decoded: dict[str, Mapping[str, Tensor]] = {}

    def source(self, donor: str) -> Ids:
        """Return the ids of a donor; ValueError when nothing is left of the text."""
        if donor not in self._sources:
            self._sources[donor] = self._cut(donor)
        return self._sources[donor]

    def target(self, donor: str) -> Ids:
        """Return the ids of a donor's translation, from the begin token on."""
        if donor not in self._targets:
            self._targets[donor] = self._write(donor)
        return self._targets[donor]

    def partner(self, donor: str, piece: int) -> int | None:
        """Return the donor's piece that stands for one of the sentence; None without any."""
        return partners(self._ids, self.source(donor))[piece]

    @torch.inference_mode()
    def activation(self, donor: str, site: str) -> Tensor:
        """Return what passed at a site when the donor ran, without the batch's dimension."""
        source = torch.tensor([self.source(donor)])
        if donor not in self._encoded:
            recorder = Recorder()
            self._model.encode(source, recorder)
            self._encoded[donor] = recorder.recorded
        if site in self._encoded[donor]:
            return self._encoded[donor][site][0]
        if donor not in self._decoded:
            recorder = Recorder()
            self._model(source, torch.tensor([self.target(donor)]), recorder)
            self._decoded[donor] = recorder.recorded
        return self._decoded[donor][site][0]
