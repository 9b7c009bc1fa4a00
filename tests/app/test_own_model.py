"""A model that somebody else trained, in every page: 60,000 pieces, 16 heads, random weights."""

from collections.abc import Iterator

import pytest

from tests.app.conftest import OpenPage
from tests.app.shown import message
from tests.fixtures.marian_folder import write_marian
from viz.server.arguments import CHECKPOINT, name_models
from viz.shell.navigation import sections

LINKS = [entry.link for entries in sections().values() for entry in entries]
SIZES: dict[str, int | bool | str] = {
    "d_model": 64,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_ffn_dim": 96,
    "decoder_ffn_dim": 96,
    "encoder_attention_heads": 16,
    "decoder_attention_heads": 16,
}


@pytest.fixture(scope="module", autouse=True)
def _own_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = write_marian(tmp_path_factory.mktemp("marian") / "own", SIZES, size=60_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CHECKPOINT, "")
        name_models(["--checkpoint", str(folder)])
        yield


@pytest.mark.parametrize("link", LINKS)
def test_every_page_opens_with_it(open_page: OpenPage, link: str) -> None:
    """What a page needs and this model has not, it says in one sentence."""
    page = open_page(link, sentence="The quick fox.")
    assert not page.exception
    assert not page.error
    for notice in page.info:
        assert "model.training" not in notice.value
        assert notice.value.count(". ") < 2, notice.value


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
