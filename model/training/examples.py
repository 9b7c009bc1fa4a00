"""Find good examples for a model: `python -m model.training.examples CANDIDATES.json`.

It tries every candidate: sentences against their accepted translations, pairs of sentences for the
story of the first page, words with two meanings. It prints the results, and with `--write` puts
those that work into examples.json in the checkpoint's folder. A file of candidates has the form of
examples.json, with `stories` for the pairs and with `right` beside a sentence: its accepted
translations, in the form of `visitor_sentences.tsv`.
"""

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np

from model.checkpoints.checkpoint import write_whole
from model.checkpoints.examples import EXAMPLES, Meanings, StoryPair, read_examples
from model.checkpoints.files import read_json
from model.command import command
from model.measures.deciding import deciding_heads
from model.measures.minimal_pairs import parting
from model.measures.swing import Swing
from model.recording.recording import Recording
from model.training.data.samples import fits
from model.translator import Translation, Translator, load_translator
from model.words import is_unspaced, words_of

MOVED = 0.3
"""The least weight that the deciding head must move."""

SENTENCES, PAIRS, MEANINGS = 12, 6, 12
"""The most entries that are written of each."""


@dataclass(frozen=True)
class Tried:
    """The measures of a story: both words of the translation, their probabilities, and the head.

    `likely[n]` is that of the n-th word in the n-th sentence.
    """

    words: tuple[str, str]
    likely: tuple[float, float]
    swing: Swing

    @property
    def works(self) -> bool:
        """Tell whether both words are whole, likely, and followed by a head."""
        whole = all(word.isalpha() for word in self.words)
        return whole and min(self.likely) > 0.5 and self.swing.moved >= MOVED


def try_story(translator: Translator, story: StoryPair) -> Tried:
    """Measure a pair; ValueError when both translations are equal or a word is not whole."""
    begin, end = translator.tokenizer.begin_id, translator.tokenizer.end_id
    both = [translator.translate(text) for text in (story.first, story.second)]
    decision = parting(*((begin, *one.ids, end) for one in both))
    if decision is None:
        raise ValueError("both translations are the same")
    beginning = Translation("", (), decision.prefix[1:], 0.0)
    first, second = (translator.record(text, beginning) for text in (story.first, story.second))
    swing = deciding_heads(story, first, second)[0]
    step = len(decision.prefix) - 1
    one, other = (_word_at(found, step) for found in both)
    likely = _chance(first, decision.first), _chance(second, decision.second)
    return Tried((one, other), likely, swing)


def _word_at(translation: Translation, piece: int) -> str:
    """Return the word that begins with a piece of a translation; "" when none does."""
    words = words_of(translation.tokens)
    return next((w.text for w in words if w.first == w.last == piece), "")


def _chance(recording: Recording, piece: int) -> float:
    logits = recording.logits[-1].astype(np.float64)
    powers = np.exp(logits - logits.max())
    return float(powers[piece] / powers.sum())


@dataclass
class Chosen:
    """The candidates good enough to be written, each in the form of examples.json."""

    sentences: list[dict[str, str]]
    stories: list[tuple[float, StoryPair]]
    meanings: list[Meanings]

    def to_dict(self, candidates: dict[str, Any]) -> dict[str, Any]:
        """Return the content of examples.json; the story is the pair that moves the most."""
        ranked = [story for _moved, story in sorted(self.stories, key=lambda one: -one[0])]
        names = ("source", "target", "typed", "rivals", "weak_spots")
        found = {name: candidates[name] for name in names if name in candidates}
        told = [{"text": text} for one in ranked[:1] for text in (one.first, one.second)]
        known = {one["text"] for one in told}
        rest = [one for one in self.sentences if one["text"] not in known]
        found["sentences"] = [*told, *rest][:SENTENCES]
        if ranked:
            found["story"] = _without_empty(ranked[0])
        best = {_name(one): one for one in reversed(ranked)}
        named = [(name, best[name]) for name in dict.fromkeys(map(_name, ranked))]
        found["pairs"] = [
            {"name": name, "first": one.first, "second": one.second} for name, one in named[:PAIRS]
        ]
        by_word = {one.word: one for one in reversed(self.meanings)}
        words = dict.fromkeys(one.word for one in self.meanings)
        found["meanings"] = [asdict(by_word[word]) for word in words][:MEANINGS]
        return found


def _name(story: StoryPair) -> str:
    """Name a pair by its differing words or, without spaces, characters."""
    if not is_unspaced(story.first):
        return " / ".join(story.source)
    steps = SequenceMatcher(a=story.first, b=story.second).get_opcodes()
    changed = [
        (story.first[i:j], story.second[k:n]) for what, i, j, k, n in steps if what != "equal"
    ]
    return " / ".join(map("".join, zip(*changed, strict=True)))


def _without_empty(story: StoryPair) -> dict[str, object]:
    empty = ("", ("", ""))
    return {name: value for name, value in asdict(story).items() if value not in empty}


def choose(translator: Translator, candidates: dict[str, Any]) -> Chosen:
    """Try all candidates, print each result, and return those that work."""
    sentences = [one for one in candidates["sentences"] if _sentence_is_right(translator, one)]
    stories = [
        (moved, story)
        for story in map(_story, candidates["stories"])
        if (moved := _moved(translator, story)) is not None
    ]
    meanings = [
        one for one in map(_meanings, candidates["meanings"]) if _are_told_apart(translator, one)
    ]
    plain = [
        {name: one[name] for name in ("text", "reference") if name in one} for one in sentences
    ]
    return Chosen(plain, stories, meanings)


def _story(values: dict[str, Any]) -> StoryPair:
    both = {name: tuple(values[name]) for name in ("source", "target") if name in values}
    given: dict[str, Any] = {"asks": "", **values, **both}
    return StoryPair(**given)


def _meanings(values: dict[str, Any]) -> Meanings:
    return Meanings(values["word"], tuple(values["sentences"]), tuple(values["target"]))


def _sentence_is_right(translator: Translator, candidate: dict[str, str]) -> bool:
    said = translator.translate(candidate["text"]).text
    right = fits(candidate["right"], said)
    print(f"{_mark(right)} {candidate['text']}\t{said}")
    return right


def _moved(translator: Translator, story: StoryPair) -> float | None:
    """Return the weight moved by the deciding head of a pair; None when the pair does not work."""
    texts = [translator.translate(text).text for text in (story.first, story.second)]
    try:
        tried = try_story(translator, story)
    except ValueError as error:
        print(f"- {story.first} / {story.second}\t{' / '.join(texts)}\t{error}")
        return None
    swing = tried.swing
    head = f"{swing.kind} {swing.layer + 1}.{swing.head + 1}"
    likely = " / ".join(f"{one:.2f}" for one in tried.likely)
    print(
        f"{_mark(tried.works)} {story.first} / {story.second}\t{' / '.join(texts)}\t"
        f"{' / '.join(tried.words)} ({likely}), {head} moves {swing.moved:.2f}"
    )
    return swing.moved if tried.works else None


def _are_told_apart(translator: Translator, meanings: Meanings) -> bool:
    said = [translator.translate(text).text for text in meanings.sentences]
    alone = all(
        any(word.text == meanings.word for word in words_of(translator.source(text).tokens))
        for text in meanings.sentences
    )
    works = alone and all(meanings.told_apart(said))
    note = "" if alone else "\tno piece of its own"
    print(f"{_mark(works)} {' / '.join(meanings.sentences)}\t{' / '.join(said)}{note}")
    return works


def _mark(works: bool) -> str:
    return "+" if works else "-"


@command
def main() -> None:
    """Try the candidates, and write those that work if asked to."""
    parser = argparse.ArgumentParser(prog="python -m model.training.examples")
    parser.add_argument(
        "candidates", type=Path, help="a file such as model/training/candidates/zh-en.json"
    )
    parser.add_argument("--checkpoint", required=True, help="a name under checkpoints/ or a path")
    parser.add_argument("--write", action="store_true", help="write examples.json")
    options = parser.parse_args()
    candidates, translator = read_json(options.candidates), load_translator(options.checkpoint)
    try:
        chosen = choose(translator, candidates)
        found = chosen.to_dict(candidates)
    except (KeyError, TypeError) as error:
        raise ValueError(
            f"{options.candidates}: not as examples.json is written: {error}"
        ) from None
    counts = [len(chosen.sentences), len(chosen.stories), len(chosen.meanings)]
    print("right sentences {}, stories {}, words with two meanings {}".format(*counts))
    if options.write:
        text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
        write_whole(translator.folder / EXAMPLES, text.encode())
        read_examples(translator.folder)


if __name__ == "__main__":
    sys.exit(main())
