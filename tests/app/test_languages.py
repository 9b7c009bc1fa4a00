"""The language of the pages: each visitor's own, from the link, the switch or the browser."""

from collections.abc import Callable

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenPage


@pytest.fixture
def browse(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Lets the browser ask for a language."""
    return lambda locale: monkeypatch.setattr(ContextProxy, "locale", locale)


def language(page: AppTest) -> str:
    assert not page.exception
    return page.session_state["lang"]


def in_link(page: AppTest, name: str) -> str:
    return "".join(page.query_params.get(name, ""))


def switch(page: AppTest, name: str) -> AppTest:
    menu = next(one for one in page.get("menu_button") if one.key == "language switch")
    return menu.set_value(name).run()  # pyrefly: ignore[missing-attribute]


@pytest.mark.parametrize(
    ("asked", "locale", "shown", "said"),
    [
        ("", "en-US", "en", ""),
        ("", "zh-CN", "zh", "zh"),
        ("", "zh", "zh", "zh"),
        ("", "ja-JP", "en", ""),
        ("zh", "en-US", "zh", "zh"),
        ("en", "zh-CN", "en", "en"),
        ("../etc", "en-US", "en", ""),
    ],
)
def test_the_link_then_the_browser_decides(
    open_page: OpenPage,
    browse: Callable[[str], None],
    asked: str,
    locale: str,
    shown: str,
    said: str,
) -> None:
    browse(locale)
    page = open_page("about", **({"lang": asked} if asked else {}))
    assert language(page) == shown
    assert in_link(page, "lang") == said


def test_the_switch_changes_the_language_and_the_link(open_page: OpenPage) -> None:
    page = switch(open_page("about"), "zh")
    assert (language(page), in_link(page, "lang")) == ("zh", "zh")
    page = switch(page, "en")
    assert language(page) == "en"
    assert in_link(page, "lang") == ""


@pytest.mark.parametrize(
    ("page", "parameter", "option"),
    [("positions", "positions", "dot products"), ("layers", "layers", "cost")],
)
def test_a_choice_outlives_a_change_of_language(
    open_page: OpenPage, page: str, parameter: str, option: str
) -> None:
    shown = open_page(page, **{parameter: option})
    assert shown.session_state[parameter] == option
    shown = switch(shown, "zh")
    assert not shown.exception
    assert (shown.session_state[parameter], in_link(shown, parameter)) == (option, option)


def test_a_scene_of_a_lesson_keeps_the_language(open_page: OpenPage) -> None:
    page = open_page("lab_masks", lesson="masks", scene="1", lang="zh")
    assert language(page) == "zh"
