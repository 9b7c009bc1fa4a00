"""The places of words among the pieces of a sentence, and the nouns of a pronoun sentence."""

from dataclasses import dataclass

from model.tokenizer import Tokenizer
from model.training.data.alignment import split_words, words_of_pieces
from model.training.generated.coreference import CoreferencePair


@dataclass(frozen=True)
class Nouns:
    """A pronoun sentence's pieces: "it", its antecedent, the other noun, and il or elle."""

    pronoun: list[int]
    antecedent: list[int]
    other: list[int]
    translated: list[int]


def find_phrase(tokenizer: Tokenizer, text: str, *phrases: str) -> list[int]:
    """Return the pieces of the last occurrence of any of the phrases.

    Raises ValueError when the text has none of them.
    """
    words = split_words(text)
    text_words = [word.text.lower() for word in words]
    parts = [phrase.lower().split() for phrase in phrases]
    spans = [
        range(start, start + len(part))
        for start in range(len(text_words))
        for part in parts
        if text_words[start : start + len(part)] == part
    ]
    if not spans:
        raise ValueError(f"none of {phrases} stands in {text!r}")
    of_piece = words_of_pieces(tokenizer.pieces(text), words)
    return [number for number, word in enumerate(of_piece) if word in spans[-1]]


def find_nouns(tokenizer: Tokenizer, pair: CoreferencePair) -> Nouns:
    """Find the pieces in source (pronoun, antecedent, other) and target (translated)."""
    return Nouns(
        pronoun=find_phrase(tokenizer, pair.source, "it"),
        antecedent=find_phrase(tokenizer, pair.source, pair.antecedent_word),
        other=find_phrase(tokenizer, pair.source, pair.other_word),
        translated=find_phrase(tokenizer, pair.target, "il", "elle"),
    )
