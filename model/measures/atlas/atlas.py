"""The index of a corpus: roles of all heads, the sentences behind them, and each query's choice.

It is one file, of which only that is read what is asked for.
"""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from model.measures.atlas.roles import ROLES, Grammar, Role, Sentence
from model.measures.head_roles import Links
from model.sites.sites import KINDS, Head, Kind

ATLAS = "atlas.npz"

FORM = 1
"""The form of the file; another one is not read."""

ABSENT, FULL = 255, 254
"""Bytes of a sentence in which a role does not arise, and of one where all weight follows it."""

SURE = 0.3
"""How surely, at least, a head does what it is said to do."""

Chosen = Literal["strongest", "random", "fails"]
Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class About:
    """What was measured: `sha256` of the weights, where the texts are from, and of the loss.

    `loss_pieces` is the number of pieces over which the loss was measured, 0 where it was not.
    """

    model: str
    sha256: str
    corpus: str
    loss_pieces: int = 0


@dataclass(frozen=True)
class Evidence:
    """A sentence by its number, and the share of the head's attention that follows the role."""

    sentence: int
    value: float


@dataclass(frozen=True, eq=False)
class Best:
    """What each head (L, H) does most surely: `role` in ROLES of its kind, -1 for none.

    `nearest` is the same also where it is not sure; `sure` says how sure: 0 as by chance, 1 always.
    """

    role: NDArray[np.int64]
    nearest: NDArray[np.int64]
    sure: NDArray[np.float64]


class Atlas:
    """The roles of all heads of a model over a corpus; arrays are read as they are asked for."""

    def __init__(self, arrays: Arrays) -> None:
        """Open an index; ValueError where it is none."""
        try:
            told = json.loads(bytes(arrays["about"]).decode())
            if told.pop("form") != FORM:
                raise ValueError("of another form than this program reads")
            self.layers: dict[Kind, int] = {kind: int(told.pop(kind)) for kind in KINDS}
            self.heads = int(told.pop("heads"))
            self.about = About(**told)
            self._arrays = arrays
            lines = bytes(arrays["tokens"]).decode().split("\n")
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"not an atlas ({error})") from error
        self._tokens = [line.split(" ") for line in lines]
        if len(self._tokens) % 2:
            raise ValueError("not an atlas (a source without its translation)")

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Return the kinds of attention that the model has."""
        return tuple(kind for kind in KINDS if self.layers[kind])

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self._tokens) // 2

    def tokens(self, kind: Kind, sentence: int) -> tuple[list[str], list[str]]:
        """Return the tokens that are the queries and the keys of a sentence."""
        source, target = self._tokens[2 * sentence], self._tokens[2 * sentence + 1]
        return (source if kind == "encoder" else target), (target if kind == "decoder" else source)

    def pieces(self, sentence: int) -> tuple[list[str], list[str]]:
        """Return the tokens of source and target; end token last, begin token first."""
        return self._tokens[2 * sentence], self._tokens[2 * sentence + 1]

    def text(self, sentence: int) -> str:
        """Return a source text as it was given."""
        return self.texts[sentence]

    @cached_property
    def texts(self) -> list[str]:
        """Return all source texts."""
        return bytes(self._arrays["texts"]).decode().split("\n")

    @cached_property
    def sentences(self) -> list[Sentence]:
        """Return the corpus with its grammar, to measure another model on."""
        told = json.loads(bytes(self._arrays["grammar"]).decode())
        texts = self.texts
        return [
            Sentence(text, tuple(_grammar(one) for one in rows), words)
            for text, (words, rows) in zip(texts, told, strict=True)
        ]

    def alignment(self, sentence: int) -> Links:
        """Return which words of a sentence and its translation belong together."""
        return frozenset((s, t) for s, t in self._alignments[sentence])

    @cached_property
    def _alignments(self) -> list[list[list[int]]]:
        return json.loads(bytes(self._arrays["alignment"]).decode())

    def scores(self, kind: Kind) -> NDArray[np.float32]:
        """Return the mean weight that goes where each role says, (R, L, H), over all its queries.

        NaN of a role that never arose.
        """
        return self._arrays[f"scores.{kind}"]

    def chance(self, kind: Kind) -> NDArray[np.float32]:
        """Return what a role's keys would get by chance, (R, L, H)."""
        return self._arrays[f"chance.{kind}"]

    def queries(self, kind: Kind) -> NDArray[np.int64]:
        """Return how many queries each role has, (R,)."""
        return self._arrays[f"queries.{kind}"]

    def sharp(self, kind: Kind) -> NDArray[np.float32]:
        """Return the mean largest weight of a query, (L, H)."""
        return self._arrays[f"sharp.{kind}"]

    def loss(self, kind: Kind) -> NDArray[np.float32]:
        """Return by how much the loss rises without a head, nats a piece, (L, H).

        NaN where it was not measured.
        """
        return self._arrays[f"loss.{kind}"]

    def sureness(self, kind: Kind) -> NDArray[np.float64]:
        """Return how surely each head has each role, (R, L, H): 0 as by chance, 1 always.

        That is (score - chance) / (1 - chance), and 0 below; 0 of a role that never arose.
        """
        chance = self.chance(kind).astype(np.float64)
        above = (self.scores(kind) - chance) / np.maximum(1 - chance, 1e-9)
        return np.nan_to_num(above.clip(0, 1))

    def best(self, kind: Kind) -> Best:
        """Return what each head does most surely."""
        sure = self.sureness(kind)
        nearest = sure.argmax(0)
        most = sure.max(0)
        return Best(np.where(most >= SURE, nearest, -1), nearest, most)

    def values(self, head: Head, role: Role) -> NDArray[np.float64]:
        """Return the share of a head's attention that follows a role in each sentence, (N,).

        The mean over the sentence's queries, to 1/254; NaN where the role does not arise.
        """
        found = self._arrays[f"values.{head.kind}.{head.layer}"]  # R H N
        row = found[ROLES[head.kind].index(role), head.head].astype(np.float64)
        return np.where(row == ABSENT, np.nan, row / FULL)

    def share(self, head: Head, role: Role) -> tuple[int, int]:
        """Count the sentences in which more than half of the weight follows, and those with it."""
        values = self.values(head, role)
        return int((values > 0.5).sum()), int((~np.isnan(values)).sum())

    def evidence(
        self, head: Head, role: Role, chosen: Chosen, count: int, seed: int = 0
    ) -> list[Evidence]:
        """Choose sentences: where most weight follows the role, any at random, or where least does.

        Among the strongest, longer sentences come first where the weight is the same.
        """
        values = self.values(head, role)
        known = np.flatnonzero(~np.isnan(values))
        if chosen == "random":
            order = np.random.default_rng(seed).permutation(known)
        else:
            longest = np.array([len(self._tokens[2 * n]) for n in known])
            sign = -1 if chosen == "strongest" else 1
            order = known[np.lexsort((-longest, sign * values[known]))]
            if chosen == "fails":
                order = order[values[order] <= 0.5]
        return [Evidence(int(n), float(values[n])) for n in order[:count]]

    def top(self, kind: Kind, layer: int) -> NDArray[np.uint8]:
        """Return of each query its strongest key and that weight in 1/255, (P, H, 2).

        The queries P are those of all sentences, one after another; see `places`.
        """
        return self._arrays[f"top.{kind}.{layer}"]

    def places(self, kind: Kind) -> NDArray[np.int64]:
        """Return the sentence and the query of each place, (P, 2)."""
        lengths = [len(self.tokens(kind, n)[0]) for n in range(len(self))]
        ends = np.cumsum(lengths)
        sentence = np.repeat(np.arange(len(lengths)), lengths)
        starts = ends - np.array(lengths, np.int64)
        return np.stack([sentence, np.arange(len(sentence)) - starts[sentence]], axis=1)

    def links(
        self, head: Head, sentences: Sequence[int]
    ) -> list[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Return, for some sentences, the strongest key of each query, and its weight."""
        lengths = [len(self.tokens(head.kind, n)[0]) for n in range(len(self))]
        ends = np.cumsum(lengths)
        top = self.top(head.kind, head.layer)[:, head.head]
        parts = [top[ends[n] - lengths[n] : ends[n]] for n in sentences]
        return [(part[:, 0].astype(np.int64), part[:, 1] / 255) for part in parts]


def _grammar(told: Sequence[Any]) -> Grammar:
    role, query, keys, against, said = told
    return Grammar(role, query, tuple(keys), tuple(against), tuple(said))


def text_array(text: str) -> NDArray[np.uint8]:
    """Return a text as an array of its bytes."""
    return np.frombuffer(text.encode(), np.uint8)


def grammar_array(sentences: Sequence[Sentence]) -> NDArray[np.uint8]:
    """Write the grammar of sentences as JSON, in an array of bytes."""
    told = [
        [one.words, [[g.role, g.query, g.keys, g.against, g.said] for g in one.grammar]]
        for one in sentences
    ]
    return text_array(json.dumps(told, ensure_ascii=False, separators=(",", ":")))


def alignment_array(links: Sequence[Links]) -> NDArray[np.uint8]:
    """Write alignments as JSON, in an array of bytes."""
    return text_array(json.dumps([sorted(one) for one in links], separators=(",", ":")))


def about_array(about: About, layers: Mapping[Kind, int], heads: int) -> NDArray[np.uint8]:
    """Write what an index is about as JSON, in an array of bytes."""
    return text_array(json.dumps({"form": FORM, **layers, "heads": heads, **vars(about)}))


def pack_atlas(arrays: Arrays) -> bytes:
    """Write the arrays of an index as the bytes of atlas.npz."""
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)  # pyright: ignore[reportArgumentType]
    return file.getvalue()


def load_atlas(folder: Path) -> Atlas:
    """Open the index of a checkpoint folder; ValueError names the file when it is none."""
    path = folder / ATLAS
    try:
        return Atlas(np.load(path, allow_pickle=False))
    except (OSError, EOFError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path}: {error}") from error
