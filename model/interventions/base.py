"""The base class of all interventions, which check themselves and return edits of sites."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from reprlib import repr as shortened
from typing import Any, ClassVar, Literal, Self

from torch import Tensor

from model.interventions.donors import Donors
from model.interventions.fields import Field, split
from model.interventions.message import Message
from model.sites.sites import KINDS, STACKS, Kind, check_choice, check_place
from model.sites.tap import Edit
from model.transformer.config import ModelConfig


@dataclass(frozen=True)
class Lengths:
    """The numbers of pieces in a run, without padding; `target` is None while it is being written.

    `donors` are the other sentences that vectors can be taken from, or None.
    """

    source: int
    target: int | None = None
    donors: Donors | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Sizes:
    """The sizes that an intervention must fit: those of a model and, if known, of a run.

    `padded` is the length of the source with padding, or None.
    """

    config: ModelConfig
    lengths: Lengths | None = None
    padded: int | None = None

    @property
    def source(self) -> int:
        """Return the number of source pieces, padding included, or the model's limit if unknown."""
        return self.padded or (self.lengths.source if self.lengths else self.config.max_length)

    @property
    def target(self) -> int:
        """Return the number of target pieces, or the model's limit if it is not known yet."""
        return (self.lengths and self.lengths.target) or self.config.max_length

    def grid(self, kind: Kind) -> tuple[int, int]:
        """Return the numbers of queries and of keys of this kind of attention."""
        queries = self.source if kind == "encoder" else self.target
        return queries, self.target if kind == "decoder" else self.source


def check_dots(sizes: Sizes) -> None:
    """Raise ValueError when the model's scores are no dot products."""
    if sizes.config.scores != "dot":
        raise ValueError("this model's scores are additive, v tanh(q + k), and no dot products")


@dataclass(frozen=True)
class UnreachableQuery:
    """A query without any key to look at in this head; all numbers count from 0."""

    kind: Kind
    layer: int
    head: int
    query: int


class Intervention(ABC):
    """A change that a user makes to a model; every kind is a frozen dataclass with these methods.

    Several interventions are made in the order of their `stage`. Those that would undo others come
    early (0). Those that must hold in the end come late: 2, or 3 where even stage 2 must not undo
    them. With `names_pieces`, an intervention belongs to one sentence.

    In a link, an intervention is one of its `names` and the values of its dataclass in order,
    written by `fields`. Interventions of a type that `joins` may share a piece of the link.
    `choices` are the values that a field of this name may have in any model.

    Raises:
        ValueError: a value is not among its `choices`, or a layer or head is no whole number.

    >>> from model.interventions.heads import AblateHead
    >>> isinstance(AblateHead("encoder 6.4"), Intervention)
    True

    """

    names: ClassVar[tuple[str, ...]] = ()
    fields: ClassVar[tuple[Field[Any], ...]] = ()
    joins: ClassVar[bool] = False
    stage: ClassVar[int] = 1
    names_pieces: ClassVar[bool] = False
    choices: ClassVar[Mapping[str, Sequence[str]]] = {"kind": KINDS, "stack": STACKS}

    def __post_init__(self) -> None:
        """Raise ValueError when a value is not among its `choices`, or a head no number."""
        for name, value in vars(self).items():
            if name in self.choices:
                check_choice(name, value, self.choices[name])
            if name in ("layer", "head") and not isinstance(value, Integral | None):
                raise ValueError(f"{name} must be a whole number, from 0, not {shortened(value)}")

    @abstractmethod
    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the intervention does not fit a model or a run of these sizes."""

    @abstractmethod
    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        """Return the changed sites, each with the function that changes it."""

    @property
    @abstractmethod
    def words(self) -> Message:
        """Describe the change in a few words."""

    @classmethod
    def words_of(cls, group: Sequence[Self], config: ModelConfig, source: Sequence[str]) -> Message:  # noqa: ARG003
        """Describe a group's change to a model of these sizes and a source of these pieces."""
        return group[0].words

    @classmethod
    def read(cls, name: str, text: str) -> Sequence[Self]:  # noqa: ARG003
        """Read the values after a name in a link; ValueError when they make no sense."""
        values = zip(cls.fields, split(text, len(cls.fields)), strict=True)
        return [cls(*(field.read(value) for field, value in values))]

    @classmethod
    def write(cls, group: Sequence[Self]) -> str:
        """Write a group of `join` for a link, with its name."""
        values = zip(cls.fields, vars(group[0]).values(), strict=True)
        return ".".join([cls.names[0], *(field.write(value) for field, value in values)])

    @classmethod
    def join(cls, some: Sequence[Self]) -> list[tuple[Self, ...]]:
        """Group the interventions that make one piece of a link and one chip on screen."""
        return [(intervention,) for intervention in some]

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return the sites of the blocks that are left out: a sublayer's output, a sum, a norm."""
        return ()

    def alike(self, kind: Kind) -> int:  # noqa: ARG002
        """Return how many neighbouring heads of a kind share one key, the mean of their keys."""
        return 1

    def keys_by(self, kind: Kind) -> Literal["q", "k"]:  # noqa: ARG002
        """Return which matrix now makes the keys of a kind: "k" for W_K, or "q" for W_Q."""
        return "k"

    @property
    def put_in(self) -> tuple[tuple[str, int, int | None], ...]:
        """Return the vectors put in place of the model's own: site, position, head or None."""
        return ()

    @property
    def looks_ahead(self) -> bool:
        """Return True if the decoder's values for a piece now depend on later pieces."""
        return False

    @property
    def alone(self) -> bool:
        """Tell whether each position is changed by itself, so that earlier ones can be kept."""
        return False

    @property
    def target_pieces(self) -> int:
        """Return how long the target must be so that every named piece exists."""
        return 1

    def padded(self, length: int) -> int:
        """Return how many pieces a source of this length has with its padding."""
        return length

    def forbids(self, query: UnreachableQuery) -> bool:  # noqa: ARG002
        """Return True if this intervention takes keys from a query."""
        return False


def check_interventions(interventions: Sequence[Intervention]) -> None:
    """Raise ValueError unless these are interventions in a sequence."""
    row = interventions if isinstance(interventions, Iterable) else [None]
    if not all(isinstance(intervention, Intervention) for intervention in row):
        raise ValueError(
            'interventions must be a list, such as [AblateHead("encoder 6.4")], '
            f"not {str(interventions)[:60]}"
        )


class MergingEdit(ABC):
    """An edit that merges with other edits of its type at the same site."""

    @abstractmethod
    def __call__(self, tensor: Tensor, *made_of: Tensor) -> Tensor:
        """Return the changed tensor; the given one is not changed."""

    @abstractmethod
    def merged(self, others: Sequence[Edit]) -> Edit:
        """Return one edit, of the same type, with the effect of this edit and the others."""


def check_head(kind: Kind, layer: int | None, head: int | None, config: ModelConfig) -> None:
    """Raise ValueError when a model of these sizes has no such layer or head; None means all."""
    for name, value, count in (("layer", layer, config.layers(kind)), ("head", head, config.heads)):
        if value is not None:
            check_place(name, value, count)
