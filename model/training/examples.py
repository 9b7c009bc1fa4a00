"""Find good examples for a model: `python -m model.training.examples CANDIDATES.json`.

It tries every candidate: sentences against their accepted translations, pairs of sentences for the
story of the first page, and words with two meanings. It prints the results. With `--write`, it puts
the candidates that work into examples.json in the checkpoint's folder. A file of candidates has the
form of examples.json, with `stories` for the pairs and, beside each sentence, `right`: its accepted
translations, in the form of `visitor_sentences.tsv`. A weak spot is left out once it comes out
right.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
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
from model.results import Translation
from model.training.data.samples import fits
from model.translator import Translator, load_translator
from model.words import is_unspaced, words_of

MOVED = 0.3
"""The smallest weight that the deciding head must move."""

SENTENCES, PAIRS, MEANINGS = 12, 6, 12
"""The most entries of each kind that are written."""


@dataclass(frozen=True)
class Tried:
    """The measures of a story: both words of the translation, their probabilities, and the head.

    `likely[n]` is the probability of the n-th word in the n-th sentence.
    """

    words: tuple[str, str]
    likely: tuple[float, float]
    swing: Swing

    @property
    def works(self) -> bool:
        """Return True if both words are whole and likely, and a head moves enough weight."""
        whole = all(word.isalpha() for word in self.words)
        return whole and min(self.likely) > 0.5 and self.swing.moved >= MOVED


def try_story(translator: Translator, story: StoryPair) -> Tried:
    """Measure a pair; ValueError when both translations are equal or a word is not whole."""
    begin, end = translator.tokenizer.begin_id, translator.tokenizer.end_id
    translations = [translator.translate(sentence) for sentence in (story.first, story.second)]
    decision = parting(*((begin, *translation.ids, end) for translation in translations))
    if decision is None:
        raise ValueError("both translations are the same")
    beginning = Translation("", (), decision.prefix[1:], 0.0)
    first, second = (
        translator.record(sentence, beginning) for sentence in (story.first, story.second)
    )
    swing = deciding_heads(story, first, second)[0]
    step = len(decision.prefix) - 1
    first_word, second_word = (_word_at(translation, step) for translation in translations)
    likely = _chance(first, decision.first), _chance(second, decision.second)
    return Tried((first_word, second_word), likely, swing)


def _word_at(translation: Translation, piece: int) -> str:
    """Return the word that is a single piece of a translation, at this place; "" if none is."""
    words = words_of(translation.tokens)
    return next((w.text for w in words if w.first == w.last == piece), "")


def _chance(recording: Recording, piece: int) -> float:
    logits = recording.logits[-1].astype(np.float64)
    powers = np.exp(logits - logits.max())
    return float(powers[piece] / powers.sum())


@dataclass
class Chosen:
    """The candidates that work, each in the form of examples.json."""

    sentences: list[dict[str, str]]
    stories: list[tuple[float, StoryPair]]
    meanings: list[Meanings]
    weak_spots: list[dict[str, str]] = field(default_factory=list)

    def to_dict(self, candidates: dict[str, Any]) -> dict[str, Any]:
        """Return the content of examples.json; the story is the pair that ranks highest."""
        ranked = [story for _rank, story in sorted(self.stories, key=lambda one: -one[0])]
        names = ("source", "target", "typed", "rivals")
        content = {name: candidates[name] for name in names if name in candidates}
        content["weak_spots"] = self.weak_spots
        of_story = [
            {"text": sentence} for one in ranked[:1] for sentence in (one.first, one.second)
        ]
        in_story = {one["text"] for one in of_story}
        more = [one for one in self.sentences if one["text"] not in in_story]
        content["sentences"] = [*of_story, *more][:SENTENCES]
        if ranked:
            content["story"] = _without_empty(ranked[0])
        best = {_name(one): one for one in reversed(ranked)}
        named = [(name, best[name]) for name in dict.fromkeys(map(_name, ranked))]
        content["pairs"] = [
            {"name": name, "first": one.first, "second": one.second} for name, one in named[:PAIRS]
        ]
        by_word = {one.word: one for one in reversed(self.meanings)}
        words = dict.fromkeys(one.word for one in self.meanings)
        content["meanings"] = [asdict(by_word[word]) for word in words][:MEANINGS]
        return content


def _name(story: StoryPair) -> str:
    """Name a pair by its differing words or, without spaces, characters.

    Where a character only comes in addition, the name begins with the one before it.
    """
    if not is_unspaced(story.first):
        return " / ".join(story.source)
    steps = SequenceMatcher(a=story.first, b=story.second).get_opcodes()
    changed = [
        (story.first[i - added : j], story.second[k - added : n])
        for change, i, j, k, n in steps
        if change != "equal"
        for added in [int(i > 0 and change != "replace")]
    ]
    return " / ".join(map("".join, zip(*changed, strict=True)))


def _without_empty(story: StoryPair) -> dict[str, object]:
    empty = ("", ("", ""))
    return {name: value for name, value in asdict(story).items() if value not in empty}


def choose(translator: Translator, candidates: dict[str, Any]) -> Chosen:
    """Try all candidates, print each result, and return the candidates that work."""
    sentences = [
        candidate
        for candidate in candidates["sentences"]
        if _sentence_is_right(translator, candidate)
    ]
    rivals = [frozenset(pair) for pair in candidates.get("rivals", ())]
    stories = [
        (rank, story)
        for story in map(_story, candidates["stories"])
        if (rank := _rank(translator, story, rivals)) is not None
    ]
    meanings = [
        candidate
        for candidate in map(_meanings, candidates["meanings"])
        if _are_told_apart(translator, candidate)
    ]
    plain = [
        {name: candidate[name] for name in ("text", "reference") if name in candidate}
        for candidate in sentences
    ]
    weak = [
        {name: spot[name] for name in ("what", "text")}
        for spot in candidates.get("weak_spots", ())
        if not _sentence_is_right(translator, spot)
    ]
    return Chosen(plain, stories, meanings, weak)


def _story(values: dict[str, Any]) -> StoryPair:
    tuples = {name: tuple(values[name]) for name in ("source", "target") if name in values}
    fields: dict[str, Any] = {"asks": "", **values, **tuples}
    return StoryPair(**fields)


def _meanings(values: dict[str, Any]) -> Meanings:
    return Meanings(values["word"], tuple(values["sentences"]), tuple(values["target"]))


def _sentence_is_right(translator: Translator, candidate: dict[str, str]) -> bool:
    translation = translator.translate(candidate["text"]).text
    right = fits(candidate["right"], translation)
    print(f"{_mark(right)} {candidate['text']}\t{translation}")
    return right


def _rank(
    translator: Translator, story: StoryPair, rivals: Sequence[frozenset[str]]
) -> float | None:
    """Return the weight that a pair's deciding head moves; None when the pair does not work.

    Where the translations part at rivals, such as he and she, the rank is higher by 1: in other
    pairs the word that differs is itself translated.
    """
    translations = [translator.translate(sentence).text for sentence in (story.first, story.second)]
    try:
        tried = try_story(translator, story)
    except ValueError as error:
        print(f"- {story.first} / {story.second}\t{' / '.join(translations)}\t{error}")
        return None
    swing = tried.swing
    head = f"{swing.kind} {swing.layer + 1}.{swing.head + 1}"
    likely = " / ".join(f"{probability:.2f}" for probability in tried.likely)
    print(
        f"{_mark(tried.works)} {story.first} / {story.second}\t{' / '.join(translations)}\t"
        f"{' / '.join(tried.words)} ({likely}), {head} moves {swing.moved:.2f}"
    )
    parts_at_rivals = frozenset(word.lower() for word in tried.words) in rivals
    return swing.moved + parts_at_rivals if tried.works else None


def _are_told_apart(translator: Translator, meanings: Meanings) -> bool:
    translations = [translator.translate(sentence).text for sentence in meanings.sentences]
    alone = all(
        any(word.text == meanings.word for word in words_of(translator.source(sentence).tokens))
        for sentence in meanings.sentences
    )
    works = alone and all(meanings.told_apart(translations))
    note = "" if alone else "\tno piece of its own"
    print(f"{_mark(works)} {' / '.join(meanings.sentences)}\t{' / '.join(translations)}{note}")
    return works


def _mark(works: bool) -> str:
    return "+" if works else "-"


@command
def main() -> None:
    """Try the candidates; with `--write`, write the candidates that work."""
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
        content = chosen.to_dict(candidates)
    except (KeyError, TypeError) as error:
        raise ValueError(
            f"{options.candidates}: not as examples.json is written: {error}"
        ) from None
    counts = [len(chosen.sentences), len(chosen.stories), len(chosen.meanings)]
    print("right sentences {}, stories {}, words with two meanings {}".format(*counts))
    if options.write:
        json_text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        write_whole(translator.folder / EXAMPLES, json_text.encode())
        read_examples(translator.folder)


if __name__ == "__main__":
    sys.exit(main())
