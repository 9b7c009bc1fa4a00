import json
from dataclasses import replace
from html import escape

import numpy as np
import pytest

from model.checkpoints.card import load_card
from model.checkpoints.checkpoint import CHECKPOINTS
from model.measures.atlas.atlas import load_atlas
from model.measures.atlas.roles import ROLES
from model.recording.history import load_history
from model.training.goals import Goal
from tests.app.conftest import OpenPage
from tests.app.shown import numbers, views
from viz.compute import runs
from viz.compute.smaller import smaller
from viz.pages.about.panels import SECOND_SET


def test_page_shows_the_figures_of_the_card(open_page: OpenPage) -> None:
    page = open_page("about")
    card = load_card(CHECKPOINTS / "en-fr")
    assert not page.exception
    size = f"**{card.parameters / 1e6:.1f} million numbers, 144 heads**"
    (whole,) = [one.value for one in page.markdown if "How large is this model" in one.value]
    assert size in whole
    assert f"get **{card.bleu('test')}** of 100" in whole
    values = [metric.value for metric in page.metric]
    assert f"{card.parameters / 1e6:.1f} M" in values
    assert str(card.bleu("test")) in values
    shown = " ".join(one.proto.body for one in page.get("html"))
    for row in (*card.samples, *card.weak_spots):
        assert escape(row["fr"]) in shown


def test_page_draws_the_training_and_the_heads(open_page: OpenPage) -> None:
    assert len(open_page("about", about="heads").get("plotly_chart")) == 1
    assert len(open_page("about", about="training").get("plotly_chart")) == 1


@pytest.mark.parametrize("model", ["en-fr", "zh-en"])
def test_the_layers_that_align_are_named(open_page: OpenPage, model: str) -> None:
    index = load_atlas(CHECKPOINTS / model)
    page = open_page("about", about="heads", model=model)
    (text,) = [one.value for one in page.markdown if "cross-attention aligns?" in one.value]
    assert f"Over the {len(index):,} sentences of the atlas" in text
    for role in ("aligned_given", "aligned_predicted"):
        weights = index.scores("cross")[ROLES["cross"].index(role)]
        layer = weights.mean(1).argmax()
        assert f"layer {layer + 1} " in text
        assert f"{weights.mean(1)[layer]:.2f}" in text
        layer, head = np.argwhere(weights == weights.max())[0] + 1
        assert f"cross {layer}.{head}" in text


def test_the_best_heads_lead_to_where_else_they_look_like_this(open_page: OpenPage) -> None:
    (table,) = (frame.value for frame in open_page("about", about="heads").dataframe)
    links = table["Where else?"].tolist()
    assert len(links) > 5
    for place, link in zip(zip(table["layer"], table["head"], strict=True), links, strict=True):
        assert f"layer={place[0]}&head={place[1]}" in link
        assert link.startswith("atlas?sentence=")


def test_the_steps_are_those_at_which_its_history_ends(open_page: OpenPage) -> None:
    folder = CHECKPOINTS / "en-fr"
    card, last = load_card(folder), load_history(folder).steps[-1]
    assert card.steps_in_all == last
    page = open_page("about", about="training")
    metrics = {metric.label: metric.value for metric in page.metric}
    assert metrics["Training steps"] == f"{last:,}"
    (chart,) = page.get("plotly_chart")
    losses, dev, rates = json.loads(chart.proto.spec)["data"]
    assert [numbers(drawn["x"])[-1] for drawn in (losses, dev, rates)] == [last] * 3
    logged = [line["dev_loss"] for line in card.training_log if "dev_loss" in line]
    assert numbers(dev["y"])[-1] == logged[-1]
    # The shipped weights are a mean: their loss is a little lower than that of the last step.
    assert card.dev_loss == pytest.approx(logged[-1], abs=0.03)
    page = open_page("learning", learning="a head being born")
    assert any(f"{card.dev_loss:.3f} in the end" in one.value for one in page.caption)


def test_page_says_which_goal_no_head_reaches(open_page: OpenPage) -> None:
    report = load_card(CHECKPOINTS / "en-fr").heads
    assert report is not None
    missed = [goal for goal in report["goals"] if not goal["reached"]]
    warnings = [one.value for one in open_page("about", about="heads").warning]
    assert len(warnings) == len(missed)
    for goal, warning in zip(missed, warnings, strict=True):
        assert f"{goal['kind']} {goal['layer']}.{goal['head']}" in warning
        assert f"{goal['value']:.2f}" in warning


def test_goals_stand_beside_what_was_measured(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    goals = [
        Goal("BLEU, greedy: test", 50.0, 50.25),
        Goal("mean weight on </s> and punctuation", 0.35, 0.5, "at most", "all layers"),
    ]
    begun = {"name": "older", "steps": 9000}
    card = load_card(CHECKPOINTS / "en-fr")
    mean = [
        {"name": name, "steps": 9000, "encoder": x, "decoder": 1 - x, "embeddings": x}
        for name, x in (("older", 0.25), ("newer", 0.75))
    ]
    card = replace(card, start=begun, mean=mean, goals=[goal.to_dict() for goal in goals])
    monkeypatch.setattr(runs, "card", lambda: card)
    page = open_page("about", about="goals")
    assert not page.exception
    assert any("1 of 2 goals is missed" in one.value for one in page.markdown)
    table = page.dataframe[0].value
    assert list(table["goal"]) == ["at most 0.35", "at least 50"]  # what is missed comes first
    assert list(table["reached"]) == ["✗", "✓"]
    assert list(table["value"]) == ["0.50", "50.25"]
    captions = [one.value for one in open_page("about", about="training").caption]
    assert (
        "It went on from the weights of an earlier older, which had made 9,000 steps." in captions
    )


def test_pronouns_in_sentences_of_other_kinds_are_told_with_the_others(
    open_page: OpenPage,
) -> None:
    second = open_page("about", about="pronouns").dataframe[-1].value
    goals = {goal["what"]: goal["figure"] for goal in load_card(CHECKPOINTS / "en-fr").goals}
    (what,) = (one for one in goals if one.startswith(SECOND_SET))
    assert list(second["what"]) == [what]
    assert list(second["value"]) == [f"{goals[what]:.2f}"]


def test_what_else_was_taught_is_told_where_attention_is_shown(open_page: OpenPage) -> None:
    for page in (
        open_page("about", about="training", model="zh-en"),
        open_page("attention", model="zh-en"),
    ):
        assert any("falling silent" in one.value for one in page.markdown)


def test_what_smaller_models_lose_is_drawn_from_its_file(open_page: OpenPage) -> None:
    page = open_page("about", about="made smaller")
    assert not page.exception
    found = smaller()
    assert found is not None
    table = page.dataframe[0].value
    assert [float(text) for text in table["BLEU"]] == [round(row.bleu, 1) for row in found.rows]
    drawn = json.loads(page.get("plotly_chart")[0].proto.spec)["data"]
    assert {trace["name"] for trace in drawn} == {"fewer bits a weight", "smallest weights gone"}
    assert any(found.command in one.value for one in page.caption)


def test_a_model_that_was_not_made_smaller_has_no_such_view(open_page: OpenPage) -> None:
    page = open_page("about", about="made smaller", model="en-fr-dot")
    assert not page.exception
    assert "Made smaller" not in views(page)
