"""Every page opens with every model, in every language, on any text.

The shipped model in English is in `tests/test_pages.py`, and in another language, with many links,
in `test_translated_pages.py`.
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


@dataclass(frozen=True)
class Way:
    """A way to open pages: the model named at start, what the link says, the language.

    Where the link says which model it is, the shipped one is named before it.
    """

    named: Literal["", "tiny_zh_en", "own", "apart"] = ""
    link: dict[str, str] = field(default_factory=dict)
    language: str = ENGLISH


WAYS = {
    "zh-en": Way(link={"model": "zh-en"}),
    "zh-en, in Chinese": Way(link={"model": "zh-en"}, language="zh"),
    "few sentences": Way("tiny_zh_en", {"model": "zh-en"}),
    "few sentences, in Chinese": Way("tiny_zh_en", {"model": "zh-en"}, "zh"),
    **{
        f"Chinese text {number}": Way(
            "tiny_zh_en",
            {"model": "zh-en", "sentence": text, "second": RARE, "edits": "hide.1-2"},
        )
        for number, text in enumerate(CHINESE, 1)
    },
    "somebody else's": Way("own", {"sentence": "The quick fox."}),
    "pieces of its own": Way("apart", {"sentence": "The quick fox."}),
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
    found = {
        entry.link: faults(start(entry.link, **way.link, lang=way.language), way)
        for entry in COURSE
    }
    assert {link: wrong for link, wrong in found.items() if wrong} == {}
