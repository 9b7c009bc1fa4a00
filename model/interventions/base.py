"""What every intervention is: frozen data that checks itself and turns into edits of sites."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

from torch import Tensor

from model.interventions.donors import Donors
from model.interventions.fields import Field, split
from model.interventions.message import Message
from model.sites.sites import Kind, check_kind
from model.sites.tap import Edit
from model.transformer.config import ModelConfig


@dataclass(frozen=True)
class Lengths:
    """How many pieces a run is about, without padding; target None while it is being written.

    `donors` are the other sentences that something can be carried over from, None without any.
    """

    source: int
    target: int | None = None
    donors: Donors | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Sizes:
    """What an intervention has to fit: a model and, if it is known, a run.

    `padded` is the length of the source with padding, None without.
    """

    config: ModelConfig
    lengths: Lengths | None = None
    padded: int | None = None

    @property
    def source(self) -> int:
        """Pieces of the source with padding; while unknown, as many as the model takes."""
        return self.padded or (self.lengths.source if self.lengths else self.config.max_length)

    @property
    def target(self) -> int:
        """Pieces of the target; while unknown, as many as the model takes."""
        return (self.lengths and self.lengths.target) or self.config.max_length

    def grid(self, kind: Kind) -> tuple[int, int]:
        """Return how many queries and how many keys this kind of attention has."""
        queries = self.source if kind == "encoder" else self.target
        return queries, self.target if kind == "decoder" else self.source


@dataclass(frozen=True)
class UnreachableQuery:
    """A query that may look at nothing in this head; all numbers count from 0."""

    kind: Kind
    layer: int
    head: int
    query: int


class Intervention(ABC):
    """Something a user changes in a model: every kind is a frozen dataclass with these methods.

    `stage` decides the order: what would undo others comes early (0), what has to hold in the
    end comes late (2, and 3 what not even those may undo). `names_pieces` tells that an
    intervention is about one sentence only.

    In a link it stands as one of `names` and the values of its dataclass in order, written by
    `fields`. Those of a type that `joins` may share a piece.
    """

    names: ClassVar[tuple[str, ...]] = ()
    fields: ClassVar[tuple[Field[Any], ...]] = ()
    joins: ClassVar[bool] = False
    stage: ClassVar[int] = 1
    names_pieces: ClassVar[bool] = False

    @abstractmethod
    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when this does not exist in a model or a run of these sizes."""

    @abstractmethod
    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        """Return the sites that this changes, each with the function that does it."""

    @property
    @abstractmethod
    def words(self) -> Message:
        """What this does, in a few words."""

    @classmethod
    def words_of(cls, group: Sequence[Self], config: ModelConfig, source: Sequence[str]) -> Message:  # noqa: ARG003
        """Say what a group does to a model of these sizes and a source of these pieces."""
        return group[0].words

    @classmethod
    def read(cls, name: str, text: str) -> Sequence[Self]:  # noqa: ARG003
        """Read what follows a name in a link; ValueError when it says nothing."""
        values = zip(cls.fields, split(text, len(cls.fields)), strict=True)
        return [cls(*(field.read(value) for field, value in values))]

    @classmethod
    def write(cls, group: Sequence[Self]) -> str:
        """Write a group of `join` for a link, with its name."""
        values = zip(cls.fields, vars(group[0]).values(), strict=True)
        return ".".join([cls.names[0], *(field.write(value) for field, value in values)])

    @classmethod
    def join(cls, some: Sequence[Self]) -> list[tuple[Self, ...]]:
        """Group what makes one piece of a link and one chip on screen."""
        return [(one,) for one in some]

    @property
    def left_out(self) -> tuple[str, ...]:
        """The sites at which this leaves a block out: a sublayer's output, a sum, a norm."""
        return ()

    def alike(self, kind: Kind) -> int:  # noqa: ARG002
        """Return how many neighbouring heads of a kind this gives one key, the mean of theirs."""
        return 1

    def keys_by(self, kind: Kind) -> Literal["q", "k"]:  # noqa: ARG002
        """Name the matrix that this lets make the keys of a kind: W_K, or that of the queries."""
        return "k"

    @property
    def put_in(self) -> tuple[tuple[str, int, int | None], ...]:
        """The vectors that this puts in place of the model's own: site, position, head or None."""
        return ()

    @property
    def looks_ahead(self) -> bool:
        """Whether what the decoder computes for a piece then depends on the pieces after it."""
        return False

    @property
    def target_pieces(self) -> int:
        """How many pieces of the target there must be until all that this names is there."""
        return 1

    def padded(self, length: int) -> int:
        """Return how many pieces a source of this length has with the padding of this."""
        return length

    def forbids(self, query: UnreachableQuery) -> bool:  # noqa: ARG002
        """Tell whether this takes keys from a query, so that leaving it out may help."""
        return False


class MergingEdit(ABC):
    """An edit that becomes one with the others of its type at the same site."""

    @abstractmethod
    def __call__(self, tensor: Tensor, *made_of: Tensor) -> Tensor:
        """Return the changed tensor; the one given stays as it is."""

    @abstractmethod
    def merged(self, others: Sequence[Edit]) -> Edit:
        """Return one edit that does what this one and the others, of its own type, do."""


def check_head(kind: Kind, layer: int | None, head: int | None, config: ModelConfig) -> None:
    """Raise ValueError when a model of these sizes has no such kind, layer or head; None is all."""
    check_kind(kind)
    limits = {"layer": (layer, config.layers(kind)), "head": (head, config.heads)}
    for name, (value, limit) in limits.items():
        if value is not None and not 0 <= value < limit:
            raise ValueError(f"{name} must be 0 to {limit - 1}, not {value}")
