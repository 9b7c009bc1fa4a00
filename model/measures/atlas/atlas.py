"""The index of a corpus: roles of all heads, the sentences behind them, and each query's choice.

It is one file. Only the arrays that are used are read from it.
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

from model.measures.atlas.joint import Near
from model.measures.atlas.measures import Arrays, Measures
from model.measures.atlas.roles import ROLES, Grammar, Role, Sentence
from model.measures.atlas.stages import Stages, stages_of
from model.measures.head_roles import Links
from model.measures.loops import has_loop
from model.sites.sites import KINDS, Head, Kind

ATLAS = "atlas.npz"

FORM = 2
"""The form of the file; other forms are refused."""

BEFORE, BEFORE_STEPS = "before.", "before.steps"
"""The prefixes of the array names for the model before further training."""

ABSENT, FULL = 255, 254
"""The byte for a sentence without the role, and for a sentence where all weight follows it."""

Chosen = Literal["strongest", "random", "fails"]


@dataclass(frozen=True)
class About:
    """What an index was measured on: the model, `sha256` of its weights, and the texts.

    `loss_pieces` is the number of pieces on which the loss was measured, 0 if it was not.
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


class Atlas(Measures):
    """The roles of all heads of a model over a corpus; arrays are read when they are needed."""

    def __init__(self, arrays: Arrays) -> None:
        """Open an index; ValueError when the arrays are not those of an index."""
        try:
            told = json.loads(bytes(arrays["about"]).decode())
            if told.pop("form") != FORM:
                raise ValueError("of another form than this program reads")
            self.layers: dict[Kind, int] = {kind: int(told.pop(kind)) for kind in KINDS}
            self.heads = int(told.pop("heads"))
            self.about = About(**told)
            super().__init__(arrays)
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

    @cached_property
    def before(self) -> Measures | None:
        """Return the same measures of the model before further training, if the index has them."""
        return Measures(self._arrays, BEFORE) if BEFORE_STEPS in self._arrays else None

    @property
    def steps_before(self) -> int:
        """Return the training step of the model that `before` describes."""
        return int(self._arrays[BEFORE_STEPS])

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self._tokens) // 2

    def tokens(self, kind: Kind, sentence: int) -> tuple[list[str], list[str]]:
        """Return the query tokens and the key tokens of a sentence."""
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
            Sentence(text, tuple(_grammar(row) for row in rows), words)
            for text, (words, rows) in zip(texts, told, strict=True)
        ]

    def alignment(self, sentence: int) -> Links:
        """Return the aligned words of a sentence and its translation."""
        return frozenset((s, t) for s, t in self._alignments[sentence])

    @cached_property
    def _alignments(self) -> list[list[list[int]]]:
        return json.loads(bytes(self._arrays["alignment"]).decode())

    @cached_property
    def _loops(self) -> NDArray[np.bool_]:
        """Tell which translations loop, (N,)."""
        return np.array([has_loop(target) for target in self._tokens[1::2]])

    def queries(self, kind: Kind) -> NDArray[np.int64]:
        """Return how many queries each role has, (R,)."""
        return self._arrays[f"queries.{kind}"]

    def loss(self, kind: Kind) -> NDArray[np.float32]:
        """Return the rise of the loss without each head, in nats a piece, (L, H).

        NaN where it was not measured.
        """
        return self._arrays[f"loss.{kind}"]

    def taken(self, kind: Kind) -> NDArray[np.float32] | None:
        """Return what each head takes of its values, on the mean of all queries, (L, H).

        It is weight times length of the value, beside the sentence's longest value of that head: a
        head that looks at a short value takes little. None for an index that was measured without.
        """
        return self._arrays.get(f"taken.{kind}")

    def values(self, head: Head, role: Role) -> NDArray[np.float64]:
        """Return the share of a head's attention that follows a role in each sentence, (N,).

        The mean over the sentence's queries, to 1/254; NaN where the role does not arise.
        """
        shares = self._arrays[f"values.{head.kind}.{head.layer}"]  # R H N
        row = shares[ROLES[head.kind].index(role), head.head].astype(np.float64)
        return np.where(row == ABSENT, np.nan, row / FULL)

    def share(self, head: Head, role: Role) -> tuple[int, int]:
        """Count the sentences that give a role over half of the weight, and all with the role."""
        values = self.values(head, role)
        return int((values > 0.5).sum()), int((~np.isnan(values)).sum())

    def evidence(
        self, head: Head, role: Role, chosen: Chosen, count: int, seed: int = 0
    ) -> list[Evidence]:
        """Choose sentences with most weight on the role, with least weight, or at random.

        Longer sentences come first where the strongest weights are equal. Sentences whose
        translation loops come after all others.
        """
        values = self.values(head, role)
        with_role = np.flatnonzero(~np.isnan(values))
        if chosen == "random":
            drawn = np.random.default_rng(seed).permutation(with_role)
            order = drawn[np.argsort(self._loops[drawn], kind="stable")]
        else:
            longest = np.array([len(self._tokens[2 * n]) for n in with_role])
            sign = -1 if chosen == "strongest" else 1
            loops = self._loops[with_role]
            order = with_role[np.lexsort((-longest, sign * values[with_role], loops))]
            if chosen == "fails":
                order = order[values[order] <= 0.5]
        return [Evidence(int(n), float(values[n])) for n in order[:count]]

    def strongest(self, head: Head) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the strongest key of each query, and its weight in 1/255, (P,) each.

        P counts the queries of all sentences, one after another; see `places`.
        """
        keys, weights = (self._arrays[f"{of}.{head.kind}.{head.layer}"] for of in ("key", "weight"))
        return keys[head.head], weights[head.head]

    @cached_property
    def stages(self) -> Stages | None:
        """Return the stored inputs of some layers; None where the index keeps none."""
        sides = self._tokens[::2], self._tokens[1::2]
        lengths = [(len(source), len(target)) for source, target in zip(*sides, strict=True)]
        return stages_of(self._arrays, lengths)

    def without_stages(self) -> "Atlas":
        """Return the index without its stages, so that searches run from the bottom."""
        names = [name for name in self._arrays if not name.startswith("stage.")]
        return Atlas({name: self._arrays[name] for name in names})

    def near(self, head: Head) -> Near | None:
        """Return a head's map that keeps neighbours; None where the index has no such map."""
        if (name := f"near.{head.kind}.{head.layer}") not in self._arrays:
            return None
        points = self._arrays[name][head.head].astype(np.float64)
        agreements = self._arrays[f"agreement.{head.kind}.{head.layer}"]
        return Near(points, float(agreements[head.head]))

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
        keys, weights = self.strongest(head)
        parts = [slice(ends[n] - lengths[n], ends[n]) for n in sentences]
        return [(keys[part].astype(np.int64), weights[part] / 255) for part in parts]


def _grammar(row: Sequence[Any]) -> Grammar:
    role, query, keys, against, words_said = row
    return Grammar(role, query, tuple(keys), tuple(against), tuple(words_said))


def text_array(text: str) -> NDArray[np.uint8]:
    """Return a text as an array of its bytes."""
    return np.frombuffer(text.encode(), np.uint8)


def grammar_array(sentences: Sequence[Sentence]) -> NDArray[np.uint8]:
    """Write the grammar of sentences as JSON, in an array of bytes."""
    told = [
        [sentence.words, [[g.role, g.query, g.keys, g.against, g.said] for g in sentence.grammar]]
        for sentence in sentences
    ]
    return text_array(json.dumps(told, ensure_ascii=False, separators=(",", ":")))


def alignment_array(links: Sequence[Links]) -> NDArray[np.uint8]:
    """Write alignments as JSON, in an array of bytes."""
    return text_array(json.dumps([sorted(aligned) for aligned in links], separators=(",", ":")))


def about_array(about: About, layers: Mapping[Kind, int], heads: int) -> NDArray[np.uint8]:
    """Write the data of an index as JSON, in an array of bytes."""
    return text_array(json.dumps({"form": FORM, **layers, "heads": heads, **vars(about)}))


def pack_atlas(arrays: Arrays) -> bytes:
    """Write the arrays of an index as the bytes of atlas.npz."""
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()


def load_atlas(folder: Path) -> Atlas:
    """Open the index of a checkpoint folder; ValueError names the file when it is damaged."""
    path = folder / ATLAS
    try:
        return Atlas(np.load(path, allow_pickle=False))
    except (OSError, EOFError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path}: {error}") from error
