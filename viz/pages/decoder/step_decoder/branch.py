"""The scene of the step decoder: decodes of a sentence, and the tree of a beam search."""

from dataclasses import dataclass
from typing import Literal

from model.decoding.beam import Tree
from model.recurrent.config import RecurrentConfig
from model.transformer.config import ModelConfig
from viz.compute.decodes import Decoding

BranchKind = Literal["free", "forced", "given", "node"]


@dataclass(frozen=True, eq=False)
class Branch:
    """A decode on the page.

    The first `kept` pieces are shared with the branch from which it parts; the next `forced` pieces
    are the reader's. With `open`, the last step was not taken: it only shows what the model
    expects.
    """

    kind: BranchKind
    kept: int
    forced: int
    decoding: Decoding
    open: bool = False


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything on the page: a sentence's decodes, the free decode first, and the model's sizes.

    `tokens` has the name of every piece by its id. `node` is the chosen hypothesis of the `tree`,
    if any. `problem` is a sentence about something that could not be done, or empty.
    """

    config: ModelConfig | RecurrentConfig
    tokens: tuple[str, ...]
    branches: tuple[Branch, ...]
    node: Branch | None
    tree: Tree | None
    problem: str
