"""The pictures of `causes.py`: links of attention in sentences kept out of training."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.sites.sites import Kind, attention_site
from model.sites.tap import Edit, Editor
from model.tokenizer import Tokenizer
from model.training.data.alignment import split_words
from model.training.data.pairs import Pair
from model.training.data.places import find_nouns, find_phrase
from model.training.generated.coreference import CoreferencePair, held_out_minimal_pairs
from model.training.generated.exchange import exchanged
from model.training.generated.lexicon import nouns
from model.training.losses.causal import look_evenly
from model.transformer.transformer import Transformer

Heads = tuple[tuple[int, int | None], ...]
"""Pairs (layer, head) from 0, with head None for a whole layer; () means all heads."""

PAIRS = 200
"""The numbers of measured minimal pairs, and of sentences with a name or a number."""

_BATCH = 64


@dataclass(frozen=True)
class Picture:
    """A link in one sentence: from `queries` to `keys` of one kind of attention.

    `step` is the row of the decoder that predicts the link's word. Places count the pieces of the
    source, and the rows of the decoder, whose row 0 is the begin token. If another word is
    possible, `onto` are its keys, and `becomes` is the piece that the step should write when the
    queries look at these keys.
    """

    name: str
    kind: Kind
    source: tuple[int, ...]
    target: tuple[int, ...]
    queries: tuple[int, ...]
    keys: tuple[int, ...]
    step: int
    onto: tuple[int, ...] = ()
    becomes: int | None = None


def pictures(tokenizer: Tokenizer, dev: Sequence[Pair]) -> list[Picture]:
    """Find all pictures to measure, in the sentences kept out of training.

    Names and numbers come from dev pairs, and from dev pairs in which they are exchanged.
    """
    all_pictures: list[Picture] = []
    for unseen_frame in (False, True):
        for pair in held_out_minimal_pairs(PAIRS // 2, unseen_frame):
            for sentence, swapped in zip(pair.sentences, pair.swapped, strict=True):
                all_pictures += _of_pronoun_sentence(tokenizer, sentence, swapped)
    for pair in [*dev, *exchanged(dev, PAIRS, seed=5)]:
        all_pictures += _copied(tokenizer, pair)
    return all_pictures


def copied_words(pair: Pair) -> list[str]:
    """List the names and numbers that occur once on both sides, except first words."""
    sides = [[word.text for word in split_words(side)] for side in (pair.source, pair.target)]
    return [
        word
        for word in dict.fromkeys(sides[0][1:])
        if ((word[0].isupper() and len(word) > 1) or word.isdigit())
        and all(words.count(word) == 1 and word in words[1:] for words in sides)
    ]


def _copied(tokenizer: Tokenizer, pair: Pair) -> Iterator[Picture]:
    """Yield the pictures of the names and numbers that a pair copies."""
    words = copied_words(pair)
    source, target = _ids(tokenizer, pair.source, pair.target) if words else ((), ())
    for word in words:
        keys, written = (find_phrase(tokenizer, side, word) for side in (pair.source, pair.target))
        kind = "number" if word.isdigit() else "name"
        name, step = f"a copied {kind} to its source", written[0]
        yield Picture(name, "cross", source, target, (step,), tuple(keys), step)


def _ids(tokenizer: Tokenizer, source: str, target: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return (
        (*tokenizer.encode(source), tokenizer.end_id),
        (tokenizer.begin_id, *tokenizer.encode(target)),
    )


def _of_pronoun_sentence(
    tokenizer: Tokenizer, sentence: CoreferencePair, swapped: str
) -> Iterator[Picture]:
    """Yield the pictures of a sentence, as in "The cat didn't cross the town as it was tired"."""
    source, target = _ids(tokenizer, sentence.source, sentence.target)
    places = find_nouns(tokenizer, sentence)
    pronoun = places.translated[0]
    both = (*places.antecedent, *places.other)

    def picture(
        name: str,
        kind: Kind,
        queries: Sequence[int],
        keys: Sequence[int],
        step: int,
        turned: tuple[Sequence[int], int | None] = ((), None),
    ) -> Picture:
        link = tuple(queries), tuple(keys), step
        return Picture(name, kind, source, target, *link, tuple(turned[0]), turned[1])

    swapped_ids = _ids(tokenizer, sentence.source, swapped)[1]
    turned = places.other, swapped_ids[pronoun + 1]
    yield picture('"it" to its noun', "encoder", places.pronoun, both, pronoun, turned)
    yield picture('il or elle to "it"', "cross", [pronoun], places.pronoun, pronoun, turned)
    french = {noun.english: noun for noun in nouns()}
    written: dict[str, list[int]] = {}
    of_antecedent = sentence.antecedent_word, places.antecedent
    of_other = sentence.other_word, places.other
    for word, _ in (of_antecedent, of_other):
        written[word] = find_phrase(tokenizer, sentence.target, french[word].french)
    for word, keys, other, onto in (
        (*of_antecedent, *of_other),
        (*of_other, *of_antecedent),
    ):
        first, becomes = written[word][0], target[written[other][0] + 1]
        name = "a written noun to its English word"
        yield picture(name, "cross", [first], keys, first, (onto, becomes))
    # Where the two genders differ, the adjective shows with which noun it agrees.
    differ = [n for n, (a, b) in enumerate(zip(target, swapped_ids, strict=False)) if a != b]
    agreeing = [n - 1 for n in differ if n - 1 > pronoun]
    if agreeing:
        step = agreeing[0]
        noun = written[sentence.antecedent_word]
        cases: tuple[tuple[str, Kind, list[int]], ...] = (
            ("an adjective to il or elle", "decoder", [pronoun + 1]),
            ("an adjective to the French noun", "decoder", [n + 1 for n in noun]),
            ("an adjective to the English noun", "cross", places.antecedent),
            ('an adjective to "it"', "cross", places.pronoun),
        )
        for name, kind, keys in cases:
            yield picture(name, kind, [step], keys, step)
    pieces = tokenizer.tokens(list(target))
    if "▁n" in pieces and "▁pas" in pieces:
        not_, step = pieces.index("▁n"), pieces.index("▁pas") - 1
        yield picture("pas to n'", "decoder", [step], [not_], step)
        verb = not_ + 1  # the row of the apostrophe, which predicts the verb
        subject = find_phrase(tokenizer, sentence.source, sentence.source.split()[1])
        yield picture("a verb to its English subject", "cross", [verb], subject, verb)


@torch.no_grad()
def likely(
    model: Transformer,
    chosen: Sequence[Picture],
    wanted: Sequence[int],
    edits_of: Callable[[Sequence[Picture]], dict[str, Edit]],
) -> list[tuple[float, bool]]:
    """Return each picture's probability of its piece, and True if that is the likeliest piece."""
    pad, likelihoods = model.config.pad_id, []
    for start in range(0, len(chosen), _BATCH):
        some = chosen[start : start + _BATCH]
        source = padded([p.source for p in some], pad)
        inputs = padded([p.target[: p.step + 1] for p in some], pad)
        tap = Editor(edits_of(some))
        memory, mask = model.encode(source, tap)
        logits = model.decode(inputs, memory, mask, tap)  # B T V
        rows = torch.arange(len(some))
        at_step = logits[rows, torch.tensor([p.step for p in some])].softmax(-1)  # B V
        pieces = torch.tensor(wanted[start : start + _BATCH])
        odds = at_step[rows, pieces].tolist()
        likelihoods += zip(odds, (at_step.argmax(-1) == pieces).tolist(), strict=True)
    return likelihoods


def turned_onto(some: Sequence[Picture], heads: Heads, model: Transformer) -> dict[str, Edit]:
    """Return the edits that turn each picture's first query onto `onto`, in these heads."""
    kind, config = some[0].kind, model.config
    keys = torch.zeros(len(some), max(len(p.source) for p in some), dtype=torch.bool)
    for row, picture in enumerate(some):
        keys[row, list(picture.onto)] = True
    query = torch.tensor([p.queries[0] for p in some])
    turned_heads = heads or tuple((layer, None) for layer in range(config.layers(kind)))
    return {
        attention_site(kind, layer, "weights"): look_evenly(
            query, keys, None if head is None else [head]
        )
        for layer, head in turned_heads
    }


def padded(rows: Sequence[Sequence[int]], pad: int) -> Tensor:
    """Make one tensor of rows of ids, padded to the longest."""
    width = max(map(len, rows))
    return torch.tensor([[*row, *[pad] * (width - len(row))] for row in rows])
