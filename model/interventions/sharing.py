"""Keys and values that are shared by several heads, or made from the queries.

B is the batch, H the heads, S keys, Dk their width.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from model.interventions.base import Intervention, MergingEdit, Sizes, check_dots
from model.interventions.fields import KIND, LENGTH, MATRICES, STACK
from model.interventions.message import Message
from model.sites.sites import Kind, Stack, attention_site
from model.sites.tap import Edit


@dataclass(frozen=True)
class ShareKeysValues(Intervention):
    """Give each group of neighbouring heads one key and one value, the means of its heads.

    A single group is multi-query attention (Shazeer, arXiv 1911.02150). Smaller groups are
    grouped-query attention (Ainslie et al., arXiv 2305.13245, who also average, and then train on).

    Args:
        kind: "encoder", "decoder" or "cross".
        size: the number of heads in a group; it must divide the number of heads.

    Raises:
        ValueError: there is no such kind or, when it is used, the size does not divide the heads.

    >>> recording = translator.record("Yes.", interventions=[ShareKeysValues("encoder", 2)])
    >>> keys = recording.part("encoder", 0, "k")
    >>> bool((keys[0] == keys[1]).all())
    True

    """

    kind: Kind
    size: int
    names = ("share",)
    fields = (KIND, LENGTH)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{kind}: one key and value for {size} heads", kind=self.kind, size=self.size)

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the heads cannot be split into groups of this size."""
        heads = sizes.config.heads
        if type(self.size) is not int or self.size < 1 or heads % self.size:
            raise ValueError(f"size must divide the {heads} heads, not {self.size!r}")

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        """Average keys and values in every layer."""
        edit = MeanOfGroups(self.size)
        layers = range(sizes.config.layers(self.kind))
        return [(attention_site(self.kind, layer, part), edit) for layer in layers for part in "kv"]

    def alike(self, kind: Kind) -> int:
        """Return how many neighbouring heads share one key."""
        return self.size if kind == self.kind else 1


@dataclass(frozen=True)
class TieQueries(Intervention):
    """Make the keys of a stack's self-attention from the queries' matrix and bias: W_K = W_Q.

    The score from one piece to another then equals the score back.

    Args:
        stack: "encoder" or "decoder".
        values: whether the values are made so, too: W_V = W_Q.

    Raises:
        ValueError: there is no such stack or, when it is used, positions would rotate the values,
            or the scores are no dot products.

    >>> scores = translator.record("Yes.", interventions=[TieQueries("encoder")])
    >>> scores = scores.part("encoder", 0, "scores")
    >>> bool(abs(scores - scores.swapaxes(-1, -2)).max() < 1e-4)
    True

    """

    stack: Stack
    values: bool = False
    stage = 0
    names = ("tie",)
    fields = (STACK, MATRICES)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        if self.values:
            return Message("{stack} self-attention: W_Q = W_K = W_V", stack=self.stack)
        return Message("{stack} self-attention: W_Q = W_K", stack=self.stack)

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when positions would rotate the values, or scores are no products."""
        check_dots(sizes)
        if self.values and sizes.config.positions == "rotary":
            raise ValueError("this model turns its queries by their positions, and no values")

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        """Replace the keys, and with `values` the values, by the queries in every layer."""
        parts, layers = "kv" if self.values else "k", range(sizes.config.layers(self.stack))
        return [
            (attention_site(self.stack, layer, part), as_queries)
            for layer in layers
            for part in parts
        ]

    def keys_by(self, kind: Kind) -> Literal["q", "k"]:
        """Return "q" for the stack's self-attention: its keys are made by W_Q."""
        return "q" if kind == self.stack else "k"


def as_queries(tensor: Tensor, queries: Tensor) -> Tensor:  # noqa: ARG001
    """Return the queries (B, H, S, Dk) before any change."""
    return queries


@dataclass(frozen=True)
class MeanOfGroups(MergingEdit):
    """Gives every head the mean of its group."""

    size: int

    def __call__(self, tensor: Tensor, *made_of: Tensor) -> Tensor:  # noqa: ARG002
        """Return keys or values (B, H, S, Dk), equal within each group."""
        groups = tensor.unflatten(1, (-1, self.size))  # B H/size size S Dk
        return groups.mean(dim=2, keepdim=True).expand_as(groups).flatten(1, 2)  # B H S Dk

    def merged(self, others: Sequence[Edit]) -> Edit:
        """Return the edit with the largest groups."""
        sizes = (edit.size for edit in others if isinstance(edit, MeanOfGroups))
        return MeanOfGroups(max((self.size, *sizes)))
