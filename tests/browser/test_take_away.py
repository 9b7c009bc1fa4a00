"""What a lesson's card gives to take along, and what the browser keeps of a lesson."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.waiting import rest
from viz.handout.answers import SECRET, read
from viz.shell.lessons.shelf import read_shelf

LONG = 60_000
LESSON = next(lesson for lesson in read_shelf("en").lessons if lesson.name == "il_elle")


def saved(page: Page, button: Locator) -> bytes:
    with page.expect_download(timeout=LONG) as download:
        button.click()
    return Path(download.value.path()).read_bytes()


def test_a_worksheet_a_quiz_and_the_own_answers_are_taken_along(
    page: Page, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SECRET, raising=False)
    page.goto(f"{app}/?lesson={LESSON.name}&scene=1")
    rest(page)
    page.get_by_role("button", name="elle, for the street").click()
    expect(page.get_by_text("il has a probability of")).to_be_visible(timeout=LONG)
    rest(page)
    page.get_by_text("Take this lesson with you").click()
    sheet = saved(page, page.get_by_role("button", name="Worksheet to print"))
    assert b'class="key"' in sheet
    assert f"?lesson={LESSON.name}&amp;scene=2".encode() in sheet
    quiz = saved(page, page.get_by_role("button", name="GIFT"))
    assert quiz.count(b"[html]") == sum(scene.question is not None for scene in LESSON.scenes)
    expect(page.locator(".my-answers")).to_have_attribute("data-count", "1")
    page.get_by_label("Your name").fill("Ada")
    handed = read(saved(page, page.get_by_role("button", name="Download my answers")))
    assert handed.name == "Ada"
    (answer,) = handed.answers
    assert answer.genuine
    assert (answer.lesson, answer.scene, answer.choice) == (LESSON.name, 1, "elle, for the street")
    page.reload()  # it asks again, and the first answer stays
    rest(page)
    page.get_by_role("button", name="il, for the animal").click()
    expect(page.get_by_text("il has a probability of")).to_be_visible(timeout=LONG)
    rest(page)
    page.get_by_text("Take this lesson with you").click()
    expect(page.locator(".my-answers .said")).to_have_text(re.compile("1, right at once: 0"))
    page.get_by_role("button", name="Forget my answers").click()
    expect(page.locator(".my-answers")).to_have_attribute("data-count", "0")
    expect(page.get_by_role("button", name="Download my answers")).to_be_disabled()


def test_a_finished_lesson_is_ticked_on_the_first_page(page: Page, app: str) -> None:
    page.goto(app)
    rest(page)
    first, *others = page.locator(".lessons a").all()
    expect(first).to_contain_text("Start here")
    assert not any("Start here" in other.inner_text() for other in others)
    expect(page.locator(".lessons .finished")).to_have_count(0)
    page.goto(f"{app}/?lesson={LESSON.name}&scene={len(LESSON.scenes)}")
    expect(page.locator("nav.bar")).to_have_attribute(
        "data-scene", str(len(LESSON.scenes)), timeout=LONG
    )
    page.goto(app)
    expect(page.locator(f'[data-lesson="{LESSON.name}"] .finished')).to_be_visible(timeout=LONG)
    expect(page.locator(".lessons .finished")).to_have_count(1)
