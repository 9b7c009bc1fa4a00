"""Record known sentences at moments of a run, and write them as the history of its checkpoint."""

import io
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.checkpoints.checkpoint import write_whole
from model.families import transformer_config
from model.recording.history import (
    CUTS,
    HISTORY,
    UNDECIDED,
    History,
    KnownSentence,
    as_bytes,
    not_measured,
    pack_history,
)
from model.recording.recording import record
from model.sites.sites import KINDS, Kind
from model.tokenizer import Tokenizer
from model.training.data.known_sentences import ENGLISH
from model.training.data.minimal import MinimalBatch, MinimalPairs
from model.training.data.pairs import Pair
from model.training.evaluate import translate_all
from model.training.generated.coreference import held_out_minimal_pairs
from model.training.losses.causal import choices_when_cut, right_leads
from model.training.settings import TrainingSettings
from model.transformer.transformer import Transformer

MOMENTS = 40
"""The approximate number of moments in a history."""

_UNKNOWN = np.full((len(CUTS), 2), np.nan, np.float32)
"""The `decided` shares of a moment that was recorded without them."""

EVERY = 4
"""A moment is measured on every fourth of the dev batches."""

CUT_PAIRS = 64
"""The number of held-out minimal pairs cut at every moment, where a run teaches causes."""


def spaced(start: int, end: int, count: int) -> set[int]:
    """Choose about `count` steps after `start` and up to `end`, spaced by powers."""
    if end <= start:
        return set()
    far = np.geomspace(1, end - start, count)
    return {start + round(step) for step in far} | {start + 1, end}


def moments_of(settings: TrainingSettings) -> frozenset[int]:
    """Choose the steps to record: from step 0, and again from the first translation step.

    A quarter of them, when there is such a time, show the encoder learning alone.
    """
    alone = MOMENTS // 4 if settings.pretrain else 0
    first = spaced(0, settings.pretrain, alone + 2)
    # Small powers are crowded: the first ten steps would take a third of all moments.
    return frozenset({0} | first | spaced(settings.pretrain, settings.steps, MOMENTS - alone + 4))


@dataclass(frozen=True)
class Moments:
    """The moments of a run, one file each in its folder, so that a resumed run keeps them."""

    folder: Path
    tokenizer: Tokenizer
    settings: TrainingSettings
    sentences: tuple[Pair, ...] = ENGLISH

    def due(self, step: int) -> bool:
        """Return True if the model must be recorded after this step."""
        return step in moments_of(self.settings)

    def add(self, model: Transformer, step: int, dev_loss: float) -> None:
        """Record all sentences with a float32 model on the CPU."""
        sources = [pair.source for pair in self.sentences]
        cuts = self.cuts(model)
        arrays = {
            "dev_loss": np.float32(dev_loss),
            "translations": np.array(translate_all(model, self.tokenizer, sources)),
            "cuts": cuts[0],
            "decided": cuts[2:].T,
        }
        for number, (pair, known) in enumerate(zip(self.sentences, self._known(), strict=True)):
            source, target = self._ids(pair)
            tokens = list(known.source_tokens), list(known.target_tokens)
            recording = record(model, source, target, *tokens)
            for kind in KINDS:
                arrays[f"{number}.{kind}"] = as_bytes(recording.attention(kind))
        self.folder.mkdir(parents=True, exist_ok=True)
        content = io.BytesIO()
        np.savez_compressed(content, **arrays)
        write_whole(self.folder / f"{step}.npz", content.getvalue())

    def add_weights(self, weights: dict[str, Tensor], step: int, dev_loss: float) -> None:
        """Record all sentences with the weights of this step."""
        model = Transformer(transformer_config(self.settings.config)).eval()
        model.load_state_dict(weights)
        self.add(model, step, dev_loss)

    def cuts(self, model: Transformer) -> NDArray[np.float32]:
        """Measure il and elle under each of CUTS: (4, CUTS), NaN if causes are not taught.

        The rows are the share in which the right one is the likelier, the mean probability of both
        together, and the shares that are right and wrong by more than UNDECIDED.
        """
        if not self._minimal:
            return not_measured(4)
        leads: dict[str, list[Tensor]] = {name: [] for name in CUTS}
        either: dict[str, list[Tensor]] = {name: [] for name in CUTS}
        device = model.embedding.weight.device
        for batch in (minimal.to(device) for minimal in self._minimal):
            for name, choice in choices_when_cut(model, batch, self.settings.carrier).items():
                leads[name].append(right_leads(choice.leads, batch.elle))
                either[name].append(choice.either)
        right = {name: torch.cat(some) for name, some in leads.items()}
        by_case = (
            {name: some > 0 for name, some in right.items()},
            {name: torch.cat(some) for name, some in either.items()},
            {name: some > UNDECIDED for name, some in right.items()},
            {name: some < -UNDECIDED for name, some in right.items()},
        )
        rows = [[shares[name].float().mean().item() for name in CUTS] for shares in by_case]
        return np.array(rows, dtype=np.float32)

    @cached_property
    def _minimal(self) -> list[MinimalBatch]:
        """Return the minimal pairs to cut; none if no phase teaches causes."""
        if not self.settings.ever_teaches_causes:
            return []
        pairs = held_out_minimal_pairs(CUT_PAIRS, unseen_frame=False)
        return MinimalPairs(self.tokenizer, self.settings).batches(pairs)

    def rewind(self, step: int) -> None:
        """Delete the moments after a step: these steps are trained again."""
        for later in [recorded for recorded in self._steps() if recorded > step]:
            (self.folder / f"{later}.npz").unlink()

    def write(self, out: Path) -> None:
        """Write history.npz of all moments so far into a checkpoint's folder."""
        if self._steps():
            write_whole(out / HISTORY, pack_history(self.history()))

    def history(self) -> History:
        """Return all moments so far."""
        steps, loaded = self._steps(), []
        for step in steps:
            with np.load(self.folder / f"{step}.npz") as file:
                loaded.append({name: file[name] for name in file.files})
        keys: list[tuple[int, Kind]] = [
            (n, kind) for n in range(len(self.sentences)) for kind in KINDS
        ]
        return History(
            np.array(steps),
            np.array([moment["dev_loss"] for moment in loaded]),
            tuple(self._known()),
            tuple(tuple(map(str, moment["translations"])) for moment in loaded),
            MappingProxyType(
                {key: np.stack([m[f"{key[0]}.{key[1]}"] for m in loaded]) for key in keys}
            ),
            np.stack([moment["cuts"] for moment in loaded]),
            decided=np.stack([moment.get("decided", _UNKNOWN) for moment in loaded]),
        )

    def _ids(self, pair: Pair) -> tuple[list[int], list[int]]:
        """Encode both sides, cut to the longest input of the model."""
        longest, tokenizer = self.settings.config.max_length, self.tokenizer
        source = [*tokenizer.encode(pair.source)[: longest - 1], tokenizer.end_id]
        return source, [tokenizer.begin_id, *tokenizer.encode(pair.target)][:longest]

    def _known(self) -> list[KnownSentence]:
        sentences: list[KnownSentence] = []
        for pair in self.sentences:
            source, target = (tuple(self.tokenizer.tokens(ids)) for ids in self._ids(pair))
            sentences.append(KnownSentence(pair.source, pair.target, source, target))
        return sentences

    def _steps(self) -> list[int]:
        return sorted(int(path.stem) for path in self.folder.glob("*.npz"))
