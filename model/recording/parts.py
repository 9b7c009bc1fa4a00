"""The parts of a recorded vector, score or logit: everything whose exact sum it is.

In a model whose layers are LayerNorm(x + Sublayer(x)), a token's vector is an affine function of
its embedding, its position and the output of every sublayer, once the mean and the variance in each
norm are given: LayerNorm(y) = gamma * (y - mean(y)) / deviation + beta. If these are taken from the
recorded pass, every vector, and so every score and every logit, is a sum of named parts. The sums
are computed in double precision. They differ from the recorded values only by the rounding of the
model itself, by less than 1e-4.

A part says what was written but not why: a sublayer's output depends on everything before it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from model.interventions.base import Intervention
from model.interventions.blocks import left_out
from model.recording.weights import Weights
from model.sites.sites import (
    SUBLAYERS,
    Kind,
    Stack,
    Sublayer,
    attention_site,
    check_kind,
    check_place,
)
from model.sites.tap import Edit
from model.transformer.config import ModelConfig
from model.transformer.positional import rotated

Doubles = NDArray[np.float64]
EPSILON = 1e-5
"""The number that torch's LayerNorm adds to the variance."""


@dataclass(frozen=True, eq=False)
class Parts:
    """P named parts of one recorded value, which is their sum: (P,) numbers or (P, D) vectors.

    A name is the site of an output ("encoder.embedding", "decoder.2.ffn.out"), the site of a head's
    output z and its number from 0 ("decoder.2.cross_attn.z.5": its output through W_O), the site of
    a vector put in from elsewhere ("encoder.memory"), or a bias ("decoder.2.cross_attn.out.bias",
    "decoder.2.norm1.bias").
    """

    names: tuple[str, ...]
    values: Doubles

    @property
    def total(self) -> Doubles:
        """Return the sum of the parts."""
        return self.values.sum(axis=0)


@dataclass(frozen=True, eq=False)
class ScoreParts:
    """One score as a sum over pairs: `values[i, j]` is query part i times key part j, scaled.

    `query` and `key` name the parts as `Parts` does; "...q.bias" and "...k.bias" are the biases of
    the projections.
    """

    query: tuple[str, ...]
    key: tuple[str, ...]
    values: Doubles

    @property
    def total(self) -> float:
        """Return the sum of the pairs."""
        return float(self.values.sum())


class Pass(Protocol):
    """The attributes of a recording that these functions use."""

    @property
    def config(self) -> ModelConfig:
        """Return the sizes of the Transformer."""
        ...

    @property
    def interventions(self) -> tuple[Intervention, ...]:
        """Return the interventions of the run."""
        ...

    @property
    def functions(self) -> Mapping[str, Edit]:
        """Return the caller's own functions, by site."""
        ...

    @property
    def weights(self) -> Weights:
        """Return the weights of the model that made the recording."""
        ...

    def score_factors(self, kind: Kind, layer: int) -> Doubles:
        """Return the factor of interventions for each score, (H, T, S); NaN if there is none."""
        ...

    def __getitem__(self, site: str, /) -> NDArray[Any]:
        """Return the array of a site."""
        ...


WRITTEN = (
    *("embedding", "positions", "mask", "cross_mask", "v", "weights", "z"),
    *("out", "before_relu", "hidden"),
)
"""The sites that a function may change without making a sum wrong: their effects are recorded."""


def check_sums(functions: Iterable[str]) -> None:
    """Raise ValueError when a function of the caller has changed a site that sums rely on."""
    for site in functions:
        if site.rpartition(".")[2] not in WRITTEN:
            raise ValueError(f"there are no exact parts: a function has changed {site!r}")


def stream_parts(run: Pass, stack: Stack, token: int, sublayers: int, by_head: bool) -> Parts:
    """Return the parts (P, D) of a token's vector after some sublayers of a stack and their norms.

    `sublayers` counts them from the stack's input. With `by_head`, the output of attention is split
    into that of each head and the bias of W_O.
    """
    check_sums(run.functions)
    config, left_out_sites = run.config, left_out(run.interventions)
    check_place("token", token, len(run[f"{stack}.input"]))
    names = [f"{stack}.embedding", f"{stack}.positions"]
    if is_put_in(run, f"{stack}.input", token):
        names = [f"{stack}.input"]
    values = _rows(run, names, token)  # P D
    for passed in range(sublayers):
        layer, index = divmod(passed, len(SUBLAYERS[stack]))
        prefix, number = f"{stack}.{layer}", index + 1
        sublayer = SUBLAYERS[stack][index]
        if f"{prefix}.sum{number}" in left_out_sites:
            names, values = [], np.zeros((0, config.d_model))
        out = f"{prefix}.{sublayer}.out"
        whole = (
            not by_head or sublayer == "ffn" or out in left_out_sites or is_put_in(run, out, token)
        )
        written = _whole if whole else _heads
        added_names, added = written(run, prefix, sublayer, token)
        names, values = [*names, *added_names], np.concatenate([values, added])
        if f"{prefix}.norm{number}" not in left_out_sites:
            total = run[f"{prefix}.sum{number}"][token]  # D
            values = _normed(run, f"{stack}.layers.{layer}.norm{number}", values, total)
            names.append(f"{prefix}.norm{number}.bias")
        if is_put_in(run, f"{prefix}.norm{number}", token):
            names = [f"{prefix}.norm{number}"]
            values = _rows(run, names, token)
    return Parts(tuple(names), values)


def is_put_in(run: Pass, site: str, token: int, head: int | None = None) -> bool:
    """Tell whether a token's vector at a site was put in from elsewhere; it is then one part."""
    put_in = {vector for intervention in run.interventions for vector in intervention.put_in}
    return not put_in.isdisjoint({(site, token, None), (site, token, head)})


def _rows(run: Pass, sites: Sequence[str], token: int) -> Doubles:
    return np.stack([run[site][token] for site in sites]).astype(np.float64)


def _whole(run: Pass, prefix: str, sublayer: Sublayer, token: int) -> tuple[list[str], Doubles]:
    """Return the output of a sublayer as one part."""
    name = f"{prefix}.{sublayer}.out"
    return [name], _rows(run, [name], token)


def _heads(run: Pass, prefix: str, sublayer: Sublayer, token: int) -> tuple[list[str], Doubles]:
    """Return the output of each head through W_O, then the bias of W_O."""
    site = f"{prefix}.{sublayer}"
    z = run[f"{site}.z"][:, token].astype(np.float64)  # H Dk
    stack, layer = prefix.split(".")
    matrix, bias = run.weights.linear(f"{stack}.layers.{layer}.{sublayer}.out")
    slices = matrix.reshape(*z.shape, -1)  # H Dk D
    written = np.einsum("hk,hkd->hd", z, slices)  # H D
    names = [f"{site}.z.{head}" for head in range(len(z))]
    values = np.concatenate([written, bias[None].astype(np.float64)])
    return [*names, f"{site}.out.bias"], values


def _normed(run: Pass, weight: str, values: Doubles, total: NDArray[Any]) -> Doubles:
    """Pass parts (P, D) through a norm with the deviation of `total`, (D,).

    The norm's bias is the last part.
    """
    deviation = np.sqrt(total.astype(np.float64).var() + EPSILON)
    gain, bias = run.weights[f"{weight}.weight"], run.weights[f"{weight}.bias"]
    centred = values - values.mean(axis=1, keepdims=True)
    return np.concatenate([centred / deviation * gain, bias[None].astype(np.float64)])


def residual_parts(run: Pass, stack: Stack, layer: int, token: int) -> Parts:
    """See `Recording.residual_parts`."""
    check("layer", layer, run.config.layers(stack) + 1)
    return stream_parts(run, stack, token, layer * len(SUBLAYERS[stack]), by_head=False)


def score_parts(run: Pass, kind: Kind, layer: int, head: int, query: int, key: int) -> ScoreParts:
    """See `Recording.score_parts`."""
    config = run.config
    if config.scores != "dot":
        raise ValueError("there are no parts: an additive score is no product of query and key")
    check_kind(kind)
    check_place("layer", layer, config.layers(kind))
    check_place("head", head, config.heads)
    own: Stack = "encoder" if kind == "encoder" else "decoder"
    passed = layer * len(SUBLAYERS[own])
    if kind == "cross":
        looking = stream_parts(run, own, query, passed + 1, by_head=False)
        depth = config.encoder_layers * len(SUBLAYERS["encoder"])
        looked_at = stream_parts(run, "encoder", key, depth, by_head=False)
        if is_put_in(run, memory := "encoder.memory", key):
            looked_at = Parts((memory,), _rows(run, [memory], key))
    else:
        looking, looked_at = (
            stream_parts(run, own, token, passed, by_head=False) for token in (query, key)
        )
    alike = max((intervention.alike(kind) for intervention in run.interventions), default=1)
    first = head // alike * alike
    group = range(first, first + alike)
    keys_from_w_q = any(change.keys_by(kind) == "q" for change in run.interventions)
    by = "q" if keys_from_w_q else "k"
    q = _projected(run, attention_site(kind, layer, "q"), "q", query, looking, (head, [head]))
    k = _projected(run, attention_site(kind, layer, "k"), by, key, looked_at, (head, group))
    factor = run.score_factors(kind, layer)[head, query, key]
    if np.isnan(factor):
        raise ValueError("there are no exact parts: interventions do not multiply this score")
    return ScoreParts(q.names, k.names, q.values @ k.values.T * (factor / config.d_k**0.5))


def _projected(
    run: Pass, site: str, by: str, token: int, parts: Parts, heads: tuple[int, Sequence[int]]
) -> Parts:
    """Project parts (P, D) to one head's query or key (P + 1, Dk); the bias is the last part.

    `heads` are this head and the group that shares its projection, which is the mean of the
    group's; `by` is "q" for W_Q, "k" for W_K.
    """
    head, group = heads
    if is_put_in(run, site, token, head):
        return Parts((site,), run[site][head, token][None].astype(np.float64))
    stack, layer, sublayer, _ = site.split(".")
    matrix, bias = run.weights.linear(f"{stack}.layers.{layer}.{sublayer}.{by}")
    by_head = len(bias) // run.config.d_k, run.config.d_k
    mean = matrix.reshape(-1, *by_head)[:, group].mean(axis=1, dtype=np.float64)  # D Dk
    own = bias.reshape(by_head)[group].mean(axis=0, dtype=np.float64)  # Dk
    values = np.concatenate([parts.values @ mean, own[None]])
    if run.config.positions == "rotary" and sublayer == "self_attn":
        values = rotated(torch.from_numpy(values)[:, None], start=token)[:, 0].numpy()
    return Parts((*parts.names, f"{site}.bias"), values)


def logit_parts(run: Pass, step: int, piece: int, other: int | None) -> Parts:
    """See `Recording.logit_parts`."""
    matrix = run.weights[run.config.output_matrix]  # V De
    for id_ in (piece,) if other is None else (piece, other):
        check("piece", id_, len(matrix))
    direction = matrix[piece].astype(np.float64)  # De
    if other is not None:
        direction = direction - matrix[other]
    depth = run.config.decoder_layers * len(SUBLAYERS["decoder"])
    parts = stream_parts(run, "decoder", step, depth, by_head=True)
    values = parts.values[:, : len(direction)] @ direction
    if not run.config.variant.biased:
        return Parts(parts.names, values)
    bias = run.weights["output_bias"].astype(np.float64)  # V
    own = bias[piece] - (0.0 if other is None else bias[other])
    return Parts((*parts.names, "decoder.logits.bias"), np.append(values, own))


def check(name: str, value: int, limit: int) -> None:
    """Raise ValueError when a value is not a whole number from 0 to `limit` - 1."""
    if not isinstance(value, Integral) or not 0 <= value < limit:
        raise ValueError(f"{name} must be 0 to {limit - 1}, not {value!r}")
