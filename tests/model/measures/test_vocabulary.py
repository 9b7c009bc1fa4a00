"""Learning pieces, against BPE written out by hand and the sums of the unigram model."""

from collections import Counter
from itertools import pairwise

import pytest

from model.measures.vocabulary import LONGEST, METHODS, Method, bounds, learned

TEXT = "low low low low low\nlower lower\nnewest newest newest newest newest newest\nwidest widest"


def merges(text: str, count: int) -> list[str]:
    """Join the most frequent pair so many times; every word begins with its space."""
    words = Counter(("▁" + word) for line in text.splitlines() for word in line.split())
    parts = {word: list(word) for word in words}
    made: list[str] = []
    for _ in range(count):
        pairs: Counter[tuple[str, str]] = Counter()
        for word, pieces in parts.items():
            for pair in pairwise(pieces):
                pairs[pair] += words[word]
        best = max(pairs.values())
        # SentencePiece takes the shorter one of equals, then the first by its letters.
        a, b = min((p for p in pairs if pairs[p] == best), key=lambda p: (len("".join(p)), p))
        made.append(a + b)
        for word, pieces in parts.items():
            joined: list[str] = []
            for piece in pieces:
                if joined and (joined[-1], piece) == (a, b):
                    joined[-1] += piece
                else:
                    joined.append(piece)
            parts[word] = joined
    return made


def test_bpe_joins_the_most_frequent_pair() -> None:
    smallest, _largest = bounds(TEXT, "bpe", 1)
    found = learned(TEXT, "bpe", smallest + 5, 1)
    first = [one.piece for one in found.pieces if len(one.piece) > 1]
    assert first == merges(TEXT, 5)
    assert [one.score for one in found.pieces[:3]] == [0, -1, -2]


@pytest.mark.parametrize("method", METHODS)
def test_sizes_end_where_the_text_has_no_more(method: Method) -> None:
    smallest, largest = bounds(TEXT, method, 1)
    for size in (smallest, largest):
        assert len(learned(TEXT, method, size, 1).pieces) == size - 3
    for size in (smallest - 1, largest + 1):
        with pytest.raises(ValueError, match="Vocabulary size"):
            learned(TEXT, method, size, 1)
    counts = learned(TEXT, method, largest, 1).pieces
    assert sum(one.count * len(one.piece) for one in counts) == sum(
        len(word) + 1 for word in TEXT.split()
    )


def test_the_rarest_characters_become_unknown() -> None:
    text = TEXT + "\nx"
    smallest, _largest = bounds(text, "bpe", 1)
    assert all(known for _piece, known in learned(text, "bpe", smallest, 1).cut("low x"))
    fewer, _largest = bounds(text, "bpe", 2)
    cut = learned(text, "bpe", fewer, 2).cut("low x")
    assert [piece for piece, known in cut if not known] == ["x"]
    assert "".join(piece for piece, _known in cut).replace("▁", " ").strip() == "low x"


def test_what_cannot_be_learned_says_why() -> None:
    for text in ("", " \n ", "a" * (LONGEST + 1)):
        with pytest.raises(ValueError, match="a text needs 1 to"):
            learned(text, "bpe", 50, 1)
    with pytest.raises(ValueError, match="method must be"):
        learned(TEXT, "letters", 50, 1)  # pyrefly: ignore[bad-argument-type]
    with pytest.raises(ValueError, match="rarest must be"):
        learned(TEXT, "bpe", 50, 0)
