"""The story of any two sentences that differ in a word is told in the page as in Python."""

import random
from typing import Any

import pytest

from model import load_translator
from model.measures.minimal_pairs import align, swapped_rival
from model.measures.own_pair import NoPairError
from model.words import words_of
from tests.sentences import OURS, TIRED_OR_WIDE
from tests.viz.live.engine import Engine, EngineError, part
from tests.viz.live.texts import SENTENCES
from viz.compute import cuts, pairs
from viz.compute.own_pair import MOST_PIECES, own_pair
from viz.pages.story.numbers import deciding_pieces, line_texts, story
from viz.pages.story.story_picture import line_message, message

FIRST = ("The man is my uncle.", "The woman is my uncle.")
PAIRS = [
    FIRST,
    *(
        pytest.param(pair, marks=pytest.mark.nightly)
        for pair in (
            (TIRED_OR_WIDE.first, TIRED_OR_WIDE.second),
            ("Where is Zoé?", "Where is Léa?"),
        )
    ),
    ("She is my friend.", "She is my enemy."),
]
NO_PAIRS = [
    ("", "The cat."),
    ("The cat.", " The  cat. "),
    ("The cat sleeps.", "A dog sleeps."),
    ("The cat sleeps.", "The cat sleeps here."),
    ("The cat sees the cat.", "The dog sees the cat."),
    ("It is a very big house.", "It is a very large house."),
    ("I am tired of him.", "I am proud of him."),
    ("cat " * MOST_PIECES, "The cat."),
]


def ours(first: str, second: str) -> dict[str, Any]:
    asked = own_pair(first, second)
    pair = pairs.pair(asked.first, asked.second)
    told = story(pair, asked, cuts.cuts(asked), cuts.turns(asked))
    return message(told, deciding_pieces(pair))


def assert_alike(found: object, expected: object, where: str = "") -> None:
    """Compare two messages, their fractions to 1e-4."""
    if isinstance(expected, dict):
        assert isinstance(found, dict)
        assert found.keys() == expected.keys(), where
        for name, value in expected.items():
            assert_alike(found[name], value, f"{where}.{name}")
    elif isinstance(expected, list | tuple):
        assert isinstance(found, list)
        assert len(found) == len(expected), where
        for number, value in enumerate(expected):
            assert_alike(found[number], value, f"{where}[{number}]")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=1.5e-4), where
    else:
        assert found == expected, where


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0])
def test_a_pair_gets_the_message_that_python_makes(engine: Engine, pair: tuple[str, str]) -> None:
    found = engine.ask("story", texts=pair, rivals=OURS.rivals)
    expected = ours(*pair)
    assert_alike(found["whole"], expected)
    first, cut = found["before"]
    for name in ("source", "sentences", "switch", "pieces"):  # the rest needs the changes
        assert_alike(first[name], found["whole"][name])
        assert_alike(cut[name], found["whole"][name])
    assert_alike(cut["likely"], found["whole"]["likely"])
    assert_alike(first["likely"], [side[:1] for side in found["whole"]["likely"]])
    assert not any(arc["cuttable"] for arc in first["arcs"])
    assert not any(turn for arc in cut["arcs"] for side in arc["turns"] for turn in side)


def test_a_turned_line_gets_the_message_that_python_makes(engine: Engine) -> None:
    asked = own_pair(*FIRST)
    pair = pairs.pair(asked.first, asked.second)
    told = story(pair, asked, cuts.cuts(asked), cuts.turns(asked))
    draw = random.Random(5)
    for number in (0, 1):
        turn = draw.choice([turn for line in told.lines[number] for turn in line if turn])
        result = cuts.turned_line(asked, number, turn)
        own = (pair.first, pair.second)[number].run.translation.tokens
        expected = line_message(number, result, own, line_texts(pair, number, result.written))
        edit = expected["edit"]
        found = engine.ask("turnedLine", texts=FIRST, rivals=OURS.rivals, number=number, edit=edit)
        assert_alike(found, expected)


@pytest.mark.parametrize("pair", NO_PAIRS, ids=lambda pair: pair[1][:30])
def test_what_tells_no_story_has_the_same_reason(engine: Engine, pair: tuple[str, str]) -> None:
    try:
        own_pair(*pair)
        reason = ""
    except NoPairError as error:
        reason = f"{error.reason} {error.pieces or ''}".rstrip()
    if not reason:
        assert engine.ask("story", texts=pair, rivals=OURS.rivals)["whole"]
        return
    with pytest.raises(EngineError, match=f"^{reason}$"):
        engine.ask("story", texts=pair, rivals=OURS.rivals)


def test_pieces_make_the_same_words_with_their_texts(engine: Engine) -> None:
    tokenizer = load_translator().tokenizer
    rows = [tokenizer.tokens(tokenizer.encode(text)) for text in part(SENTENCES, 100)]
    rows += [["▁l", "'", "eau", "-", "ci", ".", "</s>"], ["<0xC3>", "<0xA9>", "▁", "x"]]
    expected = [[vars(word) for word in words_of(row)] for row in rows]
    assert engine.ask("wordsOf", rows=rows) == expected


def test_sequences_are_aligned_as_in_python(engine: Engine) -> None:
    draw = random.Random(3)
    texts = ["".join(draw.choices("abcd", k=draw.randrange(9))) for _ in range(600)]
    both = [(list(one), list(other)) for one, other in zip(texts[::2], texts[1::2], strict=True)]
    expected = [
        [
            {"first": slot.first, "second": slot.second, "same": slot.same}
            for slot in align(one, other)
        ]
        for one, other in both
    ]
    assert_alike(engine.ask("align", pairs=both), expected)


def test_the_last_rival_of_a_text_is_swapped_as_in_python(engine: Engine) -> None:
    texts = ["Il dort et elle mange.", "Elle", "Le fil", "il_elle", "ELLE", "Qu'il vienne !", ""]
    expected = [swapped_rival(text, OURS.rivals) for text in texts]
    assert engine.ask("swapped", texts=texts, rivals=OURS.rivals) == expected
