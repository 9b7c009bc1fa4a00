"""The page for teachers: every lesson is in it, as long as it says itself."""

import re

import pytest

from viz.language.text import languages
from viz.pages.story.teachers import teaching
from viz.shell.lessons.shelf import Shelf, read_shelf, scene_link

ROW = re.compile(
    r"^\| \[(?P<title>[^]]+)\]\((?P<link>[^)]+)\) \| (?P<minutes>\d+) \|", re.MULTILINE
)


@pytest.mark.parametrize("code", list(languages()))
def test_each_lesson_has_a_row_with_its_minutes_and_a_link_to_it(code: str) -> None:
    shelf = read_shelf(code)
    rows = [found.groups() for found in ROW.finditer(teaching(code, shelf))]
    assert rows == [
        (lesson.title, scene_link(lesson, 1), str(lesson.minutes)) for lesson in shelf.lessons
    ]


@pytest.mark.parametrize("code", list(languages()))
def test_the_plans_fill_their_time_and_name_lessons_that_there_are(code: str) -> None:
    text = teaching(code, read_shelf(code))
    plans = re.split(r"^## ", text, flags=re.MULTILINE)
    totals = []
    for plan in plans:
        minutes = [int(row) for row in re.findall(r"^\| (\d+) \| ", plan, re.MULTILINE)]
        totals.append(sum(minutes))
    assert {45, 90} <= set(totals)
    named = set(re.findall(r"`(\w+)`", text)) - {"HEADLIGHT_SECRET"}
    assert named <= {lesson.name for lesson in read_shelf(code).lessons}


def test_a_lesson_that_is_missing_keeps_its_title() -> None:
    text = teaching("en", Shelf((), ()))
    assert "| Why il, why elle | 10 |" in text
    assert "viz/lessons/1-" not in text
