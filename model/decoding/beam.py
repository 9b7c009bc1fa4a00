"""Beam search: several hypotheses at once, and the whole tree of kept and pruned hypotheses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral, Real
from typing import Literal

import torch
from torch import Tensor

from model.decoding.steps import (
    ALTERNATIVES,
    Candidate,
    Choice,
    Limits,
    Scorer,
    best_of_each,
    candidate,
    rank,
    to_choose,
)

Fate = Literal["kept", "pruned", "finished"]

WIDEST = 50
"""The widest beam: time per step and memory of the tree grow linearly with the width."""


@dataclass(frozen=True)
class Node:
    """A hypothesis: the path of pieces from the root to here.

    `log_prob` is the log-probability of the whole path. `score` is `log_prob` divided by the length
    penalty; it compares hypotheses of different lengths. `choice` is the step that led here (None
    at the root), `depth` the number of pieces after the begin token.
    """

    parent: int
    id: int
    depth: int
    log_prob: float
    score: float
    fate: Fate
    choice: Choice | None = None


@dataclass(frozen=True)
class Tree:
    """All hypotheses of one search; nodes[0] is the begin token, parents come before children.

    `winner` is the best finished node or, if none is finished, the best node at the length limit.
    """

    nodes: tuple[Node, ...]
    winner: int

    def path(self, index: int) -> tuple[int, ...]:
        """List the indices of the nodes from the root to a node, both included."""
        return _path(self.nodes, index)

    def steps(self) -> Iterator[Choice]:
        """Yield the steps of the winner."""
        for index in self.path(self.winner):
            if choice := self.nodes[index].choice:
                yield choice

    def prefix(self, index: int) -> tuple[int, ...]:
        """Return the ids of a node's hypothesis, begin token first."""
        return tuple(self.nodes[step].id for step in self.path(index))


def _path(nodes: Sequence[Node], index: int) -> tuple[int, ...]:
    indices = [index]
    while indices[-1]:
        indices.append(nodes[indices[-1]].parent)
    return tuple(reversed(indices))


@dataclass(frozen=True)
class Beam:
    """Beam search: keep the `width` best hypotheses at every step.

    A finished hypothesis keeps its place. Hypotheses are compared by their log-probability divided
    by ((5 + length) / 6) ** length_penalty (Wu et al. 2016, equation 14). The defaults are those of
    the paper of the Transformer.

    Args:
        width: how many hypotheses are kept, from 1 to `WIDEST`.
        length_penalty: how much longer hypotheses are favoured; with 0 they are not.

    Raises:
        ValueError: the width or the length penalty is out of range.

    >>> run = translator.run("The cat is sleeping.", strategy=Beam(width=3))
    >>> sum(node.fate == "kept" for node in run.tree.nodes if node.depth == 1)
    3

    """

    width: int = 4
    length_penalty: float = 0.6

    def __post_init__(self) -> None:
        """Check the width and the length penalty."""
        if not isinstance(self.width, Integral) or not 1 <= self.width <= WIDEST:
            raise ValueError(f"width must be at least 1 and at most {WIDEST}, not {self.width!r}")
        number = isinstance(self.length_penalty, Real)
        if not (number and 0 <= self.length_penalty < float("inf")):
            raise ValueError(f"length_penalty must be 0 or more, not {self.length_penalty!r}")

    def steps(self, scorer: Scorer, limits: Limits, forced: Sequence[int] = ()) -> Iterator[Choice]:
        """Search first, then yield the steps of the winner."""
        yield from self.search(scorer, limits, forced).steps()

    def search(self, scorer: Scorer, limits: Limits, forced: Sequence[int] = ()) -> Tree:
        """Search until `width` hypotheses are finished or no unfinished hypothesis can still win.

        Each unfinished hypothesis is continued with its `width` + 1 most probable pieces. These are
        enough for the best `width` of all, and show the hypotheses that just missed.
        """
        search = _Search(self, limits)
        while search.goes_on():
            prefixes = torch.tensor([search.prefix(index) for index in search.living])
            logits = scorer(prefixes).cpu()
            step = search.nodes[search.living[0]].depth
            search.grow(
                to_choose(logits, limits.banned), forced[step] if step < len(forced) else None
            )
        return Tree(tuple(search.nodes), search.winner())

    def score(self, log_prob: float, length: int) -> float:
        """Divide a log-probability by the penalty of a length, which includes the end token."""
        return log_prob / ((5 + length) / 6) ** self.length_penalty


@dataclass
class _Search:
    """A search in progress: the nodes so far, and the nodes that still grow."""

    beam: Beam
    limits: Limits
    nodes: list[Node] = field(init=False)
    living: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.nodes = [Node(0, self.limits.begin_id, 0, 0.0, 0.0, "kept")]
        self.living = [0]

    def prefix(self, index: int) -> tuple[int, ...]:
        return tuple(self.nodes[step].id for step in _path(self.nodes, index))

    def finished(self) -> list[int]:
        return [index for index, node in enumerate(self.nodes) if node.fate == "finished"]

    def goes_on(self) -> bool:
        """Return True while an unfinished hypothesis can still win; log-probabilities only fall."""
        if not self.living or self.nodes[self.living[0]].depth + 1 >= self.limits.max_length:
            return False
        longest = self.limits.max_length - 1
        hope = max(self.beam.score(self.nodes[i].log_prob, longest) for i in self.living)
        return hope > max((self.nodes[i].score for i in self.finished()), default=-float("inf"))

    def grow(self, log_probs: Tensor, forced: int | None) -> None:
        """Continue every unfinished hypothesis by one piece, given rows (N, V), and prune."""
        best_ids = best_of_each(log_probs, max(ALTERNATIVES, self.beam.width + 1))
        children = [
            child
            for index, row, likeliest in zip(self.living, log_probs, best_ids, strict=True)
            for child in self._children(index, row, likeliest, forced)
        ]
        children.sort(key=lambda child: child.score, reverse=True)
        room = self.beam.width - len(self.finished())
        self.living = []
        for at, child in enumerate(children):
            fate: Fate = "finished" if child.id == self.limits.end_id else "kept"
            if fate == "kept" and at < room:
                self.living.append(len(self.nodes))
            # Most are pruned, as they are from the beginning: no copy of these.
            self.nodes.append(replace(child, fate=fate) if at < room else child)

    def _children(
        self, index: int, log_probs: Tensor, best_ids: tuple[Candidate, ...], forced: int | None
    ) -> Iterator[Node]:
        prefix = self.prefix(index)
        alternatives = best_ids[:ALTERNATIVES]
        if forced is not None:
            picked = candidate(log_probs, forced)
            rank_ = rank(log_probs, picked.log_prob)
            yield self._child(index, Choice(prefix, picked, alternatives, rank_, forced=True))
            return
        for rank_, picked in enumerate(best_ids[: self.beam.width + 1], start=1):
            yield self._child(index, Choice(prefix, picked, alternatives, rank_))

    def _child(self, index: int, choice: Choice) -> Node:
        parent, chosen = self.nodes[index], choice.chosen
        depth, log_prob = parent.depth + 1, parent.log_prob + chosen.log_prob
        score = self.beam.score(log_prob, depth)
        return Node(index, chosen.id, depth, log_prob, score, "pruned", choice)

    def winner(self) -> int:
        return max(self.finished() or self.living, key=lambda index: self.nodes[index].score)
