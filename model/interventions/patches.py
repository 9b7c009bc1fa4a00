"""Activation patching: a vector taken from a run of another sentence. D or Dk is its width."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

from torch import Tensor

from model.interventions.base import Intervention, Sizes
from model.interventions.donors import Donors
from model.interventions.fields import MOST_PIECES, PERHAPS_HEAD, SITE, TEXT, numbers, ranges, split
from model.interventions.message import Message, in_layer
from model.sites.sites import SITES, SUBLAYERS, Kind, Stack, check_place
from model.sites.tap import Edit
from model.transformer.config import ModelConfig

OF_HEADS = ("q", "k", "v", "z")
"""The vectors that each head has at a token."""


@dataclass(frozen=True)
class PatchActivation(Intervention):
    """Take the vector of one token at one site from a run of another sentence, the donor.

    Source pieces are paired by the common beginning and end of the two sentences. Rows of the
    decoder are paired by number, as the donor has its own translation.

    Args:
        site: a site of the residual stream ("encoder.input", "encoder.3.norm2", "encoder.memory"),
            of a sublayer's output ("encoder.3.self_attn.out") or of the vectors of heads
            ("decoder.2.cross_attn.z").
        position: the token, from 0.
        donor: the other sentence.
        head: the head whose vector is taken, from 0; None means all, or a site without heads.

    Raises:
        ValueError: when it is used, if there is no such site, head or position, here or in the
            donor.

    >>> change = PatchActivation("encoder.memory", 1, donor="The dog is sleeping.")
    >>> recording = translator.record("The cat is sleeping.", interventions=[change])
    >>> memory = translator.record("The dog is sleeping.")["encoder.memory"]
    >>> bool(abs(recording["encoder.memory"][1] - memory[1]).max() < 1e-5)
    True

    """

    site: str
    position: int
    donor: str
    head: int | None = None
    stage = 2
    names_pieces = True
    names = ("patch",)
    joins = True

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return self._words(Message("{place}", place=self.position + 1))

    def _words(self, pieces: Message) -> Message:
        """Say where the vector of these pieces is put, and which sentence it comes from."""
        return Message(
            "{place}: “{pieces}” from “{donor}”",
            place=_place(self.site, self.head),
            pieces=pieces,
            donor=_shortened(self.donor),
        )

    @classmethod
    def words_of(cls, group: Sequence[Self], config: ModelConfig, source: Sequence[str]) -> Message:  # noqa: ARG003
        """Describe the change with pieces of the source; rows of the decoder have only numbers."""
        positions = sorted({patch.position for patch in group})
        first, last = positions[0], positions[-1]
        neighbours = len(positions) == last - first + 1
        if of_source(group[0].site) and neighbours and last < len(source):
            return group[0]._words(Message("{word}", word=tuple(source[first : last + 1])))
        return group[0]._words(Message("{place}", place=ranges(positions).replace("~", ", ")))

    @classmethod
    def read(cls, name: str, text: str) -> Sequence[Self]:  # noqa: ARG003
        """Read a site, positions, a head or "all", and the donor: e~memory.5-7.all.It~is-2e-."""
        site, positions, head, donor = split(text, 4)
        at_site, of, whose = SITE.read(site), PERHAPS_HEAD.read(head), TEXT.read(donor)
        if re.sub(r"\.\d+\.", ".{layer}.", at_site) not in _SITES:
            raise ValueError(f"no token has a vector at {at_site}")
        return [cls(at_site, position, whose, of) for position in numbers(positions, MOST_PIECES)]

    @classmethod
    def write(cls, group: Sequence[Self]) -> str:
        """Write the positions of one site, head and donor."""
        first = group[0]
        positions = ranges({patch.position for patch in group})
        head = PERHAPS_HEAD.write(first.head)
        return f"patch.{SITE.write(first.site)}.{positions}.{head}.{TEXT.write(first.donor)}"

    @classmethod
    def join(cls, some: Sequence[Self]) -> list[tuple[Self, ...]]:
        """Join the patches from one donor at one site."""
        by_place: dict[tuple[str, str, int | None], list[Self]] = {}
        for patch in some:
            by_place.setdefault((patch.site, patch.donor, patch.head), []).append(patch)
        return [tuple(group) for group in by_place.values()]

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when there is no such site, head or position, here or in the donor."""
        dims = patched_sites(sizes.config).get(self.site)
        if dims is None:
            raise ValueError(f"there is no site {self.site!r} at which a token has a vector")
        heads = sizes.config.heads if dims[0] == "H" else 0
        if self.head is not None and not heads:
            raise ValueError(f"{self.site} has no heads: head must be None, not {self.head!r}")
        if self.head is not None:
            check_place("head", self.head, heads)
        limit = sizes.config.max_length
        if sizes.lengths:
            lengths = sizes.lengths
            limit = lengths.source if of_source(self.site) else lengths.target or limit
        check_place("position", self.position, limit)
        if sizes.lengths:
            self._partner(sizes.lengths.donors)

    def _partner(self, donors: Donors | None) -> int:
        """Return the donor's position that corresponds to this one."""
        if donors is None:
            raise ValueError("a vector of another sentence needs a run of that sentence")
        if of_source(self.site):
            partner = donors.partner(self.donor, self.position)
        else:
            partner = self.position if self.position < len(donors.target(self.donor)) else None
        if partner is None:
            piece = f"piece {self.position} ({self.position + 1} on screen)"
            raise ValueError(f"{self.donor!r} has nothing that stands for {piece}")
        return partner

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        """Put the donor's vector in place of the sentence's own."""
        donors = sizes.lengths.donors if sizes.lengths else None
        partner = self._partner(donors)
        assert donors is not None  # without donors there is no partner

        def take() -> Tensor:
            vector = donors.activation(self.donor, self.site)[..., partner, :]  # D or H Dk
            return (vector if self.head is None else vector[self.head]).clone()

        return [(self.site, Put(self.position, self.head, take))]

    @property
    def put_in(self) -> tuple[tuple[str, int, int | None], ...]:
        """Return the place of the donor's vector."""
        return ((self.site, self.position, self.head),)

    @property
    def target_pieces(self) -> int:
        """Return how long the target must be for the decoder's row to exist."""
        return 1 if of_source(self.site) else self.position + 1


class Put:
    """Puts a vector at a position of a tensor (B, n, D) or (B, H, n, Dk), if it is long enough.

    It calls `take` for the vector when it is first needed, then drops `take` and its data.
    """

    def __init__(self, position: int, head: int | None, take: Callable[[], Tensor]) -> None:
        """Keep the place of the vector, and the function that returns it."""
        self._position, self._head = position, head
        self._take: Callable[[], Tensor] | None = take
        self._vector: Tensor | None = None

    def __call__(self, tensor: Tensor, *made_of: Tensor) -> Tensor:  # noqa: ARG002
        """Return the tensor with the vector; a shorter prefix stays unchanged."""
        if self._position >= tensor.size(-2):
            return tensor
        changed = tensor.clone()
        part = changed if self._head is None else changed[:, self._head]  # B ... n D
        part[..., self._position, :] = self.vector
        return changed

    @property
    def vector(self) -> Tensor:
        """The vector, (D,), (H, Dk) or (Dk,)."""
        if self._vector is None:
            assert self._take is not None
            self._vector = self._take()
            self._take = None
        return self._vector


def of_source(site: str) -> bool:
    """Return True if a site's positions are pieces of the source, not rows of the decoder."""
    return site.startswith("encoder.") or site.endswith((".cross_attn.k", ".cross_attn.v"))


def patched_sites(config: ModelConfig) -> dict[str, tuple[str, ...]]:
    """Return the dims of every site that can be patched, by name."""
    return {name: site.dims for name, site in config.sites().items() if _holds_vectors(name)}


def _holds_vectors(site: str) -> bool:
    part = site.rpartition(".")[2]
    return part in ("input", "memory", "out", *OF_HEADS) or part.startswith("norm")


def _shortened(text: str, most: int = 30) -> str:
    """Return as many of a text's last words as fit."""
    return text if len(text) <= most else f"… {text[-most:].partition(' ')[2] or text[-most:]}"


def _place(site: str, head: int | None) -> Message:
    """Describe a site in words."""
    stack: Stack = "encoder" if site.startswith("encoder") else "decoder"
    _, *rest = site.split(".")
    if rest == ["memory"]:
        return Message("memory")
    if rest == ["input"]:
        return Message("{stack} input", stack=stack)
    layer, *rest = int(rest[0]), *rest[1:]
    if len(rest) == 1:  # a norm
        number = int(rest[0].removeprefix("norm")) - 1
        after = SUBLAYERS[stack][number]
        where = in_layer(stack, layer)
        return Message("{layer} after {sublayer}", layer=where, sublayer=after)
    sublayer, part = rest
    if part == "out":
        return Message(
            "output of {layer}, {sublayer}",
            layer=in_layer(stack, layer),
            sublayer=next(name for name in SUBLAYERS[stack] if name == sublayer),
        )
    kind: Kind = "cross" if sublayer == "cross_attn" else stack
    if head is None:
        return Message("{part} of {layer}", part=part, layer=in_layer(kind, layer))
    return Message("{part} of {head}", part=part, head=(kind, layer, head))


_SITES = frozenset(site.name for site in SITES if _holds_vectors(site.name))
