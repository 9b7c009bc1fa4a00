"""A class with one teacher and three phones: join, follow, predict, reveal, look around."""

import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from browser.waiting import rest

PHONE: ViewportSize = {"width": 390, "height": 844}
PATIENCE = 60_000


@pytest.fixture(scope="module")
def windows(browser: Browser) -> Iterator[list[BrowserContext]]:
    """The windows of a teacher and of three phones, which keep what they have loaded."""
    with ExitStack() as stack:
        sizes: list[ViewportSize] = [{"width": 1280, "height": 720}, PHONE, PHONE, PHONE]
        yield [stack.enter_context(browser.new_context(viewport=one)) for one in sizes]


@pytest.fixture
def people(windows: list[BrowserContext]) -> Iterator[tuple[Page, list[Page]]]:
    """A teacher and three phones, each new here."""
    pages = [window.new_page() for window in windows]
    errors: list[str] = []
    for page in pages:
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: errors.append(str(error)))
    yield pages[0], pages[1:]
    for page in pages:
        if page.url.startswith("http"):
            page.evaluate("localStorage.clear()")
        page.close()
    for window in windows:
        window.clear_cookies()
    assert errors == []


def begin(app: str, teacher: Page) -> str:
    """Begin a class on the page about pieces and return its code."""
    teacher.goto(f"{app}/tokens")
    teacher.get_by_role("button", name="Class", exact=True).click()
    teacher.get_by_role("button", name="Start a class").click()
    code = teacher.locator(".class-code").inner_text().replace(" ", "")
    expect(teacher.locator(".class-qr")).to_be_visible()
    teacher.keyboard.press("Escape")
    expect(teacher.locator(".class-code")).to_have_count(0)
    expect(teacher).to_have_url(re.compile("lead="))
    rest(teacher)
    return code


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def test_a_class_follows_predicts_and_sees_what_the_model_does(
    app: str, people: tuple[Page, list[Page]]
) -> None:
    teacher, phones = people
    code = begin(app, teacher)
    for phone in phones:
        phone.goto(f"{app}/?class={code}")
        heading(phone, "Words to vectors")
    expect(teacher.get_by_text("3 here")).to_be_visible()
    first = phones[0]
    first.get_by_role("button", name="Look around").click()
    teacher.get_by_role("link", name="One head", exact=True).click()
    for phone in phones[1:]:
        heading(phone, "One head")
    expect(phones[1]).to_have_url(re.compile(r"/head\?.*class="))
    assert "lead" not in phones[1].url
    heading(first, "Words to vectors")
    first.get_by_role("button", name="Back to the class").click()
    heading(first, "One head")
    first.get_by_role("button", name="Look around").click()
    first.get_by_role("button", name="Back to the class").wait_for()
    teacher.get_by_role("button", name="Bring all back").click()
    expect(first.get_by_role("button", name="Look around")).to_be_visible()
    ask_where(teacher)
    expect(first.get_by_role("button", name="animal", exact=True)).to_be_visible()
    expect(first.get_by_role("heading", name="One head", exact=True)).to_have_count(0)
    expect(first.locator(".st-key-top-bar")).to_have_count(0)
    for phone, word in zip(phones, ("animal", "animal", "street"), strict=True):
        phone.get_by_role("button", name=word, exact=True).click()
        expect(phone.get_by_text(f"Your answer: {word}")).to_be_visible()
        expect(phone.locator(".class-word")).to_have_count(0)
    expect(teacher.get_by_text("3 of 3 have answered")).to_be_visible()
    teacher.get_by_role("button", name="Reveal").click()
    for page in (teacher, *phones):
        expect(page.get_by_text("in common with the model's attention")).to_be_visible()
        expect(page.locator(".class-word").filter(has_text="67%")).to_be_visible()
    end_question(teacher)
    for phone in phones:
        heading(phone, "One head")
    rest(first)
    assert first.evaluate("document.documentElement.scrollWidth <= innerWidth")


def ask_where(teacher: Page) -> None:
    teacher.get_by_role("button", name="Ask the class").click()
    teacher.get_by_role("button", name="Ask all").click()
    expect(teacher.get_by_text("0 of 3 have answered")).to_be_visible()


def test_one_phone_follows_all_that_a_teacher_does(
    app: str, people: tuple[Page, list[Page]]
) -> None:
    teacher, (phone, *_others) = people
    code = begin(app, teacher)
    phone.goto(f"{app}/decoder")
    type_the_code(phone, code)
    go_elsewhere_and_back(phone)
    follow_steps(teacher, phone)
    see_a_readable_button(teacher, phone)
    see_the_word_change_and_the_link_cut(teacher, phone)


def type_the_code(phone: Page, code: str) -> None:
    """Join as who cannot scan does."""
    phone.get_by_role("button", name="Class", exact=True).click()
    typed = phone.get_by_role("textbox", name="Or join one: its code, six characters")
    typed.fill(f"{code[:3].lower()} {code[3:].lower()}")
    phone.get_by_role("button", name="Join").click()
    heading(phone, "Words to vectors")
    rest(phone)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def go_elsewhere_and_back(phone: Page) -> None:
    """Choose another view than the teacher's, of which the phone tells its visitor."""
    said = phone.locator(".class-link .said")
    expect(said).to_have_text("You see what the teacher shows.")
    rest(phone)
    phone.get_by_role("radio", name="Embedding").click()
    expect(said).to_contain_text("gone elsewhere")
    phone.get_by_role("button", name="Back to the class").click()
    expect(said).to_have_text("You see what the teacher shows.")


def follow_steps(teacher: Page, phone: Page) -> None:
    teacher.goto(f"{teacher.url.replace('/tokens?', '/decoder?')}&step=2")
    expect(teacher.locator(".decoder")).to_have_attribute("data-step", "2")
    expect(phone.locator(".decoder")).to_have_attribute("data-step", "2")
    expect(phone.locator(".class-link .said")).to_have_text("You see what the teacher shows.")
    teacher.keyboard.press("p")
    teacher.keyboard.press("PageDown")
    expect(phone.locator(".decoder")).to_have_attribute("data-step", "3")
    assert "present" not in phone.url
    teacher.keyboard.press("p")
    expect(teacher.locator("[data-headlight-presents]")).to_have_count(0)


def end_question(teacher: Page) -> None:
    """Press what ends a question; while the page is drawn anew it may stand there twice."""
    button = teacher.get_by_role("button", name="Back to the page")
    expect(button).to_have_count(1)
    button.click()


def see_a_readable_button(teacher: Page, phone: Page) -> None:
    """Be asked for a text: what sends it is as readable as any other button."""
    teacher.get_by_role("button", name="Ask the class").click()
    teacher.get_by_text("in their own words").click()
    teacher.get_by_role("button", name="Ask all").click()
    send = phone.get_by_role("button", name="Send")
    expect(send).to_have_css("color", "rgb(255, 255, 255)")
    teacher.get_by_role("button", name="Reveal").click()
    end_question(teacher)
    expect(phone.locator(".decoder")).to_be_visible()


def see_the_word_change_and_the_link_cut(teacher: Page, phone: Page) -> None:
    teacher.get_by_role("link", name="Headlight", exact=True).first.click()
    teacher.get_by_role("radio", name="wide").click()
    shown = phone.locator(".story")
    expect(shown).to_have_attribute("data-shown", "1")
    teacher.get_by_role("button", name="Cut the link from it to animal, street").click()
    expect(shown).to_have_attribute("data-changed", "encoder")
    teacher.get_by_role("radio", name="tired").click()
    expect(shown).to_have_attribute("data-shown", "0")
    expect(shown).to_have_attribute("data-changed", "encoder")


def test_a_lesson_on_stage_leaves_the_class_its_tools_and_shows_both_rounds_at_once(
    app: str, people: tuple[Page, list[Page]]
) -> None:
    teacher, phones = people
    code = begin(app, teacher)
    phone = phones[0]
    phone.goto(f"{app}/?class={code}")
    heading(phone, "Words to vectors")
    lesson = f"{teacher.url.replace('tokens?', 'tokens?lesson=il_elle&scene=1&present=1&')}"
    teacher.goto(lesson)
    expect(teacher.get_by_role("button", name="Reveal")).to_be_visible()
    teacher.locator(".st-key-class-more button").click(trial=True)
    teacher.goto(lesson.replace("lesson=il_elle&scene=1&", ""))
    teacher.get_by_role("button", name="Ask the class").click()
    teacher.get_by_text("Which head?", exact=True).click()
    teacher.get_by_role("button", name="Ask all").click()
    for round_ in range(2):
        phone.get_by_role("button", name="encoder 6.4", exact=True).click()
        expect(phone.get_by_text("Your answer: encoder 6.4")).to_be_visible()
        teacher.get_by_role("button", name="Reveal").click()
        expect(teacher.get_by_role("button", name="Reveal")).to_have_count(0)
        if round_ == 0:
            again = teacher.get_by_role("button", name="Talk about it, then ask again")
            expect(again).to_be_visible()
            rest(teacher)
            assert below(again) < 720
            again.click()
    boards = teacher.locator(".class-board")
    expect(boards).to_have_count(3)
    rest(teacher)
    tops = {round(box["y"]) for one in boards.all() if (box := one.bounding_box())}
    assert len(tops) == 1
    bar = teacher.locator(".st-key-class-bar").bounding_box()
    assert bar
    assert below(boards.last) <= bar["y"]


def below(what: Locator) -> float:
    """Return the lower edge of what is drawn."""
    box = what.bounding_box()
    assert box
    return box["y"] + box["height"]
