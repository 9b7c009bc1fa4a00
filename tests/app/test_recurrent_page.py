"""The page "Before Transformers" on the shipped recurrent checkpoints."""

import json
import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoints.card import load_card
from model.recurrent.config import ATTENDING, FIXED, Attending
from tests.app.conftest import OpenPage
from tests.app.shown import numbers
from viz.compute import ancestors, models
from viz.figures.weights import softmax
from viz.pages.recurrent import compare_panel, lookup_panel, memory_panel

VIEWS = (
    "all models",
    "one step",
    "the bottleneck",
    "soft or hard",
    "global or local",
    "lookup",
    "why it was replaced",
    "what is kept",
)


HUNGRY = "I am hungry."


def kind_called(name: str) -> Attending:
    kinds: dict[str, Attending] = {str(kind): kind for kind in ATTENDING}
    return kinds[name]


def texts(page: AppTest) -> list[str]:
    return [one.value for one in (*page.caption, *page.markdown, *page.text)]


def component(page: AppTest) -> dict[str, Any]:
    """The data of the alignment panels."""
    sent = [json.loads(one.proto.json) for one in page.get("bidi_component") if one.proto.json]
    return next(data for data in sent if "panels" in data)


def contrast(page: AppTest) -> dict[str, Any]:
    """The data of the three models that are shown first."""
    sent = [json.loads(one.proto.json) for one in page.get("bidi_component") if one.proto.json]
    return next(data for data in sent if "ways" in data)


def ways(page: AppTest) -> list[dict[str, Any]]:
    """The ways of the three models that are shown first."""
    return contrast(page)["ways"]


def test_all_models_translate_and_look_at_the_same_source(open_page: OpenPage) -> None:
    data = component(open_page("recurrent", sentence="My sister is here.", models="all"))
    titles = [panel["title"] for panel in data["panels"]]
    assert "Recurrent, fixed vector" in titles
    assert any(title.startswith("Transformer, cross ") for title in titles)
    for panel in data["panels"]:
        assert panel["translation"]
        if panel["weights"] is None:
            assert panel["title"].startswith("Recurrent, fixed vector")
        else:
            assert len(panel["weights"]) == len(panel["queries"])
            assert len(panel["weights"][0]) == len(panel["keys"])


def test_three_models_are_shown_by_their_ways_first(open_page: OpenPage) -> None:
    page = open_page("recurrent", sentence="My sister is here.")
    fixed, looking, transformer = ways(page)
    assert fixed["vector"].startswith("data:image/png")
    assert not fixed["lines"]
    for way in (looking, transformer):
        assert way["vector"] is None
        for row, column, weight in way["lines"]:
            assert 0.05 <= weight <= 1
            assert row < len(way["written"])
            assert column < len(way["read"])
    assert "no fair race" in transformer["trained"]
    assert not any(new for _text, new in transformer["written"])
    assert all(way["read"][end] == "</s>" for way in (looking, transformer) for end in way["ends"])
    assert all(len(way["ends"]) == 1 for way in (looking, transformer))
    scores = fixed["score"], looking["score"]
    assert f"BLEU {scores[0]}. Looking at every word: {scores[1]}." in " ".join(texts(page))
    share = ancestors.looked("additive", "My sister is here.").recording.attention("cross")
    assert f"{share[0, 0, :, -1].mean():.0%} of the weight is on </s>" in looking["said"]
    assert {"keys", "queries"} <= set(re.findall(r"\w+", contrast(page)["marks"]))


def test_the_page_opens_with_what_was_measured_and_no_word_of_one_sentence(
    open_page: OpenPage,
) -> None:
    page = open_page("recurrent")
    fixed, looking, _transformer = ways(page)
    (said,) = [text for text in texts(page) if text.startswith("Through one vector")]
    assert f"BLEU {fixed['score']}. Looking at every word: {looking['score']}." in said


def test_a_small_transformer_stands_beside_them_with_its_steps_and_score(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare_panel, "YOUNG", "sinusoid")
    card = load_card(models.folder_of("en-fr-sinusoid"))
    steps, score = f"{card.steps_in_all:,} steps", f"{card.bleu('test'):.1f}"
    page = open_page("recurrent")
    assert ways(page)[-1]["trained"].endswith(f"a small one after {steps}: BLEU {score}")
    rows = {row.iloc[0]: row.iloc[1] for _at, row in page.dataframe[0].value.iterrows()}
    assert rows[f"Transformer, {steps}"] == score
    card = load_card(models.folder_of("en-fr-additive-scores"))
    scored = f"Transformer with additive scores, {card.steps_in_all:,} steps"
    assert rows[scored] == f"{card.bleu('test'):.1f}"
    width = card.settings["config"]["d_model"]
    assert any(f"vectors have {width} numbers" in text for text in texts(page))


def test_the_transformers_translation_can_be_aligned_by_all(open_page: OpenPage) -> None:
    page = open_page("recurrent", sentence="My sister is here.", aligned="shared", models="all")
    queries = {tuple(panel["queries"]) for panel in component(page)["panels"]}
    assert len(queries) == 1


@pytest.mark.parametrize("score", ["dot", "general", "additive", "local-p"])
def test_a_step_is_recomputed_to_the_models_numbers(open_page: OpenPage, score: str) -> None:
    page = open_page("recurrent", ancestors="one step", score=score)
    assert not page.exception
    (badge,) = [text for text in texts(page) if "Recomputed from these numbers" in text]
    assert float(badge.split("within ")[1].split()[0].replace("\u2212", "-")) < 1e-4


def test_swapping_the_function_gives_other_weights_on_the_same_states(open_page: OpenPage) -> None:
    page = open_page("recurrent", ancestors="one step", swap="true")
    spec = json.loads(page.get("plotly_chart")[1].proto.spec)
    names = [trace["name"] for trace in spec["data"]]
    assert names == ["additive", "dot", "general"]
    assert spec["data"][0]["y"] != spec["data"][1]["y"]


@pytest.mark.parametrize("score", ["dot", "local-p"])
def test_a_step_shows_every_state_with_its_score_and_weight(
    open_page: OpenPage, score: str
) -> None:
    recording = ancestors.looked(kind_called(score), "I am hungry.").recording
    middle = len(recording.target_tokens) // 2
    asked = {"score": score, "sentence": "I am hungry.", "step": str(middle + 1)}
    page = open_page("recurrent", "keys", ancestors="one step", **asked)
    spec = json.loads(page.get("plotly_chart")[-1].proto.spec)
    (states,) = spec["data"]
    scores = recording["decoder.0.cross_attn.scores"][0, middle]
    weights = recording.attention("cross")[0, 0, middle]
    named = [name.replace("\u2212", "-").split(": ")[1] for name in reversed(states["y"])]
    assert named == [f"score {e:.2f}, weight {a:.2f}" for e, a in zip(scores, weights, strict=True)]
    assert np.allclose(numbers(states["z"])[::-1], recording["encoder.memory"], atol=1e-6)


def test_an_lstm_shows_its_own_gates_over_time(open_page: OpenPage) -> None:
    page = open_page(
        "recurrent", ancestors="what is kept", kept="lstm", part="backward", sentence=HUNGRY
    )
    spec = json.loads(page.get("plotly_chart")[0].proto.spec)
    recording = ancestors.looked("lstm", HUNGRY).recording
    half = recording["encoder.memory"].shape[1] // 2
    for trace, gate in zip(spec["data"], ("forget_gate", "input_gate", "output_gate"), strict=True):
        wanted = recording[f"encoder.{gate}"][:, half:]
        order = np.argsort(wanted.mean(axis=0))
        assert np.allclose(numbers(trace["z"]), wanted[:, order].T, atol=1e-6)
    kept = 100 * float(recording["encoder.forget_gate"][:, half:].mean())
    assert any(f"A step keeps {kept:.0f}% of the cell" in text for text in texts(page))


def test_what_is_kept_backward_begins_at_the_last_piece() -> None:
    keeps = np.array([[1.0, 0.5], [1.0, 1.0], [0.01, 1.0]])  # n R
    assert "**2 of 2**" in memory_panel.finding(keeps, backward=True)
    assert "**1 of 2**" in memory_panel.finding(keeps, backward=False)


def test_the_fixed_vector_is_read_at_the_start_or_at_each_step(open_page: OpenPage) -> None:
    for kind in FIXED:
        page = open_page("recurrent", ancestors="the bottleneck", fixed=kind, sentence=HUNGRY)
        spec = json.loads(page.get("plotly_chart")[1].proto.spec)
        vector = ancestors.fixed_vector(HUNGRY, kind)
        assert np.allclose(numbers(spec["data"][0]["z"])[0], vector, atol=1e-6)
        written = ancestors.looked(kind, HUNGRY).translation.text
        assert any(text.endswith(written) for text in texts(page))


def test_a_hard_choice_takes_one_position(open_page: OpenPage) -> None:
    soft, largest, drawn = component(open_page("recurrent", ancestors="soft or hard"))["panels"]
    assert max(max(row) for row in soft["weights"]) < 1
    for panel in (largest, drawn):
        assert all(sorted(row)[-2:] == [0, 1] for row in panel["weights"])


def test_the_power_of_the_lookup_has_a_minus_sign(open_page: OpenPage) -> None:
    page = open_page("recurrent", ancestors="lookup", power="-1")
    slider = page.select_slider(key="power")
    assert slider.value == -1
    assert slider.options[0] == "\u22122.0"


def test_the_lookup_gives_the_share_as_trained_once() -> None:
    scores = np.log([0.7, 0.2, 0.1])
    assert re.findall(r"\d+%", lookup_panel.finding(scores, softmax(scores))) == ["70%", "33%"]
    sharper = lookup_panel.finding(scores, softmax(2 * scores))
    assert re.findall(r"\d+%", sharper) == ["91%", "70%", "33%"]


def test_a_narrow_window_leaves_fewer_pieces(open_page: OpenPage) -> None:
    trained, narrow = component(
        open_page("recurrent", ancestors="global or local", window="1", centre="monotonic")
    )["panels"]
    assert max(sum(w > 0 for w in row) for row in narrow["weights"]) <= 3
    assert max(sum(w > 0 for w in row) for row in trained["weights"]) > 3


def test_the_measured_curves_name_the_command(open_page: OpenPage) -> None:
    page = open_page("recurrent", ancestors="the bottleneck")
    assert any("python -m model.training.lengths" in text for text in texts(page))
    spec = json.loads(page.get("plotly_chart")[0].proto.spec)
    assert {"Transformer", "fixed vector", "additive"} <= {t["name"] for t in spec["data"]}


def test_recurrence_waits_for_the_pieces_of_the_models_that_this_page_is_about(
    open_page: OpenPage,
) -> None:
    loud = "PLEASE DO NOT FEED THE BIRDS."
    pieces = ancestors.looked("additive", loud).recording.source_tokens
    page = open_page("recurrent", ancestors="why it was replaced", sentence=loud)
    assert any(f"takes **{len(pieces)} steps**" in text for text in texts(page))


def test_both_encoders_are_timed_on_request(open_page: OpenPage) -> None:
    page = open_page("recurrent", ancestors="why it was replaced", timed="true")
    spec = json.loads(page.get("plotly_chart")[0].proto.spec)
    assert [len(trace["x"]) for trace in spec["data"]] == [6, 6]


def test_nonsense_in_the_link_opens_the_first_view(open_page: OpenPage) -> None:
    page = open_page("recurrent", ancestors="x", step="99", score="y", words="-1")
    assert not page.exception
    assert ways(page)
