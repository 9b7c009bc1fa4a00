"""Decodes: a sentence written step by step by any strategy, and the tree of a beam search."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from model.decoding.beam import Beam, Tree
from model.decoding.greedy import Greedy
from model.decoding.odds import odds
from model.decoding.sampling import Sampling
from model.decoding.steps import Choice, Strategy, candidate, normalised
from model.measures.decoding_cost import DecodingCost, decoding_cost
from model.results import Translation
from viz.compute import runs
from viz.compute.models import kept
from viz.compute.runs import Subject
from viz.sharing.progress import report

StrategyName = Literal["greedy", "beam", "sampling"]
GREEDY = Greedy()
MOST_COUNTED = 64


@dataclass(frozen=True, eq=False)
class Decoding:
    """A decode step by step, with the attention of each step, and ranked odds of the next piece.

    Row t of the arrays chose step t. `self_attn` is (L, H, T, T) and `cross_attn` (L, H, T, S),
    both (0, 0, ...) where the model has no such attention. `mask` (T, T) marks the pieces that a
    row may look at, or has read. `exact` (T, K) and `bands` (T, bands) are as in `Odds`. `tree` is
    the whole search of a beam search. Raises ValueError when the arrays do not fit the steps.
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
    tree: Tree | None = None

    def __post_init__(self) -> None:
        """Compare every array with the number of steps."""
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

    One pass records it; the pass's rows equal the single steps. Progress is reported relative to
    the length of the source.
    """
    near = runs.run(subject.sentence, subject.interventions)
    run = runs.translator().run(
        near.source,
        subject.interventions,
        strategy,
        forced=forced,
        steps=steps,
        near=near,
        progress=report,
        lenient=True,
    )
    recording, count = run.recording, len(run.choices)
    mask = recording.arrays.get("decoder.mask", np.tri(len(recording.target_ids), dtype=np.bool_))
    log_probs = normalised(torch.tensor(recording.logits[:count]))
    ranked = odds(log_probs)
    return Decoding(
        tuple(map(_with_rival, run.choices, log_probs)),
        run.translation,
        tuple(recording.source_tokens),
        # Copies: views would keep the rows after the last step alive.
        runs.attention(recording, "decoder")[:, :, :count, :count].copy(),
        runs.attention(recording, "cross")[:, :, :count].copy(),
        mask[:count, :count].copy(),
        ranked.log_probs.float().numpy(),
        ranked.bands.float().numpy(),
        ranked.sizes,
        run.tree,
    )


def _with_rival(choice: Choice, log_probs: torch.Tensor) -> Choice:
    """Add the chosen piece's rival, such as elle for il, to a choice; `log_probs` are (V,)."""
    rival = runs.rival(choice.chosen.id)
    if rival is None or any(alternative.id == rival for alternative in choice.alternatives):
        return choice
    rival_candidate = candidate(log_probs, rival)
    return replace(choice, alternatives=(*choice.alternatives, rival_candidate))


@kept
def cost(sentence: str) -> DecodingCost:
    """Count the cost of the unchanged model's greedy translation, with and without its cache.

    It takes at most `MOST_COUNTED` steps, as the cost without a cache grows with their square. It
    reports its progress.
    """
    loaded, ids = runs.translator(), runs.source(sentence).ids
    longest = min(MOST_COUNTED, loaded.max_tokens - 1)
    return decoding_cost(loaded.model, ids, longest, report)


@dataclass(frozen=True)
class Settings:
    """The name of a strategy, and the settings of all strategies; see `Beam` and `Sampling`."""

    strategy: StrategyName
    width: int
    penalty: float
    temperature: float
    top_k: int
    top_p: float
    seed: int

    def chosen(self) -> Strategy:
        """Return the strategy; ValueError for an unknown name."""
        match self.strategy:
            case "greedy":
                return GREEDY
            case "beam":
                return Beam(self.width, self.penalty)
            case "sampling":
                return Sampling(self.temperature, self.top_k, self.top_p, self.seed)
        raise ValueError(f"there is no strategy {self.strategy!r}")
