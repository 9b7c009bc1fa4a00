"""The numbers of one attention head for one query, from x to W_O, computed link by link."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from viz.figures.weights import softmax

Floats = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Projection:
    """The map y = x W + b, with W (in, out) and b (out)."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        """Map x (..., in) to (..., out)."""
        return x @ self.weight + self.bias

    def slice(self, head: int, heads: int) -> "Projection":
        """Return the columns of one head: W (in, out / heads)."""
        width = self.weight.shape[1] // heads
        own = slice(head * width, (head + 1) * width)
        return Projection(self.weight[:, own], self.bias[own])


@dataclass(frozen=True, eq=False)
class Sublayer:
    """The input of one attention sublayer and its weights.

    Queries are made of `x` (T, D), keys and values of `source` (S, D). `allowed` (T, S) is True
    where a query may look at a key. `edit` applies the interventions to a part, such as "scores"
    (H, T, S); `factors` (H, T, S) are the factors by which they multiply the scores, NaN where they
    do not multiply. See `Recording.edited` and `Recording.score_factors`.
    """

    x: Floats
    source: Floats
    q: Projection
    k: Projection
    v: Projection
    out: Projection
    allowed: NDArray[np.bool_]
    heads: int
    edit: Callable[[str, Floats], Floats] = lambda _, array: array
    factors: Floats = field(default_factory=lambda: np.ones(1))

    def divisor(self, head: int, query: int) -> float:
        """Return the divisor of the query's dots: √d_k, unless an intervention changes it.

        It is also √d_k if the scores of a query are multiplied by different factors, or by 0.
        """
        root = float(np.sqrt(self.q.weight.shape[1] / self.heads))
        shape = self.heads, *self.allowed.shape
        factors = np.broadcast_to(self.factors, shape)[head, query][self.allowed[query]]
        alike = factors.size and factors[0] > 0 and np.allclose(factors, factors[0])
        return root / float(factors[0]) if alike else root

    def of_heads(self, x: Floats) -> Floats:
        """Cut vectors (n, D) into the slices of the heads, (H, n, Dk)."""
        return x.reshape(len(x), self.heads, -1).transpose(1, 0, 2)

    def divides(self, head: int, query: int) -> bool:
        """Return True if the model divides the query's dots by anything but 1."""
        return not np.isclose(self.divisor(head, query), 1)


@dataclass(frozen=True, eq=False)
class Recorded:
    """The model's own results in the sublayer: each head's, and `out` (T, D)."""

    q: Floats  # H T Dk
    k: Floats  # H S Dk
    v: Floats  # H S Dk
    scores: Floats  # H T S
    weights: Floats  # H T S
    z: Floats  # H T Dk
    out: Floats  # T D


@dataclass(frozen=True, eq=False)
class Chain:
    """The numbers of one head for one query and S keys, from x to the output.

    `scores` are the divided dots, even of keys that are not `allowed`. `z` is the head's own
    output, and `concat` has all heads' z side by side.
    """

    x: Floats  # D
    q: Floats  # Dk
    k: Floats  # S Dk
    v: Floats  # S Dk
    dots: Floats  # S
    divisor: float
    scores: Floats  # S
    allowed: NDArray[np.bool_]  # S
    temperature: float
    weights: Floats  # S
    z: Floats  # Dk
    concat: Floats  # D
    out: Floats  # D

    @property
    def divided(self) -> Floats:
        """Return the dots over the divisor, (S,)."""
        return self.dots / self.divisor

    @property
    def changed(self) -> bool:
        """Return True if interventions made the scores differ from the divided dots."""
        return not np.allclose(self.divided[self.allowed], self.scores[self.allowed], atol=1e-6)


@dataclass(frozen=True)
class Teaching:
    """A variant of the formula; the default is the paper's."""

    divide: bool = True
    temperature: float = 1.0


def chain(
    sublayer: Sublayer,
    recorded: Recorded,
    head: int,
    query: int,
    teaching: Teaching | None = None,
) -> Chain:
    """Compute one head for one query in double precision; the other heads' z are as recorded.

    Without `teaching` the formula is the model's own, with all interventions. Raises ValueError
    when the head or the query does not exist.
    """
    _check(sublayer, head, query)
    divides = sublayer.divides(head, query)
    teaching = teaching or Teaching(divides)
    own = partial(_own, sublayer, head)
    x, source = sublayer.x.astype(np.float64), sublayer.source.astype(np.float64)
    q = own("q", sublayer.q.slice(head, sublayer.heads)(x))  # T Dk
    k = sublayer.edit("k", sublayer.of_heads(sublayer.k(source)))[head]  # S Dk
    v = sublayer.edit("v", sublayer.of_heads(sublayer.v(source)))[head]  # S Dk
    dots = q @ k.T  # T S
    root = float(np.sqrt(q.shape[1]))
    edited = own("scores", dots / root)  # T S
    free = np.isfinite(edited)
    divisor, scores = sublayer.divisor(head, query), np.where(free, edited, dots / root)
    if teaching.divide != divides:
        divisor = root if teaching.divide else 1.0
        scores = dots / divisor
    allowed = sublayer.allowed & free
    masked = np.where(allowed, scores, -np.inf)
    weights = own("weights", softmax(masked / teaching.temperature))  # T S
    z = weights @ v  # T Dk
    beside = recorded.z.astype(np.float64)  # H T Dk
    beside[head] = own("z", z)
    concat = np.concatenate(list(beside), axis=1)  # T D
    out = sublayer.edit("out", sublayer.out(concat))  # T D
    return Chain(
        x[query], q[query], k, v, dots[query], divisor, scores[query], allowed[query],
        teaching.temperature, weights[query], z[query], concat[query], out[query],
    )  # fmt: skip


def other_formula(one: Chain, other: Chain) -> bool:
    """Return True if two chains divide by different numbers."""
    return (one.divisor, one.temperature) != (other.divisor, other.temperature)


def _own(sublayer: Sublayer, head: int, part: str, array: Floats) -> Floats:
    """Apply the interventions to one head's part of the sublayer, (n, ...)."""
    return sublayer.edit(part, np.broadcast_to(array, (sublayer.heads, *array.shape)))[head]


def _check(sublayer: Sublayer, head: int, query: int) -> None:
    limits = (("head", head, sublayer.heads), ("query", query, len(sublayer.x)))
    for name, value, limit in limits:
        if not 0 <= value < limit:
            raise ValueError(f"{name} must be 0 to {limit - 1}, not {value}")


def switched_off(recorded: Recorded, head: int) -> bool:
    """Return True if this head's recorded z is zero, as an intervention makes it."""
    return not recorded.z[head].any()


def products(chain: Chain) -> Floats:
    """Return q_i k_i for every key, (S, Dk); each row sums to the key's dot product."""
    return chain.k * chain.q


def differences(sublayer: Sublayer, recorded: Recorded, head: int, query: int) -> dict[str, float]:
    """Recompute the chain as the model does; return the largest difference of each of its parts."""
    mine = chain(sublayer, recorded, head, query)
    pairs = {
        "q": (mine.q, recorded.q[head, query]),
        "k": (mine.k, recorded.k[head]),
        "v": (mine.v, recorded.v[head]),
        "scores": (mine.scores[mine.allowed], recorded.scores[head, query][mine.allowed]),
        "weights": (mine.weights, recorded.weights[head, query]),
        "z": (mine.concat, recorded.z[:, query].reshape(-1)),
        "out": (mine.out, recorded.out[query]),
    }
    return {name: largest_difference(one, other) for name, (one, other) in pairs.items()}


def largest_difference(one: Floats, other: Floats) -> float:
    """Return the largest absolute difference of two arrays; 0.0 for empty ones."""
    return float(np.abs(one - other).max(initial=0.0))


def slices_against_separate(x: Floats, projection: Projection, heads: int) -> float:
    """Project x (n, D) as a whole and head by head; return the largest difference."""
    width = projection.weight.shape[1] // heads
    at_once = projection(x).reshape(len(x), heads, width)  # n H Dk
    own = (projection.slice(head, heads) for head in range(heads))
    separate = np.stack([each(x) for each in own], axis=1)  # n H Dk
    return largest_difference(at_once, separate)


def concat_against_sum(z: Floats, projection: Projection) -> float:
    """Multiply z (H, n, Dk) by W_O as a whole and head by head; return the largest difference."""
    heads, count, width = z.shape
    together = projection(z.transpose(1, 0, 2).reshape(count, heads * width))  # n D
    rows = projection.weight.reshape(heads, width, -1)  # H Dk D
    added = sum(z[head] @ rows[head] for head in range(heads)) + projection.bias  # n D
    return largest_difference(together, added)
