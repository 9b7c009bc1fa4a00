"""Every page opens with every kind of model, in another language, on any text.

The shipped model in English is in `tests/test_pages.py`, and in another language, by many links, in
`test_translated_pages.py`.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import start
from tests.app.leftovers import leftovers
from viz.compute import models
from viz.course.pages import COURSE
from viz.language.text import ENGLISH

RARE = "龘字很难写。"
CHINESE = ("他说：“我爱 NLP，你呢？”", RARE, "。", "\uff21\uff22\uff23\uff11", "我" * 200)
"""Sentences, of which each page gets one."""


@dataclass(frozen=True)
class Way:
    """A way to open pages: the model named at start, what the link says, the language.

    Where the link says which model it is, the shipped one is named before it.
    """

    named: Literal["", "tiny_zh_en", "own"] = ""
    link: dict[str, str] = field(default_factory=dict)
    sentences: tuple[str, ...] = ()
    language: str = ENGLISH


WAYS = {
    "another model, in Chinese": Way(link={"model": "zh-en"}, language="zh"),
    "any text, with a change": Way(
        "tiny_zh_en", {"model": "zh-en", "second": RARE, "edits": "hide.1-2"}, CHINESE
    ),
    "somebody else's": Way("own", sentences=("The quick fox.",)),
}


def faults(page: AppTest, way: Way) -> list[str]:
    """List what is wrong with a page: errors, English that is left, notices of several sentences.

    What a page needs and a model has not, it says in one sentence.
    """
    found = [str(one.message) for one in page.exception]
    found += [one.value for one in page.error]
    if way.named == "own":
        said = [one.value for one in page.info]
        found += [text for text in said if text.count(". ") > 1 or "model.training" in text]
    return found + (leftovers(page, way.language) if way.language != ENGLISH else [])


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_every_page_opens(
    way: Way, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if way.named:
        folder: Path = request.getfixturevalue(way.named)
        before = ("en-fr",) if "model" in way.link else ()
        monkeypatch.setenv(models.NAMED_AT_START, os.pathsep.join((*before, str(folder))))
    found: dict[str, list[str]] = {}
    for place, entry in enumerate(COURSE):
        link = dict(way.link)
        if way.sentences:
            link["sentence"] = way.sentences[place % len(way.sentences)]
        found[entry.link] = faults(start(entry.link, **link, lang=way.language), way)
    assert {link: wrong for link, wrong in found.items() if wrong} == {}
