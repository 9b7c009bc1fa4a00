"""Which head decides between il and elle: measured on two sentences; cached, as runs."""

from dataclasses import dataclass

from model.measures.swing import Looks, Swing, widest_swing
from model.recording.recording import Recording
from model.words import Word, find_word, words_of
from viz.compute import pairs
from viz.compute.kept import kept
from viz.compute.pairs import Pair


@dataclass(frozen=True)
class PronounPair:
    """Two sentences in which `pronoun` stands for another noun, and the nouns in both languages.

    In the first sentence it stands for the first noun, in the second for the second.
    """

    first: str
    second: str
    pronoun: str
    english: tuple[str, str]
    french: tuple[str, str]


TIRED_OR_WIDE = PronounPair(
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
    pronoun="it",
    english=("animal", "street"),
    french=("animal", "rue"),
)
"""The pair that everybody tries first."""


@kept
def swing(pair: PronounPair = TIRED_OR_WIDE) -> Swing:
    """Find the head, of all kinds and layers, that moves most weight from one noun to the other.

    The query is the step that writes the deciding piece; in the encoder, which has no steps, the
    pronoun itself. A kind whose keys lack a noun is left out. Raises ValueError when all do, or
    when nothing is decided.
    """
    both = pairs.pair(pair.first, pair.second)
    if both.decision is None:
        raise ValueError("both translations are the same: no head decides between them")
    found: list[Looks] = []
    problems: list[str] = []
    for look in (_in_encoder, _in_cross, _in_decoder):
        try:
            found.append(look(both, pair))
        except ValueError as error:
            problems.append(str(error))
    if not found:
        raise ValueError("; ".join(problems))
    return widest_swing(found)


def _in_encoder(both: Pair, pair: PronounPair) -> Looks:
    sides = both.first.recording, both.second.recording
    queries = [find_word(_source(side), pair.pronoun).first for side in sides]
    weights = [side.attention("encoder")[:, :, q] for side, q in zip(sides, queries, strict=True)]
    one, other = (_spans([_source(side) for side in sides], noun) for noun in pair.english)
    return Looks("encoder", weights[0], weights[1], one, other)


def _in_cross(both: Pair, pair: PronounPair) -> Looks:
    sides = both.first.recording, both.second.recording
    weights = [side.attention("cross")[:, :, -1] for side in sides]
    one, other = (_spans([_source(side) for side in sides], noun) for noun in pair.english)
    return Looks("cross", weights[0], weights[1], one, other)


def _in_decoder(both: Pair, pair: PronounPair) -> Looks:
    sides = both.first.recording, both.second.recording
    weights = [side.attention("decoder")[:, :, -1] for side in sides]
    written = words_of(both.prefix)  # the same in both
    one, other = (_spans([written, written], noun) for noun in pair.french)
    return Looks("decoder", weights[0], weights[1], one, other)


def _source(recording: Recording) -> list[Word]:
    return words_of(recording.source_tokens)


def _spans(sides: list[list[Word]], noun: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the pieces of a noun in the first and in the second sentence."""
    first, second = (find_word(words, noun) for words in sides)
    return (first.first, first.last), (second.first, second.last)
