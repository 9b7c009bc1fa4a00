"""A model that somebody else trained, in every page: 60,000 pieces, 16 heads, random weights."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from model.checkpoints.checkpoint import CHECKPOINTS
from model.translator import load_translator
from tests.app.conftest import OpenPage
from tests.app.shown import message, purposes
from viz.compute import models, translators
from viz.pages.story.story_picture.texts import words
from viz.server.arguments import CHECKPOINT, name_models
from viz.shell import chooser


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
        message(one)["panels"] for one in components if one.proto.component_name == "alignments"
    )
    assert own["keys"] != other["keys"]
    assert set(own["places"]) == set(other["places"])  # the same words and marks
    for panel in (own, other):
        assert len(panel["places"]) == len(panel["keys"]) == len(panel["weights"][0])


def test_a_link_made_for_another_model_opens(open_page: OpenPage) -> None:
    page = open_page("attention", model="own", kind="encoder", layer="6", edits="zero.e.6.8")
    assert not page.exception
    assert page.session_state["model"] == "own"


def test_the_page_about_it_says_what_it_is(open_page: OpenPage, own: Path) -> None:
    network = load_translator(own).network
    page = open_page("about")
    shown = {metric.label: metric.value for metric in page.metric}
    parameters = sum(one.numel() for one in network.parameters())
    assert shown["Parameters"] == f"{parameters / 1e6:.1f} M"
    assert (shown["Layers"], shown["Heads in one attention"]) == ("2 + 3", "16")
    assert (shown["Model width"], shown["Head width"], shown["Feed-forward width"]) == (
        *("64", "4", "96"),
    )
    assert (shown["Activation"], shown["Pieces"]) == ("swish", "60,000")
    captions = " ".join(one.value for one in page.caption)
    size = (own / "model.safetensors").stat().st_size
    assert f"`model.safetensors` ({size / 1e6:.1f} MB)" in captions
    assert "MarianMTModel" in captions
    assert str(own.parent) not in captions


def test_its_feed_forward_has_its_own_activation(open_page: OpenPage) -> None:
    page = open_page("block", **{"block view": "feed-forward"})
    drawn = page.get("plotly_chart")[0].proto.spec
    assert "before swish: x W" in drawn
    assert "ReLU" not in drawn
    page = open_page("layers", block="encoder.0.ffn.hidden")
    said = purposes(page)
    assert said["encoder.0.ffn.hidden"].startswith("swish(x W1 + b1): wider")
    assert not any("max(0" in one for one in said.values())


def test_a_character_that_it_does_not_know_is_called_unknown(open_page: OpenPage) -> None:
    page = open_page("tokens", sentence="The 猫 animal")
    assert "**猫** is no piece of this model" in page.info[0].value
    assert "unk" in page.info[0].value
    assert not any("has a piece" in caption.value for caption in page.caption)
    known = open_page("tokens", sentence="The animal")
    (said,) = (one.value for one in known.caption if "has a piece" in one.value)
    assert "bytes" not in said
    added = open_page("tokens", sentence="The animal", rare="🦉")
    assert "**🦉** is no piece of this model" in added.info[0].value


def test_a_vocabulary_without_bytes_is_not_said_to_have_them(open_page: OpenPage) -> None:
    page = open_page("block", **{"block view": "a batch with padding"})
    assert not page.exception
    said = [one.value for one in page.markdown]
    assert any(one.startswith("**With `<unk>`, as here**") for one in said)
    assert not any("byte fallback" in one for one in said)


def test_only_a_shipped_model_is_said_to_be_trained_for_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHECKPOINT, str(shutil.copytree(CHECKPOINTS / "en-fr", tmp_path / "mine")))
    assert models.default() == "mine"
    assert not models.is_shipped("mine")
    assert words(shipped=False)["promise"] != words(shipped=True)["promise"]


def test_a_model_that_is_read_from_the_disk_says_so(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    spinner = chooser.st.spinner
    monkeypatch.setattr(chooser.st, "spinner", lambda text: told.append(text) or spinner(text))
    translators._hold_large.clear()
    assert not translators.is_held("own")
    open_page("tokens")
    assert told == ["Reading the model own, 8 MB"]
    open_page("about")
    assert len(told) == 1
