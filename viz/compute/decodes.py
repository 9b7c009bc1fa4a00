"""Decodes: a sentence written step by step by any strategy, and the tree of a beam search."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.decoding.beam import Beam, Tree
from model.decoding.greedy import Greedy
from model.decoding.odds import odds
from model.decoding.sampling import Sampling
from model.decoding.steps import Choice, Limits, Scorer, Strategy, normalised
from model.interventions.base import Intervention, Lengths
from model.interventions.fitting import fitting
from model.recording.recording import Recording
from model.translator import Translation
from viz.compute import runs
from viz.sharing.kept import kept
from viz.sharing.progress import reporting

GREEDY = Greedy()


@dataclass(frozen=True)
class Subject:
    """What is decoded: a sentence, by the model as the user changed it."""

    sentence: str
    interventions: tuple[Intervention, ...] = ()


@dataclass(frozen=True, eq=False)
class Decoding:
    """A decode step by step, where each step looked, and the ranked odds of what came next.

    Row t of the arrays chose step t: `self_attn` (L, H, T, T), `cross_attn` (L, H, T, S), both
    (0, 0, ...) where the model has none; `mask` (T, T), what it may look at, or has read; and as in
    `Odds` `exact` (T, K), `bands` (T, bands).
    Raises ValueError when the arrays do not fit the steps.
    """

    choices: tuple[Choice, ...]
    translation: Translation
    source_tokens: tuple[str, ...]
    self_attn: NDArray[np.float32]
    cross_attn: NDArray[np.float32]
    mask: NDArray[np.bool_]
    exact: NDArray[np.float32]
    bands: NDArray[np.float32]
    band_sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        """Hold every array against the number of steps."""
        rows = {
            "self_attn": self.self_attn.shape[2],
            "cross_attn": self.cross_attn.shape[2],
            "mask": len(self.mask),
            "exact": len(self.exact),
            "bands": len(self.bands),
        }
        for name, length in rows.items():
            if length != len(self.choices):
                raise ValueError(f"{name} has {length} rows for {len(self.choices)} steps")


@kept
def decode(
    subject: Subject,
    strategy: Strategy = GREEDY,
    forced: tuple[int, ...] = (),
    steps: int | None = None,
) -> Decoding:
    """Decode a sentence step by step, at most `steps`; ValueError when a forced id is unknown.

    Reports its progress, by the length of the source.
    """
    if isinstance(strategy, Beam):
        found = _winning(beam_tree(subject, strategy.width, strategy.length_penalty, forced))
        return _recorded(subject, tuple(islice(found, steps)))
    with torch.inference_mode():
        scorer, limits = _scorer(subject, forced)
        choices = tuple(islice(strategy.steps(scorer, limits, forced), steps))
    return _recorded(subject, choices)


@kept
def beam_tree(subject: Subject, width: int, penalty: float, forced: tuple[int, ...] = ()) -> Tree:
    """Return all hypotheses of a beam search; ValueError when a forced id does not exist."""
    with torch.inference_mode():
        return Beam(width, penalty).search(*_scorer(subject, forced), forced)


def _scorer(subject: Subject, forced: tuple[int, ...]) -> tuple[Scorer, Limits]:
    """Return what scores the pieces of a decode, reporting, and where the decode ends."""
    loaded = runs.translator()
    source = loaded.source(subject.sentence)
    limits = loaded.limits(source, forced)

    def afresh() -> Scorer:
        draft = _draft(subject, forced, limits)
        return reporting(loaded.scorer(source, subject.interventions, draft), len(source.ids))

    if forced or subject.interventions:
        return afresh(), limits
    return _Recorded(runs.run(subject.sentence).recording, afresh), limits


class _Recorded:
    """Scores what follows a prefix from a recording, as long as its translation begins with it.

    From where it parts on, the scorer that `afresh` makes takes over.
    """

    def __init__(self, recording: Recording, afresh: Callable[[], Scorer]) -> None:
        self._logits = torch.tensor(recording.logits)  # T V
        self._ids = torch.tensor([recording.target_ids])  # 1 T
        self._afresh, self._scorer = afresh, None

    def __call__(self, prefixes: Tensor) -> Tensor:
        """Return the logits (N, V) of what follows each prefix (N, T)."""
        length = prefixes.size(1)
        if self._scorer is None and torch.equal(prefixes, self._ids[:, :length]):
            return self._logits[length - 1 : length]
        self._scorer = self._scorer or self._afresh()
        return self._scorer(prefixes)


def _draft(subject: Subject, forced: tuple[int, ...], limits: Limits) -> tuple[int, ...]:
    """Return ids that are likely to come out: what is forced, or else the greedy translation."""
    known = forced or runs.run(subject.sentence, subject.interventions).translation.ids
    vocabulary = range(len(runs.translator().target_tokenizer))
    return known[: limits.max_length - 1] if all(id_ in vocabulary for id_ in known) else ()


def _winning(tree: Tree) -> Iterator[Choice]:
    """Yield the steps of a tree's winner."""
    return (choice for step in tree.path(tree.winner) if (choice := tree.nodes[step].choice))


def strategy(
    name: str,
    width: int,
    penalty: float,
    temperature: float,
    top_k: int,
    top_p: float,
    seed: int,
) -> Strategy:
    """Build a strategy from a page's settings; ValueError when there is none of this name."""
    match name:
        case "greedy":
            return GREEDY
        case "beam":
            return Beam(width, penalty)
        case "sampling":
            return Sampling(temperature, top_k, top_p, seed)
    raise ValueError(f"there is no strategy {name!r}")


def _recorded(subject: Subject, choices: tuple[Choice, ...]) -> Decoding:
    """Record one pass over what was decoded: its rows are those of the single steps.

    Edits of target positions that this decode did not reach are left out, as they did nothing.
    """
    loaded = runs.translator()
    translation = loaded.translation(choices)
    run = runs.run(subject.sentence, subject.interventions)
    if translation.ids == run.translation.ids:
        recording = run.recording
    else:
        lengths = Lengths(len(run.source.ids), min(1 + len(translation.ids), loaded.max_tokens))
        fit = fitting(subject.interventions, loaded.network.config, lengths)[0]
        recording = loaded.record(run.source.text, translation, fit)
    count, whole = len(choices), np.tri(len(recording.target_ids), dtype=np.bool_)
    mask = recording.arrays.get("decoder.mask", whole)
    ranked = odds(normalised(torch.tensor(recording.logits[:count])))
    return Decoding(
        choices,
        translation,
        tuple(recording.source_tokens),
        # Copies: views would keep the rows after the last step alive.
        runs.attention(recording, "decoder")[:, :, :count, :count].copy(),
        runs.attention(recording, "cross")[:, :, :count].copy(),
        mask[:count, :count].copy(),
        ranked.log_probs.float().numpy(),
        ranked.bands.float().numpy(),
        ranked.sizes,
    )
