"""Vocabularies learned from a visitor's text, and sentences under a limit of length; cached."""

from model.measures import unigram, vocabulary
from model.measures.unigram import Round, Scores
from model.measures.vocabulary import Method, Vocabulary
from model.results import Source, Translation
from viz.compute import examples, runs
from viz.compute.models import kept


@kept
def learned(text: str, method: Method, size: int, rarest: int) -> Vocabulary:
    """Learn a vocabulary; ValueError when the text does not yield this size."""
    return vocabulary.learned(text, method, size, rarest)


@kept
def bounds(text: str, method: Method, rarest: int) -> tuple[int, int]:
    """Return the smallest and largest vocabulary of a text; ValueError when it yields none."""
    return vocabulary.bounds(text, method, rarest)


@kept
def pruned(text: str, size: int, rarest: int) -> tuple[tuple[Round, ...], Scores]:
    """Prune a unigram vocabulary round by round; ValueError when the text has no words."""
    return unigram.rounds(vocabulary.common_lines(text, rarest), size)


def example_text() -> str:
    """Return the example sentences of the model and their references, one on each line."""
    sentences = examples.current().sentences
    return "\n".join(
        text for sentence in sentences for text in (sentence.text, sentence.reference) if text
    )


@kept
def limited(sentence: str, most: int) -> tuple[Source, Translation]:
    """Translate the first pieces of a sentence, up to `most` with the end token."""
    loaded, cut_source = runs.translator(), runs.source(sentence)
    ids = (*cut_source.ids[:-1][: most - 1], cut_source.ids[-1])
    kept_ = tuple(loaded.tokenizer.tokens(list(ids)))
    source = Source(cut_source.text, ids, kept_, cut=len(ids) < len(cut_source.ids))
    return source, loaded.translate(source)
