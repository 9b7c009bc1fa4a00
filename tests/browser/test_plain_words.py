"""What pages say in words in a browser is what the model did."""

import pytest
from playwright.sync_api import Page, expect

from model import Translator
from model.interventions.masks import LiftMask
from tests.nightly import nightly
from tests.sentences import EXAMPLES, FIRST_SENTENCE

LONG = 60_000


def cheats(translator: Translator, sentence: str) -> bool:
    """Tell whether other words come out when the decoder may look ahead."""
    lifted = translator.translate(sentence, interventions=[LiftMask("decoder")])
    return lifted.text != translator.translate(sentence).text


@pytest.mark.parametrize("changing", [True, *nightly(False)])
def test_what_a_lifted_mask_does_to_the_words_is_said(
    page: Page, app: str, translator: Translator, *, changing: bool
) -> None:
    sentence = next(one for one in EXAMPLES.values() if cheats(translator, one) == changing)
    page.goto(f"{app}/lab_masks?sentence={sentence}&edits=lift.d")
    expect(page.get_by_text("teacher forcing), it may look at")).to_be_visible(timeout=LONG)
    expect(page.get_by_text("look ahead; other words come out")).to_have_count(int(changing))
    expect(page.get_by_text("look ahead; the words stay the same")).to_have_count(int(not changing))


@pytest.mark.parametrize(
    ("second", "unrelated"),
    [
        ("My sister likes music very much.", True),
        *nightly((FIRST_SENTENCE.replace("tired", "wide"), False)),
    ],
)
def test_unrelated_sentences_get_a_plain_word(
    page: Page, app: str, second: str, *, unrelated: bool
) -> None:
    page.goto(f"{app}/lab_pairs?second={second}")
    expect(page.get_by_text("Which heads look differently")).to_be_visible(timeout=LONG)
    expect(page.get_by_text("hardly a word in common")).to_have_count(int(unrelated))
