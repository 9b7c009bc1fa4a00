"""Every page bears every bad input, as a sentence and as what a link says of its choices.

bad_input.jsonl holds one text a line, in JSON. Each run of a page takes as many of them as there
are names in links, and one of them as the sentence, so that each text reaches each page.
"""

import json
from pathlib import Path

import pytest

from tests.app.conftest import start
from tests.app.test_foreign_text import NAMES, PAGES, misread
from viz.course.pages import FIRST
from viz.link.table import CLASSROOM

CORPUS = Path(__file__).parent / "bad_input.jsonl"
TEXTS: list[str] = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]


def test_the_corpus_is_large_and_holds_each_text_once() -> None:
    assert len(TEXTS) >= 500
    assert len(set(TEXTS)) == len(TEXTS)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_bears_every_bad_input(page: str) -> None:
    names = sorted(NAMES - {"sentence", "lesson", *CLASSROOM})  # the same in every run
    turn = PAGES.index(page)
    for at, first in enumerate(range(0, len(TEXTS), len(names))):
        texts = TEXTS[first : first + len(names)]
        # Another name for each text on each page, or "layer" would always get the same.
        shifted = names[turn:] + names[:turn]
        link = dict(zip(shifted, texts, strict=False))
        app = start(page, **link, sentence=texts[(7 * turn + 3 * at) % len(texts)])
        assert not app.exception, (link, app.exception)
        assert app.header or page == FIRST, link
        assert misread(app) == []


def test_a_class_that_is_none_is_said_to_be_none() -> None:
    """The page is not drawn then, but the door."""
    code, key = CLASSROOM
    for text in TEXTS[:: len(TEXTS) // 25]:
        app = start("head", **{code: text, key: text})
        assert not app.exception, (text, app.exception)
        assert misread(app) == []
