"""Every page with a Marian model that was named at start, beside the shipped one."""

import os
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from browser.marian_folder import write_marian
from tests.app.conftest import FIRST, OpenPage
from tests.app.shown import message
from viz.compute import models
from viz.shell.navigation import page_links

SIZES = {
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
}

# What the link of a larger model asks for and this one does not have.
FAR = {"kind": "encoder", "layer": "6", "head": "8", "edits": "zero.e.6.8_scale.e.0.5"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small Marian model with random weights."""
    return write_marian(tmp_path_factory.mktemp("models") / "tiny-marian", {**SIZES})


@pytest.fixture
def model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Its name, once it is named at start."""
    named = os.pathsep.join(("en-fr", str(folder)))
    monkeypatch.setenv(models.NAMED_AT_START, named)
    return folder.name


def said(page: AppTest) -> str:
    return " ".join(one.value for kind in ("info", "warning", "error") for one in page.get(kind))  # pyright: ignore


@pytest.mark.parametrize("link", sorted(page_links() | {FIRST}))
def test_every_page_opens_with_it(open_page: OpenPage, model: str, link: str) -> None:
    page = open_page(link, model=model, sentence="The animal was tired.", **FAR)
    assert not page.exception
    assert page.session_state["model"] == model
    assert "cannot be opened" not in said(page)


def test_a_page_says_what_it_lacks(open_page: OpenPage, model: str) -> None:
    assert "has not been measured" in said(open_page("about", model=model))
    born = open_page("learning", model=model, learning="a head being born")
    assert not born.exception
    assert "history" in said(born)


def test_it_stands_beside_the_shipped_model_though_it_cuts_otherwise(
    open_page: OpenPage, model: str
) -> None:
    sentence = "The animal was too tired."
    page = open_page("two_models", beside=model, sentence=sentence)
    assert not page.exception
    (sent,) = [
        message(one)["panels"]
        for one in page.get("bidi_component")
        if one.proto.component_name == "alignments"  # pyright: ignore
    ]
    own, other = sent
    assert own["keys"] != other["keys"]
    assert set(own["places"]) == set(other["places"])  # the same words and marks
    for panel in sent:
        assert len(panel["places"]) == len(panel["keys"]) == len(panel["weights"][0])
