"""Bad input is borne by what reads a link, and by every page, as a sentence and as its choices.

bad_input.jsonl holds one text a line, in JSON.
"""

import json
from pathlib import Path

import pytest

from tests.app.conftest import start
from tests.app.test_foreign_text import NAMES, PAGES, misread
from viz.course.pages import FIRST
from viz.language.wording import escaped
from viz.link import edits
from viz.link.table import CLASSROOM, TABLE

CORPUS = Path(__file__).parent / "bad_input.jsonl"
TEXTS: list[str] = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]


def test_the_corpus_is_large_and_holds_each_text_once() -> None:
    assert len(TEXTS) >= 500
    assert len(set(TEXTS)) == len(TEXTS)


def test_a_parameter_of_the_link_makes_sense_of_a_text_or_refuses_it() -> None:
    for row in TABLE:
        for text in TEXTS:
            value = row.sense(text)
            if value is not None and row.form.write(value):
                assert row.sense(row.form.write(value)) == value, (row.name, text)


def test_the_changes_in_a_link_are_read_or_refused() -> None:
    for text in TEXTS:
        found = edits.read(text, "The cat is here.")
        written = edits.write(found.interventions, "The cat is here.")
        assert set(edits.read(written, "The cat is here.").interventions) == {*found.interventions}


def test_escaped_text_is_one_line() -> None:
    assert all(len(escaped(text).splitlines()) <= 1 for text in TEXTS)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_bears_bad_input_under_every_name_of_a_link(page: str) -> None:
    """Each page gets texts of its own, and all pages together get all of them."""
    names = sorted(NAMES - {"sentence", "lesson", *CLASSROOM})  # the same in every run
    turn = PAGES.index(page)
    assert len(names) * len(PAGES) >= len(TEXTS)
    texts = [TEXTS[(turn * len(names) + at) % len(TEXTS)] for at in range(len(names))]
    link = dict(zip(names, texts, strict=True))
    app = start(page, **link, sentence=texts[(7 * turn) % len(texts)])
    assert not app.exception, (link, app.exception)
    assert app.header or page == FIRST, link
    assert misread(app) == []


def test_a_class_that_is_none_is_said_to_be_none() -> None:
    """The page is not drawn then, but the door."""
    code, key = CLASSROOM
    for text in TEXTS[:: len(TEXTS) // 8]:
        app = start("head", **{code: text, key: text})
        assert not app.exception, (text, app.exception)
        assert misread(app) == []
