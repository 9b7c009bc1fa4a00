"""Who may look at whom: masks lifted, links forbidden, pieces hidden, padding added.

B is the batch, H the heads, T the queries, S the keys; a mask is True where a query may look.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

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
from model.sites.sites import Kind, attention_site, mask_site
from model.sites.tap import Edit


@dataclass(frozen=True)
class LiftMask(Intervention):
    """Let every query of this kind of attention look at every key, in all layers."""

    kind: Kind
    stage: ClassVar[int] = 0

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when there is no such kind of attention."""
        check_head(self.kind, None, None, sizes.config)

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Make the mask all True."""
        return [(mask_site(self.kind), torch.ones_like)]

    @property
    def looks_ahead(self) -> bool:
        """Only the decoder has a future."""
        return self.kind == "decoder"


@dataclass(frozen=True)
class HideSource(Intervention):
    """Mask out the source pieces from `first` to `last`: nobody can look at them."""

    first: int
    last: int
    names_pieces: ClassVar[bool] = True

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the source, without padding, has no such pieces."""
        end = sizes.lengths.source if sizes.lengths else sizes.config.max_length
        if not 0 <= self.first <= self.last < end:
            raise ValueError(f"no pieces {self.first} to {self.last}: the source has {end}")

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Take the pieces out of the keys of both masks over the source."""
        hide = hide_keys(self.first, self.last)
        return [(mask_site("encoder"), hide), (mask_site("cross"), hide)]

    def forbids(self, query: UnreachableQuery) -> bool:
        """Every query that looks at the source loses these keys."""
        return query.kind != "decoder"


@dataclass(frozen=True)
class PadSource(Intervention):
    """Fill the source up with padding to this many pieces; a longer source stays as it is."""

    length: int
    stage: ClassVar[int] = 0

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when the model takes no source of this length."""
        most = sizes.config.max_length
        if not 1 <= self.length <= most:
            raise ValueError(f"length must be 1 to {most}, not {self.length}")

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Edit no site: the ids are padded before the run."""
        return []

    def padded(self, length: int) -> int:
        """Return the longer one of the source and its padding."""
        return max(length, self.length)


@dataclass(frozen=True)
class BlockAttention(Intervention):
    """Forbid one query-key link, in one layer and head or (None) in all of them."""

    kind: Kind
    query: int
    key: int
    layer: int | None = None
    head: int | None = None
    stage: ClassVar[int] = 2
    names_pieces: ClassVar[bool] = True

    def check(self, sizes: Sizes) -> None:
        """Raise ValueError when there is no such head, query or key."""
        check_head(self.kind, self.layer, self.head, sizes.config)
        queries, keys = sizes.grid(self.kind)
        if not (0 <= self.query < queries and 0 <= self.key < keys):
            raise ValueError(
                f"no link {self.query} -> {self.key}: there are {queries} queries, {keys} keys"
            )

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:
        """Forbid the link in the scores of its layer or of all layers."""
        config, link = sizes.config, (self.head, self.query, self.key)
        layers = range(config.layers(self.kind)) if self.layer is None else (self.layer,)
        forbid = ForbidLinks((link,), config.heads)
        return [(attention_site(self.kind, number, "scores"), forbid) for number in layers]

    @property
    def target_pieces(self) -> int:
        """A query of the target must be written first; its keys always stand before it."""
        return 1 if self.kind == "encoder" else self.query + 1

    def forbids(self, query: UnreachableQuery) -> bool:
        """Tell whether the link is one of this query in this head."""
        return (
            (self.kind, self.query) == (query.kind, query.query)
            and self.layer in (None, query.layer)
            and self.head in (None, query.head)
        )


@dataclass(frozen=True, eq=False)
class ForbidLinks(MergingEdit):
    """Sets the scores of links to minus infinity; a prefix they do not reach yet stays.

    A link is head (None: all), query and key. However many there are, they are one mask.
    """

    links: tuple[tuple[int | None, int, int], ...]
    heads: int

    def __call__(self, tensor: Tensor, *made_of: Tensor) -> Tensor:  # noqa: ARG002
        """Return scores (B, H, T, S) without the links."""
        forbidden = self._forbidden[:, : tensor.size(-2), : tensor.size(-1)]  # H t s
        scores = tensor.clone()
        reached = scores[..., : forbidden.size(1), : forbidden.size(2)]  # B H t s
        reached.masked_fill_(forbidden, -torch.inf)
        return scores

    def merged(self, others: Sequence[Edit]) -> Edit:
        """Put the links of all together."""
        links = (link for edit in others if isinstance(edit, ForbidLinks) for link in edit.links)
        return ForbidLinks((*self.links, *links), self.heads)

    @cached_property
    def _forbidden(self) -> Tensor:
        """Mark the links in a mask just large enough, H t s."""
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
