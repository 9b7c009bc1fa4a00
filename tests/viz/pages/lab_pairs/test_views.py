"""A head is called the reason of a choice only if the choice hangs on it."""

import numpy as np
import pytest

from model import AblateHead
from model.sites.sites import Head
from tests.sentences import EXAMPLES, FIRST_SENTENCE
from viz.compute import pairs, runs
from viz.pages.lab_pairs import views
from viz.pages.lab_pairs.looks import looks

BALL = "The ball broke the window because it was too heavy."
PAIRS = (
    (FIRST_SENTENCE, EXAMPLES["too wide"]),
    (BALL, BALL.replace("heavy", "fragile")),
    (
        "The nurse saw the doctor because she was kind.",
        "The nurse saw the doctor because he was kind.",
    ),
)


def lead(text: str, pair: pairs.Pair, *off: AblateHead) -> float:
    assert pair.decision is not None
    model = runs.translator()
    target = pair.decision.prefix[1:]
    logits = model.record(runs.source(text), target, off).logits[-1]
    return float(logits[pair.decision.first] - logits[pair.decision.second])


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_choice_hangs_on_a_head_only_if_the_choice_goes_with_it(first: str, second: str) -> None:
    pair = pairs.pair(first, second)
    for head in (Head("encoder", 5, 3), Head("encoder", 0, 0), Head("cross", 4, 4)):
        said = views.finding(pair, head, looks(pair, head, views.compared_query(pair)))
        off = AblateHead(head.kind, head.layer, head.head)
        apart = lead(first, pair) - lead(second, pair)
        left = (lead(first, pair, off) - lead(second, pair, off)) / apart
        assert ("does not hang" in said) == (left >= views.HANGS)
        if left >= views.FURTHER:
            assert "even further apart" in said
        else:
            assert f"{abs(np.round(left, 2)):.0%} of" in said


def test_the_words_before_a_piece_are_whole_words() -> None:
    pair = pairs.pair(BALL, BALL.replace("heavy", "fragile"))
    shown = views.after(pair).partition("“")[2].partition("”")[0].removeprefix("… ")
    written = "".join(pair.prefix[1:]).replace("▁", " ").split()
    assert shown.split() == written[-len(shown.split()) :]


@pytest.mark.parametrize(("fall", "told"), [(-0.01, True), (0.09, True), (0.3, False)])
def test_a_word_that_decides_though_nothing_is_lost_without_it_is_said(
    fall: float, told: bool
) -> None:
    pair = pairs.pair(FIRST_SENTENCE, EXAMPLES["too wide"])
    words = "▁it", "▁was", "▁tired."
    values = np.array([[0.5, 0.1, fall]])
    found = pairs.Attribution(("left out",), words, values, np.ones((1, 1)))
    said = views.idle_word(pair, pair.first, found)
    assert ("tired" in said) == told
    assert (f"{abs(fall):.2f}" in said) == told


def test_where_little_decides_no_head_is_said_to_decide() -> None:
    pair = pairs.pair("“Hello,” she said.", "“Hello,” he said.")
    assert pair.decision is not None
    assert max(pair.first.likely) < 1.1 * min(pair.first.likely)  # nearly a tie
    head = Head("cross", 2, 0)
    said = views.finding(pair, head, looks(pair, head, 0))
    assert "hang" not in said
    assert "%" not in said


def test_the_sentence_names_words_and_no_part_of_one() -> None:
    pair = pairs.pair("This book costs $12.", "This letter costs $12.")
    assert pair.pieces[1] == "▁C"
    head = Head("cross", 1, 2)
    said = views.finding(pair, head, looks(pair, head, 0))
    assert "**Cette**" in said
    assert "**C**" not in said
