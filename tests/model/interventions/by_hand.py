"""The Transformer once more, in plain numpy loops, with every intervention written out.

It shares nothing with the model but its weights, and serves as the reference.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from model.interventions.heads import Mode
from model.sites.sites import Kind
from model.transformer.transformer import Transformer

Array = NDArray[np.float64]
Place = tuple[Kind, int, int]


def scaled(_kind: Kind, dot: float, d_k: int) -> float:
    """Return a score as the paper's formula has it."""
    return dot / math.sqrt(d_k)


@dataclass(frozen=True)
class ByHand:
    """A model's weights and what is done to it: `sees` says who may look at whom."""

    model: Transformer
    sees: Callable[[Kind, int, int], bool]
    off: dict[Place, Mode] = field(default_factory=dict)
    forbidden: frozenset[tuple[Kind, int, int, int, int]] = frozenset()
    score: Callable[[Kind, float, int], float] = scaled
    position: Callable[[str, int], Array] | None = None
    pieces: int | None = None
    without: frozenset[str] = frozenset()
    zeroed: dict[str, tuple[int, ...]] = field(default_factory=dict)
    linear_only: frozenset[str] = frozenset()
    rows: dict[tuple[Kind, int, int, int], tuple[float, ...]] = field(default_factory=dict)
    projects: Callable[[str], str] = lambda name: name
    """Which projection stands in the place of one of this name."""
    at: Callable[[str, Array], Array] = lambda _site, array: array
    """What becomes of an array at a site; heads stand side by side there, (n, D)."""

    def weight(self, name: str) -> Array:
        return self.model.get_parameter(name).double().numpy()

    def linear(self, name: str, x: Array) -> Array:
        return x @ self.weight(f"{name}.weight").T + self.weight(f"{name}.bias")

    def norm(self, name: str, x: Array) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)
        return scaled * self.weight(f"{name}.weight") + self.weight(f"{name}.bias")

    def attend(self, kind: Kind, layer: int, name: str, x: Array, source: Array) -> Array:
        width = self.model.config.d_k
        site = name.replace(".layers", "")
        q, k, v = (
            self.at(f"{site}.{part}", self.linear(self.projects(f"{name}.{part}"), read))
            for part, read in (("q", x), ("k", source), ("v", source))
        )
        heads = []
        for head in range(self.model.config.heads):
            part = slice(head * width, (head + 1) * width)
            z = self.one_head((kind, layer, head), q[:, part], k[:, part], v[:, part])
            heads.append(z)
        z = self.at(f"{site}.z", np.concatenate(heads, axis=1))
        return self.at(f"{site}.out", self.linear(f"{name}.out", z))

    def one_head(self, place: Place, q: Array, k: Array, v: Array) -> Array:
        kind = place[0]
        mode = self.off.get(place)
        z = np.zeros((len(q), v.shape[1]))
        for query in range(len(q)):
            powers: dict[int, float] = {}
            for key in range(len(k)):
                if self.sees(kind, query, key) and (*place, query, key) not in self.forbidden:
                    score = self.score(kind, float(q[query] @ k[key]), len(q[query]))
                    powers[key] = 1 if mode == "uniform" else math.exp(score)
            for key, power in powers.items():
                z[query] += power / sum(powers.values()) * v[key]
            if row := self.rows.get((*place, query)):
                z[query] = sum(weight * v[key] for key, weight in enumerate(row))
        if mode == "zero":
            return np.zeros_like(z)
        if mode == "mean" and kind == "encoder":
            return np.tile(z[: self.pieces].mean(axis=0), (len(z), 1))
        if mode == "mean":
            return np.stack([z[: query + 1].mean(axis=0) for query in range(len(z))])
        return z

    def embed(self, stack: str, ids: Sequence[int]) -> Array:
        width = self.model.config.d_model
        table = self.model.get_buffer("positions").double().numpy()
        position = self.position or (lambda _, place: table[place])
        rows = [
            self.weight("embedding.weight")[id_] * math.sqrt(width) + position(stack, place)
            for place, id_ in enumerate(ids)
        ]
        return self.at(f"{stack}.input", np.stack(rows))

    def feed(self, name: str, x: Array) -> Array:
        hidden = self.linear(f"{name}.hidden", x)
        hidden = hidden if name in self.linear_only else np.maximum(0, hidden)
        for unit in self.zeroed.get(name, ()):
            hidden[:, unit] = 0
        return self.at(f"{name.replace('.layers', '')}.out", self.linear(f"{name}.out", hidden))

    def end(self, name: str, number: int, x: Array, added: Array) -> Array:
        """Add and normalise, unless one of both or the sublayer is left out."""
        place = f"{name}.{number}"
        total = np.zeros_like(x)
        if f"residual {place}" not in self.without:
            total = total + x
        if f"sublayer {place}" not in self.without:
            total = total + added
        if f"norm {place}" not in self.without:
            total = self.norm(f"{name}.norm{number}", total)
        return self.at(f"{name.replace('.layers', '')}.norm{number}", total)

    def noted(self, source: Sequence[int], target: Sequence[int]) -> dict[str, Array]:
        """Return what passes at every site where something can be put in."""
        found: dict[str, Array] = {}

        def note(site: str, array: Array) -> Array:
            return found.setdefault(site, array)

        replace(self, at=note).logits(source, target)
        return found

    def logits(self, source: Sequence[int], target: Sequence[int]) -> Array:
        memory = self.embed("encoder", source)
        for n in range(self.model.config.encoder_layers):
            name = f"encoder.layers.{n}"
            attended = self.attend("encoder", n, f"{name}.self_attn", memory, memory)
            before = memory
            memory = self.end(name, 1, memory, attended)
            memory = self.end(name, 2, memory, self.feed(f"{name}.ffn", memory))
            memory = before if f"layer {name}" in self.without else memory
        memory = self.at("encoder.memory", memory)
        x = self.embed("decoder", target)
        for n in range(self.model.config.decoder_layers):
            name = f"decoder.layers.{n}"
            before = x
            x = self.end(name, 1, x, self.attend("decoder", n, f"{name}.self_attn", x, x))
            x = self.end(name, 2, x, self.attend("cross", n, f"{name}.cross_attn", x, memory))
            x = self.end(name, 3, x, self.feed(f"{name}.ffn", x))
            x = before if f"layer {name}" in self.without else x
        return x @ self.weight("embedding.weight").T
