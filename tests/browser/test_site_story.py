"""The story in a site: two sentences of a visitor's own, told by the model in the page."""

import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.waiting import LONG
from model import Translator
from tests.browser.axe import found_by_axe
from tests.browser.static_host import hosted
from tests.browser.test_site import GROUNDS, cut
from tests.sentences import TIRED_OR_WIDE
from viz.compute import cuts, models, pairs, story_cuts
from viz.compute.own_pair import own_pair
from viz.pages.story.numbers import story as story_of
from viz.pages.story.story_picture import texts
from viz.site import engine
from viz.site.pages import STORY, Site
from viz.site.site import _assets, _page

PAIR = "The man is my uncle.", "The woman is my uncle."
"""A short one, told by two stacks like the first page's pair."""

CAT, DOG = "The cat is sleeping.", "The dog is sleeping."

SILENT = """
const send = Worker.prototype.postMessage;
const heard = new Promise((done) => (window.answer = done));
Worker.prototype.postMessage = function (...message) {
  heard.then(() => send.apply(this, message));
};
"""
"""The model hears nothing before `answer()` is called, however quick it is."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of the story alone."""
    name = models.in_force()
    folder, site = tmp_path_factory.mktemp("site"), Site(name, {}, {name: (STORY,)})
    (folder / engine.FOLDER).mkdir()
    for name, text in (_assets(site) | _page(site, STORY)).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name, content in engine.files().items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[str]:
    with hosted(folder) as address:
        yield f"{address}/index.html"


def story(page: Page, address: str) -> Locator:
    page.goto(address)
    root = page.locator(".story[data-shown]")
    expect(root).to_be_visible()
    return root


def send(page: Page, first: str, second: str) -> None:
    boxes = page.locator(".own input")
    boxes.nth(0).fill(first)
    boxes.nth(1).fill(second)
    boxes.nth(1).press("Enter")


def told(page: Page, word: str) -> None:
    """Wait until the model has told all of the story with a word, with arcs that can be turned."""
    expect(page.locator(".source")).to_contain_text(word, timeout=240_000)
    expect(page.locator(".handle:visible").first).to_be_visible(timeout=240_000)


def words(page: Page, side: str) -> str:
    """Return the words that are on screen of a line, without spaces."""
    shown = page.locator(f".line.{side}").evaluate(
        """line => [...line.querySelectorAll('[data-word]')].map((word) =>
          (word.querySelector('.on, [aria-checked=true]') ?? word).textContent).join('')"""
    )
    return re.sub(r"\s", "", shown)


def assert_chances(page: Page, likely: Sequence[float]) -> None:
    """Compare what is on screen with probabilities, but for the rounding of the last digit."""
    for value, share in zip(page.locator(".chances .value").all(), likely, strict=True):
        near = "|".join(re.escape(f"{100 * share + off:.1f}%") for off in (-0.03, 0, 0.03))
        expect(value).to_have_text(re.compile(f"^({near})$"))


def test_a_pair_of_ones_own_has_switch_scissors_and_handle_with_the_models_numbers(
    page: Page, host: str, translator: Translator
) -> None:
    asked = own_pair(*PAIR)
    expected, turns = story_cuts.cuts_and_turns(asked)
    assert turns is not None
    story(page, host)
    send(page, *PAIR)
    told(page, "uncle")
    for number, sentence in enumerate(PAIR):
        page.locator(f".switch [data-sentence='{number}']").click()
        assert words(page, "source") == sentence.replace(" ", "")
        written = translator.translate(sentence).text
        assert words(page, "target") == re.sub(r"\s", "", written)
        assert_chances(page, expected.likely[number, 0])
    for bit, head in enumerate(expected.heads):
        cut(page, head.kind)
        assert_chances(page, expected.likely[1, 2**bit])
        cut(page, head.kind)
    page.locator(".change.carry").click()
    assert_chances(page, expected.likely[1, 2 ** len(expected.heads)])
    last = len(expected.heads) - 1
    page.locator(".handle").last.press("Home")
    first = turns[1][last][0]
    assert first is not None
    assert_chances(page, first.likely)
    page.get_by_role("button", name="Let it look by itself again").click()
    assert_chances(page, expected.likely[1, 0])


def test_the_end_of_a_grey_line_is_turned_by_the_model_in_the_page(page: Page, host: str) -> None:
    asked = TIRED_OR_WIDE
    pair = pairs.pair(asked.first, asked.second)
    own = story_of(pair, asked, *story_cuts.cuts_and_turns(asked))
    root = story(page, host)
    end = page.locator(".handle[data-arc='line']").last
    expect(end).to_be_visible()  # once the lines have drawn themselves
    end.focus()
    page.keyboard.press("Home")
    expect(root).to_have_attribute("data-turned", re.compile(r"^line \d+ 0$"))
    line = int((root.get_attribute("data-turned") or "").split()[1])
    turn = own.lines[0][line][0]
    assert turn is not None
    result = cuts.turned_line(asked, 0, turn)
    expect(page.locator(".done")).to_contain_text("all cross heads look at", timeout=240_000)
    expect(page.locator(".chance b").first).to_have_text(
        result.pieces[0].strip("▁"), timeout=240_000
    )
    expect(page.locator(".chances")).to_have_attribute("data-moving", "")
    assert_chances(page, result.likely)
    page.keyboard.press("Escape")
    expect(root).to_have_attribute("data-turned", "")
    assert_chances(page, own.likely[0, 0])


def test_the_link_brings_a_pair_back_with_what_was_changed_in_both_languages(
    page: Page, host: str
) -> None:
    story(page, host)
    send(page, CAT, DOG)
    told(page, "sleeping")
    page.get_by_role("radio", name="dog").click()
    cut(page, "cross")
    expect(page).to_have_url(re.compile(r"first=The\+cat.*second=The\+dog.*changed=cross"))
    expect(page.locator(".chances")).to_have_attribute("data-moving", "")
    values = page.locator(".chances .value").all_text_contents()
    page.reload()
    told(page, "sleeping")
    expect(page.locator(".story")).to_have_attribute("data-changed", "cross")
    expect(page.locator(".chances .value")).to_have_text(values)
    page.get_by_role("link", name="中文").click()
    told(page, "sleeping")
    expect(page.locator("html")).to_have_attribute("lang", "zh")
    expect(page.locator(".chances .value")).to_have_text(values)
    # The pair that was recorded is there at once, and needs no parameters.
    page.locator(".own .pairs button").first.click()
    expect(page.locator(".source")).to_contain_text("street")
    expect(page).to_have_url(re.compile(r"index\.html$"))


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (CAT, "", "empty"),
        (CAT, "A dog sleeps.", "more"),
        ("The cat sees the cat.", "The dog sees the cat.", "twice"),
        (CAT, "word " * 60, "long"),
        ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>", "same"),
    ],
)
def test_bad_input_is_one_sentence_and_the_picture_stays(
    page: Page, host: str, first: str, second: str, reason: str
) -> None:
    story(page, host)
    before = words(page, "source")
    send(page, first, second)
    sentence = texts.words(shipped=True)["pair"]["reasons"][reason]  # pyrefly: ignore[bad-index]
    said = sentence.replace("{count}", str(len(second.split()) + 1))  # each word, and the end
    expect(page.locator(".own .problem")).to_have_text(said, timeout=120_000)
    expect(page.locator(".own input").nth(0)).to_have_value(first)
    assert words(page, "source") == before
    expect(page).to_have_url(re.compile(r"index\.html$"))


def test_the_picture_answers_while_the_model_computes(page: Page, host: str) -> None:
    page.add_init_script(SILENT)
    story(page, host)
    send(page, *PAIR)
    expect(page.locator(".own")).to_have_attribute("data-busy", "yes")
    page.get_by_role("radio", name="wide").click()
    expect(page.locator(".story")).to_have_attribute("data-shown", "1")
    expect(page.locator(".source")).to_contain_text("street")
    # What is typed meanwhile stays in its box.
    box = page.locator(".own input").first
    box.fill(CAT)
    page.evaluate("answer()")
    told(page, "uncle")
    expect(box).to_have_value(CAT)
    # The pair that is asked for last is shown, whatever was still at work.
    send(page, *reversed(PAIR))
    send(page, CAT, DOG)
    told(page, "sleeping")
    assert words(page, "source") == CAT.replace(" ", "")


def test_a_missing_model_is_one_sentence_and_the_recorded_story_works(
    page: Page, folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path / "site", symlinks=True)
    weights = next((tmp_path / "site" / engine.FOLDER).rglob("*.safetensors.z"))
    weights.unlink()
    with hosted(tmp_path / "site") as address:
        story(page, f"{address}/index.html")
        send(page, CAT, DOG)
        expect(page.locator(".own .problem")).to_contain_text("missing", timeout=120_000)
        page.get_by_role("radio", name="wide").click()
        expect(page.locator(".story")).to_have_attribute("data-shown", "1")


def test_an_own_pair_fits_and_axe_finds_nothing(browser: Browser, host: str) -> None:
    with browser.new_context(
        viewport={"width": 1440, "height": 900}, color_scheme="light", reduced_motion="reduce"
    ) as context:
        page = context.new_page()
        page.set_default_timeout(LONG)
        story(page, host)
        send(page, *PAIR)
        told(page, "uncle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 1440
        assert found_by_axe(page) == []
        page.locator("#theme").click()
        expect(page.locator("body")).to_have_css("background-color", GROUNDS["dark"])
        page.set_viewport_size({"width": 390, "height": 900})
        page.wait_for_function("() => document.documentElement.scrollWidth <= 390")
        assert found_by_axe(page) == []
