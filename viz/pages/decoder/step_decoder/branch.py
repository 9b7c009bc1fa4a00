"""What the step decoder draws: decodes of one sentence, as numpy and token strings."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

BranchKind = Literal["free", "forced", "given", "node"]
Fate = Literal["kept", "pruned", "finished"]


@dataclass(frozen=True)
class Piece:
    """A piece with the log-probability (nats) that the model gives it."""

    id: int
    token: str
    log_prob: float


@dataclass(frozen=True)
class Step:
    """The piece taken at a step (None: none yet), its rank, and the most probable ones."""

    chosen: Piece | None
    rank: int
    held: bool
    draw: float | None
    top: tuple[Piece, ...]


@dataclass(frozen=True, eq=False)
class Branch:
    """A decode of T steps over a source of S pieces.

    The first `kept` pieces come from the branch it parts from, the next `forced` are the
    reader's. `self_attn` (L, H, T, T), `cross_attn` (L, H, T, S) and the look-ahead `mask`
    (T, T) are those of the decoder's rows; row t chose step t. `exact` (T, K) and `bands`
    (T, bands) are the ranked log-probabilities. Raises ValueError when the shapes do not fit.
    """

    kind: BranchKind
    kept: int
    forced: int
    text: str
    steps: tuple[Step, ...]
    self_attn: NDArray[np.float32]
    cross_attn: NDArray[np.float32]
    mask: NDArray[np.bool_]
    exact: NDArray[np.float32]
    bands: NDArray[np.float32]

    def __post_init__(self) -> None:
        """Hold every array against the number of steps."""
        count = len(self.steps)
        rows = {
            "self_attn": self.self_attn.shape[2],
            "cross_attn": self.cross_attn.shape[2],
            "mask": self.mask.shape[0],
            "exact": self.exact.shape[0],
            "bands": self.bands.shape[0],
        }
        for name, length in rows.items():
            if length != count:
                raise ValueError(f"{name} has {length} rows for {count} steps")


@dataclass(frozen=True)
class TreeNode:
    """A hypothesis of the beam; the root is its own parent."""

    parent: int
    id: int
    token: str
    depth: int
    log_prob: float
    score: float
    fate: Fate


@dataclass(frozen=True)
class BeamTree:
    """All hypotheses of the search behind one branch."""

    nodes: tuple[TreeNode, ...]
    winner: int


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything on the page: a sentence, its decodes, and the sizes of the model.

    `bands` counts the pieces of each band of ranks; `problem` is a sentence about what the
    reader typed, or empty.
    """

    source_tokens: tuple[str, ...]
    begin_token: str
    end_id: int
    layers: int
    heads: int
    width: int
    vocabulary: int
    band_sizes: tuple[int, ...]
    branches: tuple[Branch, ...]
    node: Branch | None
    tree: BeamTree | None
    problem: str
