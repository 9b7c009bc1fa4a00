"""Numbers of the unchanged model, on pages of a changed one, say that they are its numbers."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenPage
from tests.app.shown import components, message
from tests.sentences import EXAMPLES
from viz.compute import ancestors


def captions(page: AppTest) -> str:
    assert not page.exception
    return "\n".join(one.value for one in page.caption)


@pytest.mark.parametrize("change", ["", "zero.e.6.4"])
def test_recordings_and_traces_are_those_of_the_unchanged_model(
    open_page: OpenPage, change: str
) -> None:
    changed = {"edits": change} if change else {}
    for name, choice in (
        ("learning", {"learning": "a head being born"}),
        ("trace", {"second": EXAMPLES["too wide"]}),
    ):
        said = captions(open_page(name, **choice, **changed))
        assert ("unchanged model" in said.partition("Each cell is one run")[0]) == bool(change)


def test_a_drawn_head_that_is_off_says_so_beside_the_score_of_the_unchanged_model(
    open_page: OpenPage,
) -> None:
    best = ancestors.best_aligned()
    assert best is not None
    page = open_page("recurrent", edits=f"zero.c.{best[0] + 1}.{best[1] + 1}")
    assert not page.exception
    (told,) = [one for one in components(page) if one.proto.component_name == "contrast"]
    last = message(told)["ways"][-1]
    assert "Switched off" in last["said"]
    assert "unchanged" in last["trained"]


def test_heads_that_are_off_are_named_where_their_sharpness_is_counted(
    open_page: OpenPage,
) -> None:
    said = captions(open_page("lab_scale", edits="zero.c.5.3"))
    assert "reaches nothing" in said
    assert "reaches nothing" not in captions(open_page("lab_scale"))
