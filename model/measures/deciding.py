"""The head that decides between the two sentences of a story, from recordings of both."""

from collections.abc import Callable

from model.checkpoints.examples import StoryPair
from model.measures.swing import Looks, Swing, widest_swing
from model.recording.recording import Recording
from model.words import Span, Word, find_word, words_of

Sides = tuple[Recording, Recording]


def deciding_heads(
    story: StoryPair, first: Recording, second: Recording
) -> tuple[Swing, *tuple[Swing, ...]]:
    """Find the head of each kind that moves most weight between the two words; largest first.

    Both sentences are recorded with the same beginning of a translation, up to the deciding step,
    which is the query. In the encoder, which has no steps, the query is the word that leaves the
    choice open. A kind that lacks one of the words is left out. Raises ValueError when all kinds
    are.
    """
    swings: list[Swing] = []
    problems: list[str] = []
    looks: tuple[Callable[[Sides, StoryPair], Looks], ...] = (_in_encoder, _in_cross, _in_decoder)
    for look in looks:
        try:
            swings.append(widest_swing([look((first, second), story)]))
        except ValueError as error:
            problems.append(str(error))
    if not swings:
        raise ValueError("; ".join(problems))
    widest, *narrower = sorted(swings, key=lambda swing: -swing.moved)
    return widest, *narrower


def _in_encoder(sides: Sides, story: StoryPair) -> Looks:
    if not story.asks or not sides[0].made_by.layers("encoder"):
        raise ValueError("no word of the source asks in the encoder")
    queries = [find_word(_source(side), story.asks).first for side in sides]
    weights = [side.attention("encoder")[:, :, q] for side, q in zip(sides, queries, strict=True)]
    words = _source(sides[0]), _source(sides[1])
    return Looks("encoder", weights[0], weights[1], *_places(words, story.source))


def _in_cross(sides: Sides, story: StoryPair) -> Looks:
    weights = [side.attention("cross")[:, :, -1] for side in sides]
    words = _source(sides[0]), _source(sides[1])
    return Looks("cross", weights[0], weights[1], *_places(words, story.source))


def _in_decoder(sides: Sides, story: StoryPair) -> Looks:
    if not all(story.target):
        raise ValueError("no word of the translation decides")
    weights = [side.attention("decoder")[:, :, -1] for side in sides]
    written = words_of(sides[0].target_tokens)  # the same in both
    return Looks("decoder", weights[0], weights[1], *_places((written, written), story.target))


def _source(recording: Recording) -> list[Word]:
    return words_of(recording.source_tokens)


def _places(
    sides: tuple[list[Word], list[Word]], words: tuple[str, str]
) -> tuple[tuple[Span, Span | None], tuple[Span | None, Span]]:
    """Return the places of both words, each in the first and in the second sentence."""
    first_word, second_word = words
    return (
        (_span(find_word(sides[0], first_word)), _span_if_any(sides[1], first_word)),
        (_span_if_any(sides[0], second_word), _span(find_word(sides[1], second_word))),
    )


def _span_if_any(words: list[Word], text: str) -> Span | None:
    try:
        return _span(find_word(words, text))
    except ValueError:
        return None


def _span(word: Word) -> Span:
    return word.first, word.last
