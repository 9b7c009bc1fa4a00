"""Vocabularies learned from a visitor's text, and sentences under a limit of length; cached."""

from model.measures import unigram, vocabulary
from model.measures.unigram import Round, Scores
from model.measures.vocabulary import Method, Vocabulary
from model.translator import Source, Translation
from viz.compute import examples, runs
from viz.compute.models import kept


@kept
def learned(text: str, method: Method, size: int, rarest: int) -> Vocabulary:
    """Learn a vocabulary; ValueError when the text does not yield one of this size."""
    return vocabulary.learned(text, method, size, rarest)


@kept
def bounds(text: str, method: Method, rarest: int) -> tuple[int, int]:
    """Return the smallest and largest vocabulary of a text; ValueError when it has none."""
    return vocabulary.bounds(text, method, rarest)


@kept
def pruned(text: str, size: int, rarest: int) -> tuple[tuple[Round, ...], Scores]:
    """Prune a unigram vocabulary round by round; ValueError when the text has no words."""
    return unigram.rounds(vocabulary.common_lines(text, rarest), size)


def example_text() -> str:
    """Return the example sentences of the model, with their references, one a line."""
    sentences = examples.current().sentences
    return "\n".join(text for one in sentences for text in (one.text, one.reference) if text)


@kept
def limited(sentence: str, most: int) -> tuple[Source, Translation]:
    """Translate the first pieces of a sentence, up to so many including the end token."""
    loaded, whole = runs.translator(), runs.source(sentence)
    ids = (*whole.ids[:-1][: most - 1], whole.ids[-1])
    kept_ = tuple(loaded.tokenizer.tokens(list(ids)))
    source = Source(whole.text, ids, kept_, cut=len(ids) < len(whole.ids))
    return source, loaded.translate(source)
