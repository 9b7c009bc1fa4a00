"""One block by numbers, without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenPage

VIEWS = ("add & norm", "feed-forward")


def said(at: AppTest) -> str:
    return " ".join(element.value for element in at.markdown)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_what_is_computed_is_what_the_model_has(open_page: OpenPage, view: str, stack: str) -> None:
    page = open_page("block", **{"block view": view, "stack": stack, "layer": "3"})
    assert not page.exception
    assert ":green-badge[" in said(page)
    assert page.latex


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("sentence", ["a", "<b>你好</b> *$x$*"])
def test_odd_sentences_raise_nothing(open_page: OpenPage, view: str, sentence: str) -> None:
    assert not open_page("block", sentence=sentence, **{"block view": view}).exception
