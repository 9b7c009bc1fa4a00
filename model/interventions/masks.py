"""Changes to the masks: masks lifted, links forbidden, pieces hidden, padding added.

B is the batch, H the heads, T the queries, S the keys; a mask is True where a query may look.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import torch
from torch import Tensor

from model.interventions.base import (
    Intervention,
    MergingEdit,
    Sizes,
    UnreachableQuery,
    check_head,
)
from model.interventions.fields import KIND, LENGTH, PLACE, STACK, span, split
from model.interventions.message import Message, in_layer, piece_named, query_named
from model.sites.sites import Kind, Stack, attention_site, check_place, mask_site
from model.sites.tap import Edit
from model.transformer.config import ModelConfig
from model.words import WORD_START


@dataclass(frozen=True)
class LiftMask(Intervention):
    """Let every query of a kind of attention look at every key, in all layers.

    Args:
        kind: "encoder", "decoder" or "cross".

    Raises:
        ValueError: there is no such kind.

    >>> recording = translator.record("Yes.", interventions=[LiftMask("decoder")])
    >>> bool(recording["decoder.mask"].all())
    True

    """

    kind: Kind
    stage = 0
    names = ("lift",)
    fields = (KIND,)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        ahead, padding = Message("look-ahead mask"), Message("padding mask")
        mask = ahead if self.kind == "decoder" else padding
        return Message("{kind}: {mask} lifted", kind=self.kind, mask=mask)

    def check(self, sizes: Sizes) -> None:
        """Accept every model, as each has these masks."""

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Make the mask all True."""
        return [(mask_site(self.kind), torch.ones_like)]

    @property
    def looks_ahead(self) -> bool:
        """Return True for the decoder: only it has a future."""
        return self.kind == "decoder"


@dataclass(frozen=True)
class InvertMask(Intervention):
    """Swap the visible and the hidden pieces of the decoder's self-attention.

    Every piece sees only later pieces. The newest piece has none; it sees itself, as softmax over
    nothing is 0 / 0.

    >>> recording = translator.record("Yes.", interventions=[InvertMask()])
    >>> bool(recording["decoder.mask"][0, 0])
    False
    """

    names = ("invert",)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("look-ahead mask with zeros and ones exchanged")

    @classmethod
    def read(cls, name: str, text: str) -> Sequence[Self]:
        """Read "invert.d": only the decoder has a look-ahead mask."""
        if KIND.read(text) != "decoder":
            raise ValueError(f"{name} is for the decoder, not {text}")
        return [cls()]

    @classmethod
    def write(cls, group: Sequence[Self]) -> str:  # noqa: ARG003
        """Write this in the form of other masks."""
        return f"{cls.names[0]}.{KIND.write('decoder')}"

    def check(self, sizes: Sizes) -> None:
        """Accept every model, as each has this mask."""

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Swap the mask's values, and let a row without any key see itself."""
        return [(mask_site("decoder"), inverted)]

    @property
    def looks_ahead(self) -> bool:
        """Return True: every piece sees later pieces."""
        return True


def inverted(mask: Tensor) -> Tensor:
    """Swap True and False of a square mask (B, T, T); a row of False keeps its diagonal."""
    return or_itself(~mask)


def or_itself(mask: Tensor) -> Tensor:
    """Let a query that sees nothing in a square mask (B, T, T) see itself."""
    diagonal = torch.eye(mask.size(-1), dtype=torch.bool, device=mask.device)  # T T
    return mask | (diagonal & ~mask.any(dim=-1, keepdim=True))  # B T T


@dataclass(frozen=True)
class Window(Intervention):
    """Let the self-attention of a stack see only the pieces around a query, in all layers.

    This is the restricted self-attention of table 1 of the paper, with r for the size. Half of the
    window lies before the query and half after it, where the decoder's look-ahead mask still hides
    it. A padding query sees itself if there is only padding around it.

    Args:
        stack: "encoder" or "decoder".
        size: the size of the window in pieces, an odd number.

    Raises:
        ValueError: there is no such stack or, when it is used, the size is not odd.

    >>> recording = translator.record("The cat is sleeping.", interventions=[Window("encoder", 3)])
    >>> recording["encoder.mask"][1, :4].tolist()
    [True, True, True, False]

    """

    stack: Stack
    size: int
    stage = 2
    names = ("window",)
    fields = (STACK, LENGTH)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("{stack}: window of {size}", stack=self.stack, size=self.size)

    def check(self, sizes: Sizes) -> None:  # noqa: ARG002
        """Raise ValueError when the window has no middle piece."""
        if type(self.size) is not int or self.size < 1 or self.size % 2 == 0:
            raise ValueError(f"size must be an odd number from 1 on, not {self.size!r}")

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Take the distant keys out of the mask."""
        reach = self.size // 2

        def edit(mask: Tensor) -> Tensor:  # B T T
            near = torch.ones_like(mask[0]).tril(reach).triu(-reach)  # T T
            return or_itself(mask & near)

        return [(mask_site(self.stack), edit)]

    def forbids(self, query: UnreachableQuery) -> bool:
        """Return True for every query of the stack's self-attention: it may lose keys."""
        return query.kind == self.stack


@dataclass(frozen=True)
class HideSource(Intervention):
    """Mask out pieces of the source, so that no query can look at them.

    Args:
        first: the first piece, from 0.
        last: the last piece, from 0; it is masked, too.

    Raises:
        ValueError: when it is used, if the source has no such pieces.

    >>> recording = translator.record("The cat is sleeping.", interventions=[HideSource(1, 1)])
    >>> bool(recording.attention("cross")[..., 1].any())
    False

    """

    first: int
    last: int
    stage = 3
    names_pieces = True
    names = ("hide",)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("“{word}” masked out", word=f"{self.first + 1}-{self.last + 1}")

    @classmethod
    def words_of(cls, group: Sequence[Self], config: ModelConfig, source: Sequence[str]) -> Message:  # noqa: ARG003
        """Describe the change, with the hidden word unless it has no visible character."""
        first = group[0]
        word = tuple(source[first.first : first.last + 1])
        seen = "".join(word).strip(WORD_START)
        return Message("“{word}” masked out", word=word) if seen else first.words

    @classmethod
    def read(cls, name: str, text: str) -> Sequence[Self]:  # noqa: ARG003
        """Read a span of pieces: 3-4."""
        first, last = span(text)
        return [cls(first - 1, last - 1)]

    @classmethod
    def write(cls, group: Sequence[Self]) -> str:
        """Write a span of pieces."""
        return f"hide.{group[0].first + 1}-{group[0].last + 1}"

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the source, without padding, has no such pieces."""
        end = sizes.lengths.source if sizes.lengths else sizes.config.max_length
        if not 0 <= self.first <= self.last < end:
            raise ValueError(
                f"no pieces {self.first} to {self.last}, from 0, or {self.first + 1} to "
                f"{self.last + 1} on screen: the source has {end}"
            )

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Take the pieces out of the keys of both masks over the source."""
        hide = hide_keys(self.first, self.last)
        return [(mask_site("encoder"), hide), (mask_site("cross"), hide)]

    def forbids(self, query: UnreachableQuery) -> bool:
        """Return True for every query over the source: it loses these keys."""
        return query.kind != "decoder"


@dataclass(frozen=True)
class PadSource(Intervention):
    """Fill the source with padding; a source that is long enough stays as it is.

    Args:
        length: the number of pieces with the padding.

    Raises:
        ValueError: when it is used, if the model takes no source of this length.

    >>> recording = translator.record("The cat is sleeping.", interventions=[PadSource(12)])
    >>> len(recording.source_tokens)
    12

    """

    length: int
    stage = 0
    names = ("pad",)
    fields = (LENGTH,)

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return Message("padded to {length} pieces", length=self.length)

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the model takes no source of this length."""
        most = sizes.config.max_length
        if not 1 <= self.length <= most:
            raise ValueError(f"length must be 1 to {most}, not {self.length}")

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Return no edits: the ids are padded before the run."""
        return []

    def padded(self, length: int) -> int:
        """Return the greater of the source's length and the padded length."""
        return max(length, self.length)


@dataclass(frozen=True)
class BlockAttention(Intervention):
    """Forbid one link from a query to a key, in one head or in several.

    Args:
        kind: "encoder", "decoder" or "cross".
        query: the row, from 0.
        key: the key, from 0.
        layer: the layer, from 0; None means all layers.
        head: the head in its layer, from 0; None means all heads.

    Raises:
        ValueError: there is no such kind or, when it is used, no such head, query or key, or if the
            query is left without any key.

    >>> change = BlockAttention("encoder", query=2, key=1)
    >>> recording = translator.record("The cat is sleeping.", interventions=[change])
    >>> bool(recording.attention("encoder")[:, :, 2, 1].any())
    False

    """

    kind: Kind
    query: int
    key: int
    layer: int | None = None
    head: int | None = None
    stage = 2
    names_pieces = True
    names = ("block",)
    joins = True

    @property
    def words(self) -> Message:
        """Describe the change in a few words."""
        return self._words(Message("{query} → {key}", query=self.query + 1, key=self.key + 1))

    def _words(self, links: Message) -> Message:
        """Say that the links of this place are forbidden."""
        where = Message("{kind}", kind=self.kind)
        if self.layer is not None and self.head is not None:
            where = Message("{head}", head=(self.kind, self.layer, self.head))
        elif self.layer is not None:
            where = in_layer(self.kind, self.layer)
        return Message("{place}: {links} forbidden", place=where, links=links)

    @classmethod
    def words_of(cls, group: Sequence[Self], config: ModelConfig, source: Sequence[str]) -> Message:  # noqa: ARG003
        """Say how many links are forbidden, or name the only one by its words, if known."""
        if len(group) == 1:
            link = group[0]
            query = query_named(link.kind, link.query, source)
            key = piece_named(link.key, () if link.kind == "decoder" else source)
            return link._words(Message("{query} → {key}", query=query, key=key))
        return group[0]._words(Message("{count} links", count=len(group)))

    @classmethod
    def read(cls, name: str, text: str) -> Sequence[Self]:  # noqa: ARG003
        """Read a kind, a layer, a head (or "all" of them) and links: c.4.all.5-7~5-8."""
        kind, layer, head, pairs = split(text, 4)
        of = KIND.read(kind)
        layer_and_head = [
            None if number == "all" else PLACE.read(number) for number in (layer, head)
        ]
        links = [link.partition("-") for link in pairs.split("~")]
        return [
            cls(of, PLACE.read(query), PLACE.read(key), *layer_and_head) for query, _, key in links
        ]

    @classmethod
    def write(cls, group: Sequence[Self]) -> str:
        """Write the links of one layer and head."""
        kind, *place = group[0].kind, group[0].layer, group[0].head
        layer, head = ("all" if number is None else PLACE.write(number) for number in place)
        pairs = "~".join(f"{link.query + 1}-{link.key + 1}" for link in group)
        return f"block.{KIND.write(kind)}.{layer}.{head}.{pairs}"

    @classmethod
    def join(cls, some: Sequence[Self]) -> list[tuple[Self, ...]]:
        """Join the links that are forbidden in the same layers and heads."""
        by_place: dict[tuple[Kind, int | None, int | None], list[Self]] = {}
        for link in some:
            by_place.setdefault((link.kind, link.layer, link.head), []).append(link)
        return [tuple(group) for group in by_place.values()]

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when there is no such head, query or key."""
        check_head(self.kind, self.layer, self.head, sizes.config)
        queries, keys = sizes.grid(self.kind)
        check_place("query", self.query, queries)
        check_place("key", self.key, keys)

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        """Forbid the link in the scores of its layer or of all layers."""
        config, link = sizes.config, (self.head, self.query, self.key)
        layers = range(config.layers(self.kind)) if self.layer is None else (self.layer,)
        forbid = ForbidLinks((link,), config.heads)
        return [(attention_site(self.kind, number, "scores"), forbid) for number in layers]

    @property
    def target_pieces(self) -> int:
        """Return how long the target must be for the query to exist; its keys stand before it."""
        return 1 if self.kind == "encoder" else self.query + 1

    def forbids(self, query: UnreachableQuery) -> bool:
        """Return True if the link belongs to this query in this head."""
        return (
            (self.kind, self.query) == (query.kind, query.query)
            and self.layer in (None, query.layer)
            and self.head in (None, query.head)
        )


@dataclass(frozen=True, eq=False)
class ForbidLinks(MergingEdit):
    """Sets the scores of links to minus infinity, as far as a prefix reaches.

    A link is (head, query, key), with head None for all heads. All links make one mask.
    """

    links: tuple[tuple[int | None, int, int], ...]
    heads: int

    def __call__(self, tensor: Tensor, *made_of: Tensor) -> Tensor:  # noqa: ARG002
        """Return scores (B, H, T, S) without the links."""
        forbidden = self._forbidden[:, : tensor.size(-2), : tensor.size(-1)]  # H t s
        scores = tensor.clone()
        reached = scores[..., : forbidden.size(1), : forbidden.size(2)]  # B H t s
        reached.masked_fill_(forbidden.to(scores.device), -torch.inf)
        return scores

    def merged(self, others: Sequence[Edit]) -> Edit:
        """Join the links of all edits."""
        links = (link for edit in others if isinstance(edit, ForbidLinks) for link in edit.links)
        return ForbidLinks((*self.links, *links), self.heads)

    @cached_property
    def _forbidden(self) -> Tensor:
        """Mark the links in the smallest mask that holds them, H t s."""
        queries = 1 + max(query for _, query, _ in self.links)
        keys = 1 + max(key for _, _, key in self.links)
        mask = np.zeros((self.heads, queries, keys), dtype=np.bool_)
        for head, query, key in self.links:
            mask[slice(None) if head is None else head, query, key] = True
        return torch.from_numpy(mask)


def hide_keys(first: int, last: int) -> Edit:
    """Take the keys from `first` to `last` out of a mask."""

    def edit(mask: Tensor) -> Tensor:  # B T S
        mask = mask.clone()
        mask[..., first : last + 1] = False
        return mask

    return edit
