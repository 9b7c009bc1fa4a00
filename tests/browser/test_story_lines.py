"""The ends of the story's grey lines: another word, and the step that looks there writes anew."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from model import TurnAttention, load_translator
from model.interventions import link_text
from tests.browser.test_story import (
    SENTENCES,
    apart,
    drag,
    reloaded,
    settled,
    shown_translation,
    story,
)


@pytest.fixture(scope="module")
def turned_line() -> tuple[str, list[str], str, str]:
    """Return what the step that writes rue does when all cross heads look at animal.

    That is the turn, the probabilities of rue and of the likeliest other piece, that piece, and the
    translation.
    """
    translator = load_translator("en-fr")
    own = translator.translate(SENTENCES[0])
    tokens = translator.record(SENTENCES[0]).source_tokens
    row = own.tokens.index("▁rue")
    turn = TurnAttention("cross", row, (tokens.index("▁animal"),))
    logits = translator.record(SENTENCES[0], own, [turn]).logits[row].astype(float)
    chances = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    street = translator.tokenizer.id("▁rue")
    other = next(int(id_) for id_ in np.argsort(-chances) if id_ != street)
    shares = [f"{chances[one]:.1%}" for one in (street, other)]
    name = translator.tokenizer.tokens([other])[0].strip("▁")
    text = translator.run(SENTENCES[0], [turn]).translation.text
    return link_text.write([turn]), shares, name, text


def test_the_end_of_a_grey_line_is_dragged_to_another_word(
    page: Page, app: str, turned_line: tuple[str, list[str], str, str]
) -> None:
    edit, shares, piece, translation = turned_line
    root = story(page, app)
    settled(page, "animal")
    own = page.locator(".chances .value").all_text_contents()
    drag(page, "animal", ".handle[aria-label^='What rue looks at']")
    expect(page.locator(".chances .value")).to_have_text(shares)  # while it is held
    expect(page.locator(".chance b")).to_have_text(["rue", piece])
    expect(page.locator(".word.aimed")).to_have_text("animal")
    expect(root).to_have_attribute("data-turned", "")
    page.mouse.up()
    said = page.locator(".done")
    expect(said).to_contain_text("Turned: to write rue, all cross heads look at animal alone.")
    expect(said).to_contain_text(f"→ {shares[0]}")
    expect(page.locator(".changing > span")).not_to_have_count(0)
    assert shown_translation(page) == apart(translation)
    expect(page).to_have_url(f"{app}/?turned={edit}")
    expect(page.locator(".handle[data-arc='line']:visible")).to_have_count(1)
    reloaded(page)
    expect(page.locator(".chances .value")).to_have_text(shares)
    assert shown_translation(page) == apart(translation)
    page.get_by_role("button", name="Let it look by itself again").click()
    expect(page.locator(".chance b")).to_have_text(["il", "elle"])
    # What only the turn changed is marked no longer: both sentences share it.
    expect(page.locator(".target .changing > .on.shared")).not_to_have_count(0)
    expect(page.locator(".chances .value")).to_have_text(own)
    expect(page).to_have_url(f"{app}/")
    # By keyboard alone.
    end = page.get_by_role("slider", name="What rue looks at, in all cross heads")
    expect(end).to_have_attribute("aria-valuetext", "street")
    end.focus()
    page.keyboard.press("ArrowLeft")
    expect(root).to_have_attribute("data-turned", re.compile("^line "))
    page.keyboard.press("Escape")
    expect(root).to_have_attribute("data-turned", "")
    expect(end).to_be_focused()
