"""What the laboratory says in words is what it found."""

from model.interventions.masks import HideSource, LiftMask
from tests.app.conftest import OpenPage
from tests.app.test_lab_pages import WIDE, texts
from tests.sentences import FIRST_SENTENCE
from viz.compute import effects


def test_looking_ahead_is_blamed_only_for_the_words_that_it_changes(open_page: OpenPage) -> None:
    """With a word hidden the words are others, but not because of the look-ahead mask."""
    page = open_page("lab_masks", edits="lift.d_hide.2-2")
    alone = (HideSource(1, 1),)
    masked, free = (
        effects.effect(FIRST_SENTENCE, (*alone, *more)).after.translation.text
        for more in ((), (LiftMask("decoder"),))
    )
    assert masked != effects.effect(FIRST_SENTENCE, ()).after.translation.text
    assert ("other words come out" in texts(page)) == (masked != free)


def test_unrelated_sentences_are_said_to_be(open_page: OpenPage) -> None:
    page = open_page("lab_pairs", second="My sister likes music very much.")
    assert any("hardly a word in common" in one.value for one in page.info)
    for second in (WIDE, "The animal crossed the road."):
        page = open_page("lab_pairs", second=second)
        assert not any("hardly a word in common" in one.value for one in page.info)
