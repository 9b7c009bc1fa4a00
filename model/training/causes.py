"""Ask of every picture whether it is a cause: `python -m model.training.causes --checkpoint en-fr`.

A picture is a link of attention that pages show, such as the one from "it" to the noun it stands
for. It is a cause if its word changes when the link is forbidden in all heads of its kind, and does
not change when the same query loses another key instead. It is measured on held-out sentences, with
the words before given, and written to causes.json in the checkpoint's folder.
"""

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.checkpoints.card import CAUSES
from model.checkpoints.checkpoint import write_whole
from model.command import command
from model.families import transformer
from model.recording.history import CUTS
from model.sites.sites import Head, Kind, mask_site
from model.sites.tap import Edit, Editor
from model.tokenizer import Tokenizer
from model.training.data.alignment import split_words
from model.training.data.minimal import MinimalPairs
from model.training.data.pairs import Pair, read_pairs
from model.training.data.places import find_nouns, find_phrase
from model.training.generated.coreference import (
    CoreferencePair,
    MinimalPair,
    held_out_minimal_pairs,
)
from model.training.generated.exchange import exchanged
from model.training.generated.lexicon import nouns
from model.training.losses.causal import choices_when_cut
from model.training.settings import TrainingSettings
from model.transformer.transformer import Transformer
from model.translator import Translator, load_translator

PAIRS = 200
"""The numbers of measured minimal pairs, and of sentences with a name or a number."""

_BATCH = 64


@dataclass(frozen=True)
class Picture:
    """A link in one sentence: from `queries` to `keys` of one kind of attention.

    `step` is the row of the decoder that predicts the link's word. Places count the pieces of the
    source, and the rows of the decoder, whose row 0 is the begin token.
    """

    name: str
    kind: Kind
    source: tuple[int, ...]
    target: tuple[int, ...]
    queries: tuple[int, ...]
    keys: tuple[int, ...]
    step: int


@dataclass(frozen=True)
class Cause:
    """The effect of cutting one kind of picture, beside the same cut at a random place.

    `sentences` counts those in which the model writes the word without a cut. `changed` and
    `changed_elsewhere` are the shares of them in which it then writes another word. The other
    figures are the mean probability of the word: without a cut, with it, and with a cut elsewhere.
    """

    name: str
    kind: Kind
    sentences: int
    changed: float
    changed_elsewhere: float
    probability: float
    cut: float
    cut_elsewhere: float

    @property
    def is_cause(self) -> bool:
        """Tell whether the cut changes the word because of its place.

        It must change at least a fifth of the sentences, and three times as many as elsewhere.
        """
        return self.changed >= 0.2 and self.changed >= 3 * self.changed_elsewhere

    def to_dict(self) -> dict[str, Any]:
        """Return the figures by name, ready for JSON."""
        shares = {
            name: round(each, 4) for name, each in asdict(self).items() if type(each) is float
        }
        return {**asdict(self), **shares, "is_cause": self.is_cause}


def pictures(tokenizer: Tokenizer, dev: Sequence[Pair]) -> list[Picture]:
    """Find all pictures to measure, in the sentences kept out of training.

    Names and numbers are those of dev pairs, and of dev pairs with these exchanged.
    """
    found: list[Picture] = []
    for unseen_frame in (False, True):
        for pair in held_out_minimal_pairs(PAIRS // 2, unseen_frame):
            for sentence, swapped in zip(pair.sentences, pair.swapped, strict=True):
                found += _of_pronoun_sentence(tokenizer, sentence, swapped)
    for pair in [*dev, *exchanged(dev, PAIRS, seed=5)]:
        found += _copied(tokenizer, pair)
    return found


def copied_words(pair: Pair) -> list[str]:
    """List names and numbers that stand once on both sides, without first words."""
    sides = [[word.text for word in split_words(text)] for text in (pair.source, pair.target)]
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
        keys, written = (find_phrase(tokenizer, text, word) for text in (pair.source, pair.target))
        what = "number" if word.isdigit() else "name"
        name, step = f"a copied {what} to its source", written[0]
        yield Picture(name, "cross", source, target, (step,), tuple(keys), step)


def _ids(tokenizer: Tokenizer, source: str, target: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return (
        (*tokenizer.encode(source), tokenizer.end_id),
        (tokenizer.begin_id, *tokenizer.encode(target)),
    )


def _of_pronoun_sentence(
    tokenizer: Tokenizer, sentence: CoreferencePair, swapped: str
) -> Iterator[Picture]:
    """Yield the pictures of "The cat didn't cross the town because it was too tired."."""
    source, target = _ids(tokenizer, sentence.source, sentence.target)
    places = find_nouns(tokenizer, sentence)
    pronoun = places.translated[0]
    both = (*places.antecedent, *places.other)

    def picture(
        name: str, kind: Kind, queries: Sequence[int], keys: Sequence[int], step: int
    ) -> Picture:
        return Picture(name, kind, source, target, tuple(queries), tuple(keys), step)

    yield picture('"it" to its noun', "encoder", places.pronoun, both, pronoun)
    yield picture('il or elle to "it"', "cross", [pronoun], places.pronoun, pronoun)
    french = {noun.english: noun for noun in nouns()}
    written: dict[str, list[int]] = {}
    for word, keys in (
        (sentence.antecedent_word, places.antecedent),
        (sentence.other_word, places.other),
    ):
        written[word] = find_phrase(tokenizer, sentence.target, french[word].french)
        first = written[word][0]
        yield picture("a written noun to its English word", "cross", [first], keys, first)
    # Where the two genders differ, the adjective shows which one it agrees with.
    other = _ids(tokenizer, sentence.source, swapped)[1]
    differ = [n for n, (a, b) in enumerate(zip(target, other, strict=False)) if a != b]
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


def elsewhere(picture: Picture, rng: random.Random) -> Picture:
    """Return the same cut at a random place: equally many other keys that the query may look at.

    It never takes a begin or end token, or the query's own place.
    """
    if picture.kind == "decoder":
        seen = range(1, max(picture.queries))
    else:
        seen = range(len(picture.source) - 1)
    taken = {*picture.keys, *(picture.queries if picture.kind != "cross" else ())}
    others = [place for place in seen if place not in taken]
    keys = rng.sample(others, min(len(picture.keys), len(others)))
    return Picture(**{**asdict(picture), "keys": tuple(keys)})


@torch.no_grad()
def probabilities(
    model: Transformer, chosen: Sequence[Picture], cut: bool
) -> list[tuple[float, bool]]:
    """Return the probability of each picture's word, and whether it is the likeliest piece.

    All pictures must be of one kind; with `cut` their links are forbidden in all heads.
    """
    pad, found = model.config.pad_id, []
    for start in range(0, len(chosen), _BATCH):
        some = chosen[start : start + _BATCH]
        source = _padded([p.source for p in some], pad)
        given = _padded([p.target[: p.step + 1] for p in some], pad)
        tap = Editor({mask_site(some[0].kind): _forbid(some)} if cut else {})
        memory, mask = model.encode(source, tap)
        logits = model.decode(given, memory, mask, tap)  # B T V
        rows = torch.arange(len(some))
        at_step = logits[rows, torch.tensor([p.step for p in some])].softmax(-1)  # B V
        wanted = torch.tensor([p.target[p.step + 1] for p in some])
        likely = at_step[rows, wanted].tolist()
        found += zip(likely, (at_step.argmax(-1) == wanted).tolist(), strict=True)
    return found


def _padded(rows: Sequence[Sequence[int]], pad: int) -> Tensor:
    width = max(map(len, rows))
    return torch.tensor([[*row, *[pad] * (width - len(row))] for row in rows])


def _forbid(some: Sequence[Picture]) -> Edit:
    """Return the edit of a mask (B, T, S) that forbids each row's link."""

    def forbid(mask: Tensor) -> Tensor:
        mask = mask.clone()
        for row, picture in enumerate(some):
            for query in picture.queries:
                mask[row, query, list(picture.keys)] = False
        return mask

    return forbid


def measure(model: Transformer, found: Sequence[Picture]) -> list[Cause]:
    """Cut every picture, and at a random place as well; one row a name, in the order found."""
    rng = random.Random(0)
    by_name: dict[str, list[Picture]] = defaultdict(list)
    for picture in found:
        by_name[picture.name].append(picture)
    rows: list[Cause] = []
    for name, some in by_name.items():
        as_it_is = probabilities(model, some, cut=False)
        written = [p for p, (_, right) in zip(some, as_it_is, strict=True) if right]
        if not written:
            continue
        cut = probabilities(model, written, cut=True)
        other = probabilities(model, [elsewhere(p, rng) for p in written], cut=True)
        rows.append(
            Cause(
                name,
                some[0].kind,
                len(written),
                changed=1 - _mean(right for _, right in cut),
                changed_elsewhere=1 - _mean(right for _, right in other),
                probability=_mean(likely for likely, right in as_it_is if right),
                cut=_mean(likely for likely, _ in cut),
                cut_elsewhere=_mean(likely for likely, _ in other),
            )
        )
    return rows


def _mean(values: Iterator[float]) -> float:
    each = list(values)
    return sum(each) / len(each)


@dataclass(frozen=True)
class Pronouns:
    """The effects of cuts on il and elle in `sentences` held-out sentences, by each of CUTS.

    `right` is the share in which the right pronoun is the likelier one. `changed` is the share with
    another one than in the unchanged model. `apart` is the share of the unchanged model in which
    the two sentences of a pair have different pronouns, and `carried` the share of these that the
    memory of "it" changes: where both have the same one, it has nothing else to say.
    """

    sentences: int
    right: dict[str, float]
    changed: dict[str, float]
    apart: float
    carried: float


TOGETHER = "all held-out sets"
"""The name of all sets of held-out sentences as one."""


def cut_pronouns(
    model: Transformer, tokenizer: Tokenizer, pairs: Sequence[MinimalPair], carrier: Head
) -> Pronouns:
    """Compare il and elle under each of CUTS."""
    minimal = MinimalPairs(tokenizer, TrainingSettings(config=model.config))
    elle: list[Tensor] = []
    apart: list[Tensor] = []
    chosen: dict[str, list[Tensor]] = {name: [] for name in CUTS}
    for batch in minimal.batches(pairs):
        elle.append(batch.elle)
        for name, choice in choices_when_cut(model, batch, carrier).items():
            chosen[name].append(choice.leads > 0)
        apart.append(chosen["none"][-1] != chosen["none"][-1][batch.partner])
    wanted, found = torch.cat(elle), {name: torch.cat(each) for name, each in chosen.items()}
    told = torch.cat(apart)
    changed = {name: each != found["none"] for name, each in found.items()}
    return Pronouns(
        len(wanted),
        {name: (each == wanted).double().mean().item() for name, each in found.items()},
        {name: each.double().mean().item() for name, each in changed.items()},
        told.double().mean().item(),
        changed["it"][told].double().mean().item() if told.any() else 0.0,
    )


def held_out_pronouns(translator: Translator, carrier: Head) -> dict[str, Pronouns]:
    """Cut in known frames with unseen words, in the frame that training never sees, and in both."""
    model, tokenizer = transformer(translator.model), translator.tokenizer
    found = {
        name: cut_pronouns(model, tokenizer, held_out_minimal_pairs(PAIRS, unseen_frame), carrier)
        for name, unseen_frame in (("known frames", False), ("unseen frame", True))
    }
    return {**found, TOGETHER: together(list(found.values()))}


def together(sets: Sequence[Pronouns]) -> Pronouns:
    """Return the shares of several sets as those of one."""
    sentences = sum(one.sentences for one in sets)
    apart = sum(one.apart * one.sentences for one in sets)

    def share(shares: Sequence[float]) -> float:
        return sum(each * one.sentences for each, one in zip(shares, sets, strict=True)) / sentences

    return Pronouns(
        sentences,
        {cut: share([one.right[cut] for one in sets]) for cut in sets[0].right},
        {cut: share([one.changed[cut] for one in sets]) for cut in sets[0].changed},
        apart / sentences,
        sum(one.carried * one.apart * one.sentences for one in sets) / apart if apart else 0.0,
    )


def carrier_of(translator: Translator) -> Head:
    """Return the head that a checkpoint was trained to carry the noun by, else the default."""
    trained, defaults = translator.card.get("settings", {}), TrainingSettings()
    layer, head = (
        int(trained.get(name, getattr(defaults, name)))
        for name in ("carrier_layer", "carrier_head")
    )
    return Head("encoder", layer - 1, head - 1)


def report(translator: Translator, dev: Sequence[Pair]) -> dict[str, Any]:
    """Measure the contents of causes.json."""
    carrier = carrier_of(translator)
    model, tokenizer = transformer(translator.model), translator.tokenizer
    return {
        "carrier": [carrier.layer + 1, carrier.head + 1],
        "pictures": [row.to_dict() for row in measure(model, pictures(tokenizer, dev))],
        "pronouns": {
            name: asdict(pronouns)
            for name, pronouns in held_out_pronouns(translator, carrier).items()
        },
    }


@command
def main() -> None:
    """Measure a checkpoint's pictures, write causes.json beside it and print them."""
    parser = argparse.ArgumentParser(prog="python -m model.training.causes")
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument("--dev", type=Path, required=True, help="TSV of pairs with names, numbers")
    parser.add_argument("--print", action="store_true", help="write nothing")
    options = parser.parse_args()
    translator = load_translator(options.checkpoint)
    found = report(translator, read_pairs(options.dev))
    if not options.print:
        content = json.dumps(found, indent=1) + "\n"
        write_whole(translator.folder / CAUSES, content.encode())
    print(
        "| picture | kind | sentences | changed, % | elsewhere, % | probability, cut, elsewhere |"
    )
    print("|---|---|---|---|---|---|")
    for row in found["pictures"]:
        print(
            f"| {row['name']} | {row['kind']} | {row['sentences']} | {100 * row['changed']:.0f} "
            f"| {100 * row['changed_elsewhere']:.0f} | {row['probability']:.2f}, "
            f"{row['cut']:.2f}, {row['cut_elsewhere']:.2f} |"
        )
    print("\n| pronouns | cut | right, % | changed, % |\n|---|---|---|---|")
    for name, pronouns in found["pronouns"].items():
        for cut in CUTS:
            right, changed = (100 * pronouns[which][cut] for which in ("right", "changed"))
            print(f"| {name} | {cut} | {right:.1f} | {changed:.1f} |")


if __name__ == "__main__":
    sys.exit(main())
