"""The scene of the step decoder: decodes of one sentence, and the tree behind one of them."""

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

    The first `kept` pieces are those of the branch from which it parts, the next `forced` are the
    reader's. `open` tells that the last step was not taken: it only shows what the model expects.
    """

    kind: BranchKind
    kept: int
    forced: int
    decoding: Decoding
    open: bool = False


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything on the page: a sentence's decodes, the free one first, and the model's sizes.

    `tokens` has the name of every piece by its id. `node` is the chosen hypothesis of the `tree`,
    if any. `problem` is a sentence about something that could not be done, or empty.
    """

    config: ModelConfig | RecurrentConfig
    tokens: tuple[str, ...]
    branches: tuple[Branch, ...]
    node: Branch | None
    tree: Tree | None
    problem: str
