"""Every page with every kind of model, and the choice between them in the link."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoints.checkpoint import CHECKPOINTS
from tests.app.conftest import FIRST, OpenPage
from tests.app.shown import head_picked, message
from viz.compute import models, translators
from viz.course.pages import page_links
from viz.pages.two_models.verdict import verdict

RECURRENT = ("en-fr-none", "en-fr-dot", "en-fr-local-p")
TAKE_RECURRENT = (
    "attention",
    "head",
    "layers",
    "decoder",
    "tokens",
    "about",
    "lab_pairs",
    "recurrent",
    "two_models",
)
NEED_A_TRANSFORMER = sorted(page_links() - set(TAKE_RECURRENT))

# What a link for the Transformer may ask for and no recurrent model has.
FAR = {"kind": "encoder", "layer": "6", "head": "8", "attention_layer": "6", "attention_head": "8"}


def said(page: AppTest) -> list[str]:
    return [one.value for kind in ("info", "warning", "error") for one in page.get(kind)]  # pyrefly: ignore[missing-attribute]


def component(page: AppTest, name: str) -> dict[str, Any]:
    (found,) = [c for c in page.get("bidi_component") if c.proto.component_name == name]
    return message(found)


@pytest.mark.parametrize("model", RECURRENT)
@pytest.mark.parametrize("link", TAKE_RECURRENT)
def test_pages_take_recurrent_models(open_page: OpenPage, link: str, model: str) -> None:
    page = open_page(link, model=model, sentence="My sister is here.", **FAR)
    assert not page.exception
    assert not any("needs a Transformer" in text for text in said(page))
    page = open_page(link, model=model, edits="zero.e.4.1_hide.2")
    assert not page.exception


@pytest.mark.parametrize("link", NEED_A_TRANSFORMER)
def test_other_pages_say_that_they_need_a_transformer(open_page: OpenPage, link: str) -> None:
    page = open_page(link, model="en-fr-dot", sentence="My sister is here.")
    assert not page.exception
    assert said(page) == ["This page needs a Transformer, and en-fr-dot is a recurrent model."]
    page.button("other model").click().run()
    assert not page.exception
    assert page.session_state["model"] == "en-fr"
    assert not any("needs a Transformer" in text for text in said(page))
    assert page.session_state["sentence"] == "My sister is here."


@pytest.mark.parametrize("model", ["en-fr", *RECURRENT])
def test_the_first_page_opens_with_every_model(open_page: OpenPage, model: str) -> None:
    page = open_page(FIRST, model=model)
    assert not page.exception
    assert page.get("bidi_component") or "no story" in said(page)[0]


@pytest.mark.parametrize(
    "name", ["../en-fr", "/etc/passwd", "checkpoints/en-fr-dot", "en-fr-none/..", "nothing", "](x)"]
)
def test_a_link_that_names_no_model_shows_the_default_and_says_so(
    open_page: OpenPage, name: str
) -> None:
    page = open_page("attention", model=name)
    assert not page.exception
    (sentence,) = [text for text in said(page) if "no model" in text]
    assert sentence.endswith("this is en-fr.")
    assert component(page, "attention_explorer")["checkpoint"].startswith("en-fr (")


def test_the_choice_changes_what_is_computed(open_page: OpenPage) -> None:
    page = open_page("attention", sentence="My sister is here.")
    assert set(component(page, "attention_explorer")["kinds"]) == {"encoder", "decoder", "cross"}
    page.selectbox("model").select("en-fr-dot").run()
    assert not page.exception
    sent = component(page, "attention_explorer")
    assert sent["checkpoint"].startswith("en-fr-dot (")
    assert list(sent["kinds"]) == ["cross"]
    assert (sent["kinds"]["cross"]["layers"], sent["kinds"]["cross"]["heads"]) == (1, 1)
    expected = translators.loaded("en-fr-dot").translate("My sister is here.").text
    assert sent["translation"] == expected


def test_a_layer_of_the_model_before_is_not_asked_of_the_next(open_page: OpenPage) -> None:
    page = open_page("head", one_head="all queries, exactly", kind="encoder", layer="6", head="8")
    page.selectbox("model").select("en-fr-dot").run()
    assert not page.exception
    assert head_picked(page) == {"kind": "cross", "layer": "1", "head": "1"}
    title = json.loads(page.get("plotly_chart")[0].proto.spec)["layout"]["title"]["text"]
    assert title == "cross 1.1"


def test_the_decoder_has_no_self_attention_without_a_transformer(open_page: OpenPage) -> None:
    page = open_page("decoder", model="en-fr-additive", strategy="beam", branches="30")
    assert not page.exception
    sent = component(page, "step_decoder")
    assert sent["sizes"] == {"self": [0, 0], "cross": [1, 1]}
    assert len(sent["tree"]["nodes"]) > 1
    none = component(open_page("decoder", model="en-fr-none"), "step_decoder")
    assert none["sizes"] == {"self": [0, 0], "cross": [0, 0]}


def test_changes_of_a_transformer_are_left_out_in_one_sentence(open_page: OpenPage) -> None:
    page = open_page("attention", edits="lift.d", model="en-fr-dot")
    assert not page.exception
    assert [text for text in said(page) if "left out" in text] == [
        "Changes to the model are left out: they are made for a Transformer, and this model is "
        "recurrent."
    ]


def test_two_models_stand_beside_each_other(open_page: OpenPage) -> None:
    page = open_page("two_models", sentence="My sister is here.", beside="en-fr-none")
    assert not page.exception
    first, second = component(page, "alignments")["panels"]
    assert first["title"].startswith("Transformer, cross ")
    assert (second["title"], second["weights"]) == ("Recurrent, fixed vector", None)
    for panel, name in ((first, "en-fr"), (second, "en-fr-none")):
        text = translators.loaded(name).translate("My sister is here.").text
        assert panel["translation"] == text


def test_the_head_of_the_second_model_leads_on_with_its_own_name(open_page: OpenPage) -> None:
    page = open_page(
        "two_models", model="en-fr-dot", beside="en-fr", sentence="I am hungry.", head_2="5.3"
    )
    found = page.get("bidi_component")
    links = [one for one in found if one.proto.component_name == "head_links"]
    (told,) = (json.loads(message(one)["told"]) for one in links)  # a recurrent model has none
    assert told["place"] == {"kind": "cross", "layer": 4, "head": 2}
    for offer in ("alike", "numbers"):
        assert told["offers"][offer]["says"]["model"] == "en-fr"
    assert not told["offers"]["off"]


def test_both_can_be_aligned_with_one_translation(open_page: OpenPage) -> None:
    page = open_page(
        "two_models", beside="en-fr-dot", aligned="shared", head_1="2.3", sentence="I am hungry."
    )
    first, second = component(page, "alignments")["panels"]
    assert first["title"] == "Transformer, cross 2.3"
    assert first["queries"] == second["queries"]
    weights = translators.loaded("en-fr").record("I am hungry.").attention("cross")[1, 2]
    assert np.allclose(first["weights"], weights, atol=1e-4)
    best, end = weights[:, :-1].max(axis=1).mean(), weights[:, -1].mean()
    assert first["measured"] == f"best piece {best:.0%} · </s> {end:.0%}" != second["measured"]
    assert first["bracketed"] == verdict(weights).column


def test_the_model_in_force_shows_the_head_that_was_chosen_elsewhere(open_page: OpenPage) -> None:
    chosen = {"kind": "cross", "layer": "3", "head": "5"}
    page = open_page("two_models", beside="en-fr-dot", sentence="I am hungry.", **chosen)
    titles = [panel["title"] for panel in component(page, "alignments")["panels"]]
    assert titles == ["Transformer, cross 3.5", "Recurrent, dot"]
    older = open_page("two_models", beside="en-fr-dot", sentence="I am hungry.", head_1="2.3")
    assert older.query_params["layer"] == "2"
    assert "head_1" not in older.query_params


def test_a_head_that_a_model_does_not_have_is_said(open_page: OpenPage) -> None:
    page = open_page("two_models", beside="en-fr-dot", head_1="9.9", sentence="I am hungry.")
    first, _second = component(page, "alignments")["panels"]
    assert first["note"] == "Its best aligned head, as measured."
    said = "This link asks for head 9.9, which this model does not have."
    assert [toast.value for toast in page.toast] == [said]
    assert not page.run().toast


def test_the_other_model_is_never_the_one_in_force(open_page: OpenPage) -> None:
    page = open_page("two_models", beside="en-fr-dot", model="en-fr")
    page.selectbox("model").select("en-fr-dot").run()
    assert not page.exception
    assert "Recurrent, dot" not in page.selectbox("beside").options
    assert page.selectbox("beside").value == "en-fr"
    titles = [panel["title"] for panel in component(page, "alignments")["panels"]]
    assert titles[0] == "Recurrent, dot"


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A model whose weights are cut short, named at start after the shipped one."""
    folder = Path(shutil.copytree(CHECKPOINTS / "en-fr-dot", tmp_path / "broken"))
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    monkeypatch.setenv(models.NAMED_AT_START, os.pathsep.join(("en-fr", str(folder))))
    return folder.name


@pytest.mark.parametrize("link", ["attention", "head", "tokens"])
def test_a_damaged_model_is_one_sentence(open_page: OpenPage, damaged: str, link: str) -> None:
    page = open_page(link, model=damaged)
    assert not page.exception
    (sentence,) = said(page)
    assert sentence.startswith("The model broken cannot be opened: model.safetensors")
    page.button("other model").click().run()
    assert page.session_state["model"] == "en-fr"
    assert not said(page)


def test_a_damaged_model_beside_another_is_one_sentence(open_page: OpenPage, damaged: str) -> None:
    page = open_page("two_models", beside=damaged)
    assert not page.exception
    assert [text.split(":")[0] for text in said(page)] == ["The model broken cannot be opened"]


def test_a_damaged_model_has_no_story(open_page: OpenPage, damaged: str) -> None:
    page = open_page(FIRST, model=damaged)
    assert not page.exception
    assert "cannot be opened" in said(page)[0]


@pytest.mark.parametrize("model", ["en-fr-none", "en-fr-dot"])
@pytest.mark.parametrize("link", ["attention", "head", "lab_masks"])
def test_a_lesson_opens_with_another_model(open_page: OpenPage, link: str, model: str) -> None:
    page = open_page(link, model=model, lesson="il_elle", scene="2")
    assert not page.exception
