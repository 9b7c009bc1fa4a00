"""The model's output when links are forbidden, or when memory comes from another sentence."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.interventions.base import Lengths
from model.interventions.masks import BlockAttention
from model.interventions.prepare import prepare
from model.sites.sites import Kind, attention_site
from model.sites.tap import Edit, Recorder
from model.transformer.transformer import Transformer
from model.words import Span

MEMORY = "encoder.memory"


@dataclass(frozen=True)
class Link:
    """Links from some pieces to others, in one kind of attention; a decoder's query is a row.

    `head` is the layer and the number of one head, both from 0; None means all heads of the kind.
    """

    kind: Kind
    queries: Span
    keys: tuple[Span, ...]
    head: tuple[int, int] | None = None

    def forbidden(self) -> tuple[BlockAttention, ...]:
        """Return the interventions that forbid the links in the head, or in all heads."""
        return tuple(
            BlockAttention(self.kind, query, key, *(self.head or (None, None)))
            for query in range(self.queries[0], self.queries[1] + 1)
            for first, last in self.keys
            for key in range(first, last + 1)
        )


@dataclass(frozen=True)
class CutSentence:
    """One of two sentences: its ids, the links that can be cut, and the memory to carry over.

    `target_ids` starts with the begin id. `carried` are the pieces whose memory may come from the
    other sentence, None where the other sentence has no such pieces.
    """

    source_ids: tuple[int, ...]
    target_ids: tuple[int, ...]
    links: tuple[Link, ...]
    carried: Span | None = None

    def edits(self, model: Transformer, cut: Collection[int]) -> dict[str, Edit]:
        """Return the edits that forbid the links of these numbers.

        Raises ValueError when they leave a query without any key.
        """
        forbidden = [link for number in cut for link in self.links[number].forbidden()]
        lengths = Lengths(len(self.source_ids), len(self.target_ids))
        return dict(prepare(forbidden, model.config, lengths).edits)


def carry_over(vectors: Tensor, place: Span) -> Edit:
    """Return the edit of a memory (B, S, D) that puts `vectors` (n, D) at the n pieces `place`.

    Raises ValueError when there are more or fewer vectors than pieces.
    """
    first, last = place
    if len(vectors) != last + 1 - first:
        raise ValueError(f"{last + 1 - first} vectors expected, got {len(vectors)}")

    def put(memory: Tensor) -> Tensor:
        changed = memory.clone()
        changed[:, first : last + 1] = vectors
        return changed

    return put


@dataclass(frozen=True)
class Change:
    """The numbers of the links to cut; with `carried`, memory comes from the other sentence."""

    cut: tuple[int, ...] = ()
    carried: bool = False


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of one run: logits (T, V), and the weights (query, key) of the chosen heads."""

    logits: Tensor
    weights: tuple[Tensor, ...]


def changes(links: int, *, carries: bool) -> list[Change]:
    """List all changes to links that are there twice: each in one head, then each in all heads.

    Bit n of the list index cuts link n, and the next bit, if `carries`, carries memory over. With
    the last bit, link n + `links` is cut in the place of link n.
    """
    return [
        Change(tuple(n + beyond for n in range(links) if number >> n & 1), bool(number >> links))
        for beyond in (0, links)
        for number in range(2 ** (links + carries))
    ]


@torch.inference_mode()
def edits_when_changed(
    model: Transformer, side: CutSentence, other: CutSentence, change: Change
) -> Mapping[str, Edit]:
    """Return the edits of a run with a change; they no longer need the other sentence.

    Carried memory comes from a run of the other sentence in which the same links are cut. Raises
    ValueError when there is nothing to carry, or a query would have no key.
    """
    edits = side.edits(model, change.cut)
    if not change.carried:
        return edits
    pieces, vectors = _carried(side, other, _encoded(model, other, change.cut, ())[0])
    return edits | {MEMORY: carry_over(vectors, pieces)}


@torch.inference_mode()
def outcomes(
    model: Transformer,
    side: CutSentence,
    other: CutSentence,
    asked: Sequence[Change],
    heads: Sequence[tuple[Kind, int, int]],
) -> list[Outcome]:
    """Run a sentence with its translation under changes; changes with equal edits form a batch.

    `heads` are kind, layer and head, 0-based. Raises ValueError as `edits_when_changed`.
    """
    sites = [attention_site(kind, layer, "weights") for kind, layer, _ in heads]
    encoded: dict[tuple[int, ...], tuple[Tensor, Tensor, dict[str, Tensor]]] = {}
    for cut in {_of(side, change, encoder=True) for change in asked}:
        encoding = _encoded(model, side, cut, sites)
        carried = encoding[0]
        if any(change.carried for change in asked):
            pieces, vectors = _carried(side, other, _encoded(model, other, cut, ())[0])
            carried = carry_over(vectors, pieces)(encoding[0])
        encoded[cut] = encoding[0], carried, encoding[1]
    by_change: dict[Change, Outcome] = {}
    for cut in {_of(side, change, encoder=False) for change in asked}:
        rows = [one for one in dict.fromkeys(asked) if _of(side, one, encoder=False) == cut]
        parts = [encoded[_of(side, change, encoder=True)] for change in rows]
        changed_parts = zip(parts, rows, strict=True)
        memory = torch.cat(
            [part[1] if change.carried else part[0] for part, change in changed_parts]
        )
        recorder = Recorder(side.edits(model, cut))
        target = torch.tensor([side.target_ids]).expand(len(rows), -1)  # N T
        mask = torch.ones(1, 1, memory.size(1), dtype=torch.bool)
        logits = model.decode(target, memory, mask, recorder)  # N T V
        for row, (change, part) in enumerate(zip(rows, parts, strict=True)):
            weights = (
                part[2][site][0, head] if kind == "encoder" else recorder.recorded[site][row, head]
                for site, (kind, _, head) in zip(sites, heads, strict=True)
            )
            by_change[change] = Outcome(logits[row], tuple(weights))
    return [by_change[change] for change in asked]


def _of(side: CutSentence, change: Change, *, encoder: bool) -> tuple[int, ...]:
    """Return the links that a change cuts in the encoder, or outside the encoder."""
    return tuple(n for n in change.cut if (side.links[n].kind == "encoder") == encoder)


def _encoded(
    model: Transformer, side: CutSentence, cut: Collection[int], sites: Sequence[str]
) -> tuple[Tensor, dict[str, Tensor]]:
    """Return the memory (1, S, D) under cuts, and the recorded sites of the encoder."""
    recorder = Recorder(side.edits(model, cut))
    memory, _ = model.encode(torch.tensor([side.source_ids]), recorder)  # 1 S D
    return memory, {site: recorder.recorded[site] for site in sites if site in recorder.recorded}


def _carried(side: CutSentence, other: CutSentence, memory: Tensor) -> tuple[Span, Tensor]:
    """Return the place of carried memory, and its vectors (n, D) from the other (1, S, D)."""
    if side.carried is None or other.carried is None:
        raise ValueError("there is nothing to carry over")
    first, last = other.carried
    return side.carried, memory[0, first : last + 1]
