"""Measure every head of a model over a corpus: the arrays of an index."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from model.decoding.steps import Progress
from model.measures.atlas.aligning import align
from model.measures.atlas.atlas import (
    ABSENT,
    BEFORE,
    BEFORE_STEPS,
    FULL,
    About,
    Atlas,
    about_array,
    alignment_array,
    grammar_array,
    text_array,
)
from model.measures.atlas.losses import Losses
from model.measures.atlas.roles import ROLES, Role, Sentence, even, masks_of, masses
from model.measures.atlas.running import batches, kept_sites
from model.measures.head_roles import Links
from model.measures.taken import taken
from model.results import Source, Translation
from model.sites.sites import KINDS, Kind, attention_site
from model.transformer.transformer import Transformer
from model.translator import Translator
from model.words import words_of

TRANSLATING = 0.75
"""The share of the translation in the whole work."""

Array = NDArray[Any]


class _Sums:
    """The sums over the sentences for one kind of attention."""

    def __init__(self, kind: Kind, layers: int, heads: int, sentences: int) -> None:
        self.kind: Kind = kind
        shape = len(ROLES[kind]), layers, heads
        self.sums, self.chance = np.zeros(shape), np.zeros(shape)
        self.queries = np.zeros(len(ROLES[kind]), np.int64)
        self.values = np.full((*shape, sentences), ABSENT, np.uint8)
        self.sharp, self.rows = np.zeros(shape[1:]), 0
        self.taken, self.takers = np.zeros(shape[1:]), 0
        self.top: dict[int, Array] = {}

    def add(
        self,
        number: int,
        weights: Array,
        lengths: Array,
        masks: Mapping[Role, Array],
        against: Mapping[Role, Array],
    ) -> None:
        """Add the weights (L, H, Q, K) and the lengths of the values (L, H, K) of one sentence."""
        roles: list[Role] = [role for role in ROLES[self.kind] if role in masks]
        sums, counts = masses(weights, [masks[role] for role in roles])
        for role, total, count in zip(roles, sums, counts, strict=True):
            if not count:
                continue
            at = ROLES[self.kind].index(role)
            self.sums[at] += total
            self.queries[at] += count
            self.values[at, ..., number] = np.rint((total / count).clip(0, 1) * FULL)
            chance = np.full(total.shape, even(self.kind, masks[role]))
            if role in against:
                chance = np.maximum(chance, masses(weights, [against[role]])[0][0])
            self.chance[at] += chance
        strongest, most = weights.argmax(-1), weights.max(-1)  # L H Q
        self.sharp += most.sum(-1)
        self.rows += weights.shape[2]
        # The first row of the decoder sees one key, and has no choice.
        rows = taken(weights, lengths).sum(-1)[..., int(self.kind == "decoder") :]
        self.taken += rows.sum(-1)
        self.takers += rows.shape[-1]
        self.top[number] = np.stack([strongest, np.rint(most * 255)]).astype(np.uint8)  # 2 L H Q

    def arrays(self) -> dict[str, Array]:
        """Return the index arrays of this kind."""
        count = np.maximum(self.queries, 1)[:, None, None]
        never = (self.queries == 0)[:, None, None]
        top = np.concatenate([self.top[number] for number in sorted(self.top)], axis=-1)  # 2 L H P
        return {
            f"scores.{self.kind}": np.where(never, np.nan, self.sums / count).astype(np.float32),
            f"chance.{self.kind}": (self.chance / count).astype(np.float32),
            f"queries.{self.kind}": self.queries,
            f"sharp.{self.kind}": (self.sharp / max(self.rows, 1)).astype(np.float32),
            f"taken.{self.kind}": (self.taken / max(self.takers, 1)).astype(np.float32),
            **{f"values.{self.kind}.{n}": self.values[:, n] for n in range(self.values.shape[1])},
            **{
                f"{of}.{self.kind}.{n}": top[at, n]
                for at, of in enumerate(("key", "weight"))
                for n in range(top.shape[1])
            },
        }


def translations(
    translator: Translator, sources: Sequence[Source], progress: Progress
) -> list[Translation]:
    """Translate greedily, in batches of similar length; keep the order."""
    by_number: dict[int, Translation] = {}
    for some in batches(translator.model, [(source.ids, source.ids) for source in sources]):
        written = translator.translate_all([sources[at] for at in some], len(some))
        by_number |= zip(some, written, strict=True)
        progress(len(by_number), len(sources))
    return [by_number[at] for at in range(len(sources))]


def measure_heads(
    translator: Translator,
    sentences: Sequence[Sentence],
    corpus: str,
    more: Sequence[tuple[Sequence[str], Sequence[str]]] = (),
    losses: Losses | None = None,
    progress: Progress = lambda _done, _all: None,
) -> dict[str, Array]:
    """Translate a corpus and measure every head on it; return the arrays of an index.

    `corpus` names the origin of the texts. Words are aligned by learning from the pairs themselves
    and from `more` pairs of words. Raises ValueError when there is no sentence, or the model is no
    Transformer. `progress` receives the work done, in thousandths; it may raise to end it.
    """
    model = translator.model
    if not sentences:
        raise ValueError("there is no sentence to measure the heads on")
    sources = [translator.source(sentence.text) for sentence in sentences]
    written = translations(translator, sources, _part(progress, 0, TRANSLATING))
    ids = [
        (source.ids, (translator.tokenizer.begin_id, *sentence.ids)[: translator.max_tokens])
        for source, sentence in zip(sources, written, strict=True)
    ]
    tokens = [
        (list(source.tokens), translator.target_tokenizer.tokens(list(target)))
        for source, (_ids, target) in zip(sources, ids, strict=True)
    ]
    words = [(_words(source[:-1]), _words(target[1:])) for source, target in tokens]
    links = align(words, more)
    kinds: dict[Kind, int] = {kind: model.config.layers(kind) for kind in KINDS}
    sums: dict[Kind, _Sums] = {
        kind: _Sums(kind, count, model.config.heads, len(sentences))
        for kind, count in kinds.items()
        if count
    }
    adding = _part(progress, TRANSLATING, 1)
    _add_all(model, ids, tokens, sentences, links, sums, progress=adding)
    about = About(translator.name, str(translator.card.get("sha256", "")), corpus)
    about = replace(about, loss_pieces=losses.pieces if losses else 0)
    nothing = {kind: np.full((n, model.config.heads), np.nan) for kind, n in kinds.items()}
    loss = losses.rises if losses else nothing
    return {
        "about": about_array(about, kinds, model.config.heads),
        "texts": text_array("\n".join(source.text for source in sources)),
        "tokens": text_array("\n".join(" ".join(side) for pair in tokens for side in pair)),
        "grammar": grammar_array(sentences),
        "alignment": alignment_array(links),
        **{f"loss.{kind}": rises.astype(np.float32) for kind, rises in loss.items()},
        **{name: array for sum_ in sums.values() for name, array in sum_.arrays().items()},
    }


def measured(translator: Translator, sentences: Sequence[Sentence], corpus: str = "") -> Atlas:
    """Measure every head of a model on sentences and return the index; see `measure_heads`."""
    return Atlas(measure_heads(translator, sentences, corpus))


def before_arrays(
    translator: Translator,
    sentences: Sequence[Sentence],
    steps: int,
    more: Sequence[tuple[Sequence[str], Sequence[str]]] = (),
    progress: Progress = lambda _done, _all: None,
) -> dict[str, Array]:
    """Measure an earlier state of a model, after `steps` steps, on the same corpus.

    Add these arrays to those of the model's index; see `measure_heads`.
    """
    arrays = measure_heads(translator, sentences, "", more, None, progress)
    measures = {
        n: array for n, array in arrays.items() if n.split(".")[0] in ("scores", "chance", "sharp")
    }
    return {
        BEFORE_STEPS: np.array(steps),
        **{f"{BEFORE}{n}": array for n, array in measures.items()},
    }


def _words(tokens: Sequence[str]) -> list[str]:
    return [word.text for word in words_of(tokens)]


def _part(progress: Progress, start: float, end: float) -> Progress:
    """Return a progress that covers a part of the whole."""
    return lambda done, all_: progress(round(1000 * (start + (end - start) * done / all_)), 1000)


def _add_all(
    model: Transformer,
    ids: Sequence[tuple[Sequence[int], Sequence[int]]],
    tokens: Sequence[tuple[list[str], list[str]]],
    sentences: Sequence[Sentence],
    links: Sequence[Links],
    sums: Mapping[Kind, _Sums],
    *,
    progress: Progress,
) -> None:
    """Run all sentences, in batches of similar length, and add up the weights of their heads."""
    sites = {
        (kind, part): [attention_site(kind, layer, part) for layer in range(each.sums.shape[1])]
        for kind, each in sums.items()
        for part in ("weights", "v")
    }
    names = frozenset(site for each in sites.values() for site in each)
    done = 0
    for some in batches(model, ids):
        kept = kept_sites(model, [ids[at] for at in some], names)
        for kind, each in sums.items():
            weights, values = (
                torch.stack([kept[site] for site in sites[kind, part]], 1)
                for part in ("weights", "v")
            )
            lengths = values.norm(dim=-1).numpy()  # B L H K
            for row, at in enumerate(some):
                source, target = map(len, tokens[at])
                queries = source if kind == "encoder" else target
                keys = target if kind == "decoder" else source
                masks, against = masks_of(kind, tokens[at], sentences[at], links[at])
                one = weights[row, :, :, :queries, :keys].numpy()
                each.add(at, one, lengths[row, :, :, :keys], masks, against)
        done += len(some)
        progress(done, len(ids))
