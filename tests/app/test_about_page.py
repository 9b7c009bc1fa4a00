from html import escape

from model.checkpoints.card import load_card
from model.checkpoints.checkpoint import CHECKPOINTS
from tests.app.conftest import OpenPage


def test_page_shows_the_figures_of_the_card(open_page: OpenPage) -> None:
    page = open_page("about")
    card = load_card(CHECKPOINTS / "en-fr")
    assert not page.exception
    values = [metric.value for metric in page.metric]
    assert f"{card.parameters / 1e6:.1f} M" in values
    assert str(card.bleu("test")) in values
    shown = " ".join(one.proto.body for one in page.get("html"))
    for row in (*card.samples, *card.weak_spots):
        assert escape(row["fr"]) in shown


def test_page_draws_the_training_and_the_heads(open_page: OpenPage) -> None:
    assert len(open_page("about", about="heads").get("plotly_chart")) == 1
    assert len(open_page("about", about="training").get("plotly_chart")) == 1


def test_page_says_which_goal_no_head_reaches(open_page: OpenPage) -> None:
    report = load_card(CHECKPOINTS / "en-fr").heads
    assert report is not None
    missed = [goal for goal in report["goals"] if not goal["reached"]]
    warnings = [one.value for one in open_page("about", about="heads").warning]
    assert len(warnings) == len(missed)
    for goal, warning in zip(missed, warnings, strict=True):
        assert f"{goal['kind']} {goal['layer']}.{goal['head']}" in warning
        assert f"{goal['value']:.2f}" in warning
