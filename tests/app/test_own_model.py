"""A model that somebody else trained, in every page: 60,000 pieces, 16 heads, random weights."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.conftest import OpenPage
from tests.app.shown import message
from viz.server.arguments import CHECKPOINT, name_models


@pytest.fixture(scope="module", autouse=True)
def _named(own: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CHECKPOINT, "")
        name_models(["--checkpoint", str(own)])
        yield


def test_it_stands_beside_a_shipped_model_though_it_cuts_otherwise(open_page: OpenPage) -> None:
    page = open_page("two_models", beside="en-fr-dot", sentence="The animal was too tired.")
    assert not page.exception
    components = page.get("bidi_component")
    (own, other) = next(
        message(one)["panels"]
        for one in components
        if one.proto.component_name == "alignments"  # pyright: ignore
    )
    assert own["keys"] != other["keys"]
    assert set(own["places"]) == set(other["places"])  # the same words and marks
    for panel in (own, other):
        assert len(panel["places"]) == len(panel["keys"]) == len(panel["weights"][0])


def test_a_link_made_for_another_model_opens(open_page: OpenPage) -> None:
    page = open_page("attention", model="own", kind="encoder", layer="6", edits="zero.e.6.8")
    assert not page.exception
    assert page.session_state["model"] == "own"
