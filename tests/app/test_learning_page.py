import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
from streamlit.testing.v1 import AppTest

from model.checkpoints.checkpoint import CHECKPOINTS
from model.learning.example import training_example
from model.learning.optimizers import Settings, walk
from model.recording.history import CUTS
from tests.app.conftest import OpenPage
from tests.app.shown import components, numbers
from tests.fixtures.history import PAIRS, with_history
from viz.compute import learning, runs
from viz.figures.labels import Number
from viz.pages.learning import optimizing
from viz.sharing.queue import HEAVY, MOST_WAITING

TOPICS = (
    *("one example", "teacher forcing", "steps", "rate", "optimizers", "dropout"),
    *("first weights", "scores", "a head being born"),
)


@pytest.fixture
def checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which the shipped checkpoint and a history can stand."""
    monkeypatch.setattr(runs.translator(), "folder", tmp_path / "copy")
    return tmp_path / "copy"


def html(page: AppTest) -> str:
    return "".join(one.proto.body for one in page.get("html"))


def figure(page: AppTest, place: int) -> dict[str, Any]:
    return json.loads(page.get("plotly_chart")[place].proto.spec)


def test_the_loss_on_screen_is_that_of_the_example(open_page: OpenPage) -> None:
    page = open_page(
        "learning",
        learning="one example",
        sentence="I am hungry.",
        reference="Je suis affamé.",
        eps="0.2",
    )
    assert not page.exception
    expected = training_example(
        runs.translator(),
        runs.translator().pair_ids("I am hungry.", "Je suis affamé."),
        0.2,
    )
    values = [metric.value for metric in page.metric]
    assert values[0] == f"{expected.loss:.3f}"
    assert values[1] == f"{expected.smoothing.floor:.3f}"
    for loss in expected.losses:
        assert f">{loss:.2f}<" in html(page)
    (model, target) = figure(page, 0)["data"]
    assert max(numbers(target["x"])) == pytest.approx(expected.smoothing.right)
    assert max(numbers(model["x"])) <= 1


@pytest.mark.parametrize("epsilon", [0.0, 0.2])
def test_the_loss_over_the_smoothing_is_the_trainers(open_page: OpenPage, epsilon: float) -> None:
    page = open_page("learning", learning="one example", sentence="I am hungry.", eps=str(epsilon))
    run = runs.run("I am hungry.")
    losses = numbers(figure(page, 1)["data"][1]["y"])
    for share, loss in ((0.0, losses[0]), (0.4, losses[-1])):
        example = training_example(
            runs.translator(),
            runs.translator().pair_ids(run.source.text, run.translation),
            share,
        )
        assert loss == pytest.approx(example.loss, abs=1e-4)


def test_one_row_after_the_other_is_computed_for_whoever_asks(open_page: OpenPage) -> None:
    learning.one_by_one.clear()
    page = open_page("learning", learning="one example", sentence="I am hungry.")
    assert learning.one_by_one.known("I am hungry.", None) is None
    assert not any("All rows at once" in text.value for text in page.markdown)
    page.session_state["both ways"] = True
    page.run()
    assert not page.exception
    both = learning.one_by_one("I am hungry.", None)
    apart = Number(abs(both.at_once - both.one_by_one).max())
    (text,) = (one.value for one in page.markdown if "All rows at once" in one.value)
    assert f"by more than {apart:.0e}" in text


def test_hiding_the_own_position_leaves_the_first_row_nothing(open_page: OpenPage) -> None:
    page = open_page("learning", learning="one example", sentence="I am hungry.")
    assert 'class="self"' in html(page)
    page.toggle(key="diagonal").set_value(True).run()
    assert not page.exception
    assert 'class="self"' not in html(page)
    assert "row 1 has nothing to look at" in page.info[0].value


def test_the_reference_goes_with_its_sentence(open_page: OpenPage) -> None:
    page = open_page(
        "learning", learning="one example", sentence="I am hungry.", reference="Je suis affamé."
    )
    assert page.text_input(key="reference").value == "Je suis affamé."
    page.text_input(key="sentence").set_value("Thank you.").run()
    assert not page.exception
    assert page.text_input(key="reference").value == ""


def test_a_strangers_reference_stays_text(open_page: OpenPage) -> None:
    for topic in TOPICS[:4]:
        page = open_page("learning", learning=topic, reference="<img src=x>", take="1")
        assert not page.exception
        assert "<img" not in html(page)
        assert not any(re.search(r"(?<!\\)<img", caption.value) for caption in page.caption)


def test_its_own_words_part_from_the_reference(open_page: OpenPage) -> None:
    page = open_page("learning", learning="teacher forcing", ratio="1.0")
    assert any("They never part" in text.value for text in page.markdown)
    page.slider(key="ratio").set_value(0.0).run()
    assert any("They part at row" in text.value for text in page.markdown)
    assert 'class="parts"' in html(page)


def test_steps_lower_the_loss_and_change_no_weight(open_page: OpenPage) -> None:
    model = runs.translator().model
    before = {name: value.clone() for name, value in model.state_dict().items()}
    page = open_page("learning", learning="steps", take="2")
    assert not page.exception
    losses = figure(page, 0)["data"][0]["y"]
    assert losses[0] > losses[1]
    assert all(bool((before[n] == value).all()) for n, value in model.state_dict().items())
    gradients = figure(page, 3)["data"]
    assert len(gradients) == 2
    moment = page.slider(key="moment")
    moment.set_value(0).run()
    assert not page.exception
    assert figure(page, 1)["data"][0]["z"] == figure(page, 2)["data"][0]["z"]


def test_reset_brings_back_the_first_choices(open_page: OpenPage) -> None:
    page = open_page("learning", learning="steps", take="1", eta="0.01")
    assert page.select_slider(key="eta").value == 0.01
    next(button for button in page.button if button.label == "Reset").click().run()
    assert not page.exception
    assert page.slider(key="take").value == 8
    assert page.select_slider(key="eta").value == 0.1


def test_who_comes_when_many_wait_is_told_so(open_page: OpenPage) -> None:
    HEAVY._tickets.extend(range(MOST_WAITING + 1))
    try:
        page = open_page("learning", learning="steps", take="2", eta="0.003")
        assert not page.exception
        assert "Try again in a minute" in page.warning[0].value
    finally:
        HEAVY._tickets.clear()


def test_a_new_draw_of_dropout_is_another_one(open_page: OpenPage) -> None:
    page = open_page("learning", learning="dropout")
    first = figure(page, 0)["data"][0]["z"]
    next(button for button in page.button if button.label == "Draw again").click().run()
    assert not page.exception
    assert figure(page, 0)["data"][0]["z"] != first


def test_the_schedule_of_the_run_is_that_of_its_log(open_page: OpenPage) -> None:
    card = runs.card()
    assert card is not None
    rates = [line["learning_rate"] for line in card.training_log if "learning_rate" in line]
    page = open_page("learning", learning="rate")
    np.testing.assert_allclose(figure(page, 0)["data"][1]["y"], rates)
    (answer,) = [each.value for each in page.markdown if "How big are the steps?" in each.value]
    assert re.findall(r"\*\*(\S+)\*\*", answer)[1] == f"{max(rates):.2e}"


def test_without_a_history_the_topic_says_so(open_page: OpenPage, checkpoint: Path) -> None:
    checkpoint.mkdir()
    page = open_page("learning", learning="a head being born")
    assert not page.exception
    assert "No history of its training" in page.info[0].value
    assert not any("in all heads at once" in one.value for one in page.markdown)


def test_a_damaged_history_gets_one_sentence(open_page: OpenPage, checkpoint: Path) -> None:
    checkpoint.mkdir()
    (checkpoint / "history.npz").write_bytes(b"PK nonsense")
    page = open_page("learning", learning="a head being born")
    assert not page.exception
    assert "damaged" in page.warning[0].value


def test_the_shipped_model_is_seen_from_noise_on(open_page: OpenPage) -> None:
    page = open_page("learning", learning="a head being born")
    assert not page.exception
    history = learning.history()
    assert history is not None
    right, cut = (history.cuts[:, CUTS.index(name)] for name in ("none", "link"))
    cause = next(moment for moment in range(len(right)) if right[moment] - cut[moment] >= 0.25)
    (finding,) = [one.value for one in page.markdown if "cutting the link costs" in one.value]
    assert finding.startswith("When does a head find the noun of “it”")
    assert f"At **step {history.steps[cause]:,}** cutting" in finding
    assert f"costs **{100 * (right[cause] - cut[cause]):.0f} points**" in finding
    measured = int(np.flatnonzero(~np.isnan(cut))[0])
    assert f"It was *trained* to need it from step {history.steps[measured]:,} on" in finding
    assert f"before, {cut[measured]:.0%} were right with it cut" in finding
    other = page.selectbox(key="known").set_value(history.sentences[2].source).run()
    assert any("From noise to a translation" in one.value for one in other.markdown)
    first, second, *more = history.runs
    assert (first, history.steps[0]) == (0, 0)
    assert history.dev_loss[0] > 9  # guessing evenly among 8,000 pieces costs ln 8,000 = 8.99
    last = f"as far as step {history.steps[second - 1]:,}"
    (said,) = [one.value for one in page.caption if "More than one run" in one.value]
    assert f"step {history.steps[second]:,}, a run goes on" in said
    assert last in said
    captions = [one.value for one in page.caption]
    assert len(more) == 6
    assert more.pop() == len(history.steps) - 1
    assert "At the last grey line stands the mean of several runs, which is shipped." in captions
    (further,) = [one for one in captions if "another run goes on" in one]
    for moment in more:
        assert f"{history.steps[moment]:,}" in further
    assert any("the picture has become a cause" in caption for caption in captions)


def test_a_history_is_sent_a_sentence_at_a_time(open_page: OpenPage, checkpoint: Path) -> None:
    with_history(checkpoint, 3, CHECKPOINTS / "en-fr")
    chosen = {"kind": "encoder", "layer": "2", "head": "3"}
    page = open_page("learning", learning="a head being born", sentence=PAIRS[1][0], **chosen)
    assert not page.exception
    (component,) = components(page)
    sent = component.proto.bytes
    header = json.loads(sent[4 : 4 + int.from_bytes(sent[:4], "little")])
    assert header["target"] == PAIRS[1][1]
    assert len(header["steps"]) == 3
    assert header["translations"][-1] == PAIRS[1][1]
    assert header["head"] == ["encoder", 1, 2]  # the one chosen on any page


def test_bleu_is_worked_out_against_what_is_typed(open_page: OpenPage) -> None:
    typed = "Le chat est la."
    page = open_page("learning", learning="scores", sentence="The cat is here.", reference=typed)
    assert not page.exception
    said = runs.translator().translate("The cat is here.").text
    scores = {one.label: one.value for one in page.metric}
    assert scores["BLEU"] == f"{sacrebleu.corpus_bleu([said], [[typed]]).score:.1f}"
    assert scores["chrF"] == f"{sacrebleu.corpus_chrf([said], [[typed]]).score:.1f}"


def test_typed_marks_stay_text_on_the_board(open_page: OpenPage) -> None:
    page = open_page("learning", learning="scores", reference="<img src=x> $$ *a*")
    assert not page.exception
    assert not any("<img" in one.proto.body for one in page.get("html"))


def test_adams_numbers_are_those_of_the_walk(open_page: OpenPage) -> None:
    page = open_page("learning", learning="optimizers", pace="0.3", weight="2")
    assert not page.exception
    table = page.dataframe[1].value
    found = walk("adam", optimizing.START, 12, 40, Settings(0.3))
    assert [float(text.replace("\u2212", "-")) for text in table["w"]] == pytest.approx(
        list(found.weights[:8, 1]), rel=1e-3
    )
    assert float(table["step"].tolist()[0].replace("\u2212", "-")) == pytest.approx(-0.3, rel=1e-3)
    drawn = figure(page, 0)["data"]
    assert [trace.get("name") for trace in drawn[1:6]][-1] == "Adam"


@pytest.mark.parametrize(("rate", "steep"), [(0.1, 50), (0.1, 12), (1.0, 1), (0.01, 3)])
def test_what_is_said_of_the_rules_follows_from_where_they_end(rate: float, steep: int) -> None:
    begun = 0.5 * (optimizing.START[0] ** 2 + steep * optimizing.START[1] ** 2)
    ends = optimizing.losses(steep, 40, Settings(rate))
    said, called = optimizing.finding(ends, rate, begun), optimizing.names()
    here = min(ends, key=lambda rule: ends[rule][rate])
    best = min(ends, key=lambda rule: min(ends[rule].values()))
    assert f"**{called[here]}** ends lowest" in said
    assert f"**{called[best]}**" in said
    loses = {rule for rule in ends if max(ends[rule].values()) > begun}
    if loses:
        lost, held = said.split("Run away")[1].split("At none")
        assert {rule for rule in ends if called[rule] in lost} == loses
        assert {rule for rule in ends if called[rule] in held} == set(ends) - loses
    else:
        assert "Run away" not in said


def test_dropped_attention_is_drawn_anew(open_page: OpenPage) -> None:
    page = open_page("learning", learning="dropout", dropped="attention weights", drop="0.5")
    first = figure(page, 0)["data"][0]["z"]
    next(button for button in page.button if button.label == "Draw again").click().run()
    assert not page.exception
    assert figure(page, 0)["data"][0]["z"] != first


def test_fresh_weights_keep_to_the_bound_of_their_shape(open_page: OpenPage) -> None:
    page = open_page("learning", learning="first weights", sentence="Thank you.", drawn="hidden")
    assert not page.exception
    beta = 0.87 * 6 ** (-5 / 16)  # DeepNet's, of 6 and 6 layers
    bound = beta * (6 / (256 + 1024)) ** 0.5
    said = " ".join(each.value for each in (*page.markdown, *page.latex))
    assert f"= {bound:.4f}" in said
    trained = runs.translator().model.get_parameter("encoder.layers.0.ffn.hidden.weight")
    assert f"it is {float(trained.std()):.4f}" in said
    found = learning.first_weights(
        "Thank you.", "this project's", "encoder.layers.0.ffn.hidden.weight", (0.25, 1.0, 4.0)
    )
    assert 0.99 * bound < np.abs(found.matrix).max() <= bound * 1.000001
    lines = figure(page, 1)["data"]
    assert lines[0]["y"] == pytest.approx(found.sizes[0.25].added)
    assert lines[5]["y"] == pytest.approx(found.sizes[4.0].stream[1:])
    plain = page.button_group(key="drawn by").set_value("Xavier's").run()
    assert f"= {bound / beta:.4f}" in " ".join(each.value for each in plain.latex)


def test_heads_that_begin_alike_are_said_to_stay_alike(open_page: OpenPage) -> None:
    page = open_page("learning", learning="equal heads", sentence="I am hungry.")
    assert not page.exception
    found = learning.equal_heads("I am hungry.", (0.0, 0.1, None))
    assert found[0.0].likeness[-1] == pytest.approx(1, abs=1e-6)
    assert abs(found[None].likeness).max() < 0.2
    said = " ".join(one.value for one in page.markdown)
    assert "alike to **1.000**" in said
    assert f"from the random start to {found[None].losses[-1]:.2f}" in said
