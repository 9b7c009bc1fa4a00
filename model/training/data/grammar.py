"""Grammar of an English sentence without a parser: subjects, nouns of adjectives, "it".

It uses only word lists, so it misses much, but what it finds is right: a verb behind an auxiliary
(*Tom doesn't know*: know, Tom), an adjective behind a verb (*the room was very dark*: dark, room),
and in generated sentences the noun that "it" stands for.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from model.measures.atlas.roles import Grammar, Sentence
from model.tokenizer import Tokenizer
from model.training.generated.coreference import CoreferencePair
from model.training.generated.grammar import english_plural
from model.training.generated.lexicon import adjectives, nouns
from model.training.generated.tables import rows
from model.words import words_of

_PRONOUNS = frozenset(["i", "you", "he", "she", "it", "we", "they"])
_AUXILIARY = re.compile(
    r"(can|could|will|would|should|must|may|might|do|does|did)(n't)?|can't|cannot|won't"
)
_BETWEEN = frozenset(["not", "never", "always", "really", "just", "also", "ever", "still", "often"])
_BE = re.compile(r"(is|are|was|were)(n't)?|looks?|seems?|looked|seemed")
_DEGREE = frozenset(["not", "too", "so", "very", "really", "quite", "always", "never", "still"])
_SAID = ("il", "elle")


@cache
def _names() -> frozenset[str]:
    return frozenset(row["name"].lower() for row in rows("first_names.tsv"))


@cache
def _nouns() -> frozenset[str]:
    """Return all one-word nouns, singular and plural."""
    singular = [noun.english for noun in nouns() if " " not in noun.english]
    return frozenset([*singular, *map(english_plural, singular)])


def annotated(tokenizer: Tokenizer, text: str, pair: CoreferencePair | None = None) -> Sentence:
    """Return a text with its known grammar; `pair` gives the nouns of a generated text."""
    pieces = tokenizer.tokens(tokenizer.encode(text))
    words = [word.text.lower() for word in words_of(pieces)]
    grammar = [*_subjects(words), *(_of_pair(words, pair) if pair else _adjectives(words))]
    return Sentence(text, tuple(grammar), len(words))


def _subjects(words: Sequence[str]) -> Iterator[Grammar]:
    """Yield verbs behind an auxiliary, with the subject if that is a single word."""
    for at, word in enumerate(words[:-1]):
        subject = words[at - 1] if at else ""
        if not _AUXILIARY.fullmatch(word) or not _is_subject(words, at - 1, subject):
            continue
        if word in {"do", "does", "did"} and words[at + 1] not in _BETWEEN:
            continue  # the auxiliary is a verb itself: she did her best
        verb = at + 1
        while verb < len(words) and words[verb] in _BETWEEN:
            verb += 1
        if verb < len(words) and words[verb].isalpha() and not _is_name(words[verb]):
            yield Grammar("subject", verb, (at - 1,))


def _is_subject(words: Sequence[str], at: int, word: str) -> bool:
    """Return True for a sure subject: no other noun before the word may govern it."""
    if _is_name(word):
        return at == 0 or words[at - 1] in {"that", "if", "because", ",", "when"}
    if word not in _nouns():
        return False
    return at < 2 or words[at - 2] in {",", "that", "if", "because", "when"} or at == 2


def _is_name(word: str) -> bool:
    return word in _PRONOUNS or word in _names()


def _adjectives(words: Sequence[str]) -> Iterator[Grammar]:
    """Yield adjectives behind a verb, with the noun before the verb that they describe."""
    for at, word in enumerate(words):
        if not at or not _BE.fullmatch(word) or words[at - 1] not in _nouns():
            continue
        adjective = at + 1
        while adjective < len(words) and words[adjective] in _DEGREE:
            adjective += 1
        alone = adjective + 1 >= len(words) or not words[adjective + 1].isalpha()
        if adjective < len(words) and words[adjective] in adjectives() and alone:
            yield Grammar("noun", adjective, (at - 1,))


def _of_pair(words: Sequence[str], pair: CoreferencePair) -> Iterator[Grammar]:
    """Yield the noun of "it" in a generated sentence; the adjective describes it too."""
    antecedent, other = (_places(words, noun) for noun in (pair.antecedent_word, pair.other_word))
    it = max(at for at, word in enumerate(words) if word == "it")
    yield Grammar("antecedent", it, antecedent, other, _SAID)
    adjective = _places(words, pair.adjective)
    if len(adjective) == 1:
        yield Grammar("noun", adjective[0], antecedent, other)


def _places(words: Sequence[str], phrase: str) -> tuple[int, ...]:
    """Return the indices of the words of the last occurrence of a phrase, or none."""
    parts = phrase.lower().split()
    starts = [n for n in range(len(words)) if list(words[n : n + len(parts)]) == parts]
    return tuple(range(starts[-1], starts[-1] + len(parts))) if starts else ()
