"""What a change does, beside where it is made: words that change, bars that move."""

from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from browser.waiting import rest
from model.interventions.heads import AblateHead
from tests.nightly import nightly
from tests.sentences import FIRST_SENTENCE
from viz.compute import effects

LONG = 60_000


def pressed(page: Page, app: str, sentence: str = FIRST_SENTENCE) -> Locator:
    """Open the page of the heads and switch off the worst one."""
    page.goto(f"{app}/lab_heads?{urlencode({'sentence': sentence})}")
    outcome = page.locator(".outcome")
    expect(outcome).to_contain_text("If you press “Without looking at", timeout=LONG)
    rest(page)
    page.get_by_role("button", name="The head it needs most").click(timeout=LONG)
    expect(outcome).not_to_contain_text("If you press", timeout=LONG)
    expect(outcome).to_contain_text(" goes from ", timeout=LONG)
    return outcome


def il_without_the_worst_head() -> str:
    found = effects.importance(FIRST_SENTENCE, "zero").falls
    alone = [
        (float(fall), AblateHead(kind, layer, head))
        for kind, falls in found.items()
        for (layer, head), fall in np.ndenumerate(falls)
    ]
    worst = max(alone, key=lambda one: one[0])[1]
    effect = effects.effect(FIRST_SENTENCE, (worst,))
    return f"{100 * effect.likely_after[effect.pieces.index('il')]:.1f}%"


def test_the_probability_goes_from_what_it_was_to_what_it_is(page: Page, app: str) -> None:
    outcome = pressed(page, app)
    expect(outcome).to_have_attribute("data-moving", "false", timeout=LONG)
    expect(outcome.locator(".value b").first).to_have_text(il_without_the_worst_head())
    expect(outcome.locator(".value s").first).to_be_visible()
    cell = page.locator(".board [data-switch='off']:not([title*=' · '])")
    expect(cell).to_have_count(1)
    expect(cell).to_have_css("border-style", "dashed")


def test_words_that_change_are_underlined_and_can_be_read(page: Page, app: str) -> None:
    # Il and elle are equally likely without the head; of this sentence that is another word.
    outcome = pressed(page, app, FIRST_SENTENCE.replace("tired", "wide"))
    changed = outcome.locator(".line.before mark")
    expect(changed.first).to_have_css("border-bottom-style", "solid", timeout=LONG)
    expect(changed.first).to_have_css("text-decoration-line", "none")


def test_nothing_moves_where_somebody_wants_no_motion(page: Page, app: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    outcome = pressed(page, app)
    expect(outcome.locator(".value b").first).to_have_text(il_without_the_worst_head())
    assert outcome.get_attribute("data-moving") is None


@pytest.mark.parametrize(
    "link",
    [
        "lab_heads",
        *nightly("lab_masks", "lab_blocks", "lab_scale"),
    ],
)
def test_what_was_pressed_stays_where_it_is(page: Page, app: str, link: str) -> None:
    page.goto(f"{app}/{link}?sentence=Thank+you.")
    button = page.locator(".st-key-experiments button").filter(visible=True).last
    expect(button).to_be_enabled(timeout=LONG)
    rest(page)
    before = button.bounding_box()
    button.click()
    expect(page.locator(".outcome .said")).not_to_contain_text("If you press", timeout=LONG)
    rest(page)
    assert button.bounding_box() == before
    expect(page.locator(".outcome")).to_be_in_viewport(ratio=1)
