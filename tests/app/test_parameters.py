"""An empty parameter of a link means the default of its control, and one alone is the stage."""

import pytest

from tests.app.conftest import OpenPage
from tests.app.shown import shown
from viz.figures.letters import STAGE
from viz.link import table
from viz.link.address import TEXTS
from viz.shell.lessons.shelf import lesson_link

NAMES = sorted(table.NAMES - {"sentence"})


@pytest.mark.parametrize(
    ("page", "view"),
    [
        ("attention", {}),
        ("decoder", {}),
        ("tokens", {"tokens": "map"}),
        ("positions", {"positions": "curves"}),
        ("recurrent", {"ancestors": "all models"}),
        ("lab_scale", {"break": "positions side by side"}),
    ],
)
def test_an_empty_parameter_means_the_default(
    open_page: OpenPage, page: str, view: dict[str, str]
) -> None:
    empty = dict.fromkeys((name for name in NAMES if name not in TEXTS), "")
    said = open_page(page, **{**empty, **view})
    assert not said.exception
    usual = open_page(page, **view)
    parameters = [name for name in NAMES if name in usual.session_state]
    assert shown(said, parameters) == shown(usual, parameters)


@pytest.mark.parametrize(("value", "on"), [("1", True), ("0", False), ("true", False)])
def test_the_stage_is_on_where_the_link_says_one(
    open_page: OpenPage, value: str, *, on: bool
) -> None:
    assert open_page("tokens", present=value).session_state[STAGE] == on
    assert ("present=1" in (lesson_link(f"lesson=il_elle&present={value}") or "")) == on
