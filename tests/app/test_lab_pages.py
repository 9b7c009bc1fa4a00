"""The laboratory's pages without a browser, on the shipped checkpoint."""

import json
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.interventions.base import Intervention
from model.interventions.blocks import LeaveOutNorm, LeaveOutReLU, ZeroUnit
from model.interventions.heads import AblateHead
from model.interventions.masks import HideSource, LiftMask, PadSource, Window
from model.interventions.positions import ShiftPositions
from model.interventions.scale import ClampScores, ScaleScores, Unscale
from model.interventions.sharing import TieQueries
from tests.app.conftest import OpenPage
from tests.app.shown import components, head_boards, head_picked, message
from tests.sentences import EXAMPLES, FIRST_SENTENCE
from viz.compute import cheating, effects, runs
from viz.figures.labels import Number
from viz.pages.lab_blocks import blocks
from viz.pages.lab_heads import heads

LAB = ("lab_masks", "lab_heads", "lab_blocks", "lab_scale", "lab_pairs")
WIDE = EXAMPLES["too wide"]


def texts(page: AppTest) -> str:
    return "\n".join(element.value for element in (*page.markdown, *page.caption))


def chips(page: AppTest) -> list[str]:
    return [button.label for button in page.button if (button.key or "").startswith("chip ")]


def popovers(page: AppTest) -> list[str]:
    return [one.proto.popover.label for one in page.get("popover")]


def figure(page: AppTest, place: int) -> dict[str, Any]:
    return json.loads(page.get("plotly_chart")[place].proto.spec)


def link(page: AppTest) -> str:
    """What the link says of the edits; AppTest hands back a list once the page has written it."""
    value = page.query_params["edits"]
    return value if isinstance(value, str) else value[0]


def edits(page: AppTest) -> set[object]:
    return set(page.session_state["edits"])


@pytest.mark.parametrize("name", LAB)
def test_opens_with_nothing_changed(open_page: OpenPage, name: str) -> None:
    page = open_page(name)
    assert not page.exception
    assert not chips(page)
    assert "edits" not in page.query_params


@pytest.mark.parametrize("name", ["lab_masks", "lab_pairs", "head", "attention"])
def test_every_page_shows_what_is_changed_with_a_way_back(open_page: OpenPage, name: str) -> None:
    page = open_page(name, edits="lift.d_zero.e.1.2")
    assert not page.exception
    assert len(chips(page)) == 2
    assert link(page) == "lift.d_zero.e.1.2"
    page.button(key="chip lift.d").click().run()
    assert edits(page) == {AblateHead("encoder", 0, 1)}
    page.button(key="reset edits").click().run()
    assert not chips(page)
    assert "edits" not in page.query_params


def test_nonsense_in_a_link_is_told_in_one_notice_and_the_rest_works(open_page: OpenPage) -> None:
    page = open_page("lab_heads", edits="zero.e.1.2_zero.q.1_<b>_lift.d")
    (notice,) = page.warning
    assert "`zero.q.1`" in notice.value
    assert "`?b?`" in notice.value
    assert edits(page) == {AblateHead("encoder", 0, 1), LiftMask("decoder")}


def test_what_this_model_has_not_is_left_out_and_told(open_page: OpenPage) -> None:
    page = open_page("lab_heads", edits="zero.e.31.1_hide.90-90_lift.d")
    assert not page.exception
    assert len(chips(page)) == 1
    (notice,) = page.warning
    assert notice.value.startswith("Left out")


def test_changes_that_belong_together_are_one_chip_and_undone_alone_or_at_once(
    open_page: OpenPage,
) -> None:
    page = open_page("lab_masks", edits="hide.1-1_hide.2-2_zero.e.6.1-8_lift.c_lift.e")
    assert {"“The” “animal” masked out", "padding mask lifted"} <= set(popovers(page))
    assert "all heads of encoder layer 6\\: off (zero output) ✕" in chips(page)
    page.button(key="chip hide.2-2").click().run()
    assert HideSource(1, 1) not in edits(page)
    assert HideSource(0, 0) in edits(page)
    page.button(key="undo lift.c").click().run()
    assert not any(isinstance(one, LiftMask) for one in edits(page))
    words = len(page.pills(key="words out").options)
    page.pills(key="words out").set_value(list(range(words))).run()
    assert "all words masked out" in popovers(page)


def test_older_changes_stand_behind_a_number(open_page: OpenPage) -> None:
    page = open_page("lab_heads", edits="zero.e.6.4_lift.d_times.c.2.0_skip.e.1_pad.30")
    assert "+2" in popovers(page)
    assert len(chips(page)) == 5
    page.button(key="chip pad.30").click().run()
    assert "+1" in popovers(page)


def test_what_off_means_holds_for_what_is_off_already(open_page: OpenPage) -> None:
    page = open_page("lab_heads", edits="zero.e.6.4")
    page.button_group(key="off").set_value("uniform").run()
    assert edits(page) == {AblateHead("encoder", 5, 3, "uniform")}
    page.switch_page("../pages/lab_scale/page.py").run()
    assert [board["off"][5][3] for board in head_boards(page)["boards"]] == ["=", "", ""]


def test_an_edit_survives_another_sentence_and_another_page(open_page: OpenPage) -> None:
    page = open_page("lab_heads", edits="zero.e.1.2")
    page.text_input(key="sentence").set_value("It rains.").run()
    page.switch_page("../pages/lab_scale/page.py").run()
    assert edits(page) == {AblateHead("encoder", 0, 1)}
    assert link(page) == "zero.e.1.2"


def test_what_names_places_in_a_sentence_goes_with_it_and_that_is_told(
    open_page: OpenPage,
) -> None:
    page = open_page("lab_masks", edits="hide.2-2_block.c.1.1.2-1_lift.d")
    assert len(edits(page)) == 3
    assert not page.info
    page.text_input(key="sentence").set_value(WIDE).run()
    assert edits(page) == {LiftMask("decoder")}
    assert link(page) == "lift.d"
    assert len(page.info) == 1
    page.pills(key="words out").set_value([0]).run()
    assert edits(page) == {LiftMask("decoder"), HideSource(0, 0)}
    assert not page.info


def test_masks_are_lifted_words_hidden_and_the_sentence_padded(open_page: OpenPage) -> None:
    page = open_page("lab_masks")
    pieces = page.slider(key="pad to").min
    page.button_group(key="mask ahead").set_value("lifted").run()
    assert edits(page) == {LiftMask("decoder")}
    assert "other words come out" not in texts(page)
    page.button_group(key="mask ahead").set_value("trained").run()
    page.slider(key="pad to").set_value(pieces + 6).run()
    assert edits(page) == {PadSource(pieces + 6)}
    assert "nothing changes" in texts(page)
    page.toggle(key="mask padding").set_value(False).run()
    assert edits(page) == {PadSource(pieces + 6), LiftMask("encoder"), LiftMask("cross")}
    assert "goes to padding" in texts(page)
    page.button(key="reset edits").click().run()
    page.pills(key="words out").set_value([1]).run()
    assert edits(page) == {HideSource(1, 1)}
    assert not page.exception


def test_what_the_decoder_gains_by_cheating_counts_every_change(open_page: OpenPage) -> None:
    edits: tuple[Intervention, ...] = (LiftMask("decoder"), Unscale("cross"))
    page = open_page("lab_masks", edits="lift.d_raw.c")
    likely = effects.effect(FIRST_SENTENCE, edits).likely_after
    assert f"to {Number(np.log(likely).sum()):.2f}, with all" in texts(page)


def test_hiding_all_words_leaves_the_end_token_to_look_at(open_page: OpenPage) -> None:
    page = open_page("lab_masks", sentence="Thinking machines")
    words = page.pills(key="words out").options
    page.pills(key="words out").set_value(list(range(len(words)))).run()
    assert not page.exception
    assert not page.error
    assert len(edits(page)) == len(words)


def test_importance_colours_the_board_and_the_least_important_go(open_page: OpenPage) -> None:
    page = open_page("lab_heads", sentence="Thinking machines")
    assert not page.exception
    board = message(next(c for c in components(page) if c.proto.component_name == "head_board"))
    assert board["legend"] == "change of log-probability, nats"
    assert board["most"] > 0
    falls = effects.importance("Thinking machines", "zero").falls
    kind = max(falls, key=lambda one: np.abs(falls[one]).max())
    layer, head = np.unravel_index(np.abs(falls[kind]).argmax(), falls[kind].shape)
    assert board["words"]["largest"] == f"largest: {kind} {layer + 1}.{head + 1}"
    assert all(one["picture"].startswith("data:image/png") for one in board["boards"])
    page.slider(key="least").set_value(10).run()
    assert len(edits(page)) == 10
    assert page.slider(key="least").value == 10
    page.button(key="reset edits").click().run()
    assert page.slider(key="least").value == 0
    assert not page.exception


def outcome(page: AppTest) -> dict[str, Any]:
    found = next(c for c in components(page) if c.proto.component_name == "lab_outcome")
    return message(found)


def test_a_translation_of_spaces_is_not_said_to_have_ended_at_once(open_page: OpenPage) -> None:
    off = blocks.every("ffn", runs.translator().config)
    written = effects.effect(FIRST_SENTENCE, off).after.translation
    assert written.ids
    assert not written.text  # its pieces are spaces
    page = open_page("lab_blocks")
    page.button(key="experiment 3").click().run()
    told = f"(no words): {len(written.ids)} blank pieces, one by one"
    assert outcome(page)["lines"][1] == [["", told, False]]  # it is no word, and not new


def test_the_worst_single_head_is_found_by_measuring_and_a_press_takes_it_back(
    open_page: OpenPage,
) -> None:
    page = open_page("lab_heads")
    falls = effects.importance(FIRST_SENTENCE, "zero").falls
    kind = max(falls, key=lambda one: falls[one].max())
    layer, head = np.unravel_index(falls[kind].argmax(), falls[kind].shape)
    foreseen = outcome(page)
    assert foreseen["said"].startswith("If you press “Without looking at English”: ")
    without = heads.every("cross", runs.translator().config, "zero")
    then = effects.effect(FIRST_SENTENCE, without).after.translation.text
    assert "".join(gap + word for gap, word, _changed in foreseen["lines"][1]) == then
    assert not edits(page)
    page.button(key="experiment 0").click().run()
    assert edits(page) == {AblateHead(kind, int(layer), int(head))}
    told = outcome(page)
    effect = effects.effect(FIRST_SENTENCE, (AblateHead(kind, int(layer), int(head)),))
    own, rival, others = told["bars"][:3]
    assert (own["text"], rival["text"], others["rest"]) == ("il", "elle", True)
    place = effect.pieces.index("il")
    assert own["after"] == pytest.approx(effect.likely_after[place], abs=1e-4)
    assert sum(bar["after"] for bar in (own, rival, others)) == pytest.approx(1)
    page.button(key="experiment 0").click().run()
    assert not edits(page)


@pytest.mark.parametrize("name", ["lab_masks", "lab_heads", "lab_blocks", "lab_scale"])
def test_every_experiment_runs(open_page: OpenPage, name: str) -> None:
    page = open_page(name, sentence="Thank you.")
    offered = [one.key for one in page.button if (one.key or "").startswith("experiment ")]
    assert 3 <= len(offered) <= 5
    for key in offered:
        assert key
        if page.button(key=key).disabled:
            continue  # no part of this sentence's is better left out
        page.button(key=key).click().run()
        assert not page.exception
        assert outcome(page)["changed"]


def test_blocks_are_left_out_with_chips_and_a_way_back(open_page: OpenPage) -> None:
    page = open_page(
        "lab_blocks", edits="skip.e.3_res.d.2.cross_unit.e.1.17", sentence="Thank you."
    )
    assert not page.exception
    assert chips(page) == [
        "encoder layer 3 skipped ✕",
        "decoder layer 2\\: no residual around cross-attention ✕",
        "encoder layer 1\\: unit 17 set to 0 ✕",
    ]
    page.button(key="chip skip.e.3").click().run()
    assert link(page) == "res.d.2.cross_unit.e.1.17"
    page.number_input(key="unit number").set_value(1024).run()
    page.button[[button.label for button in page.button].index("Set to 0")].click().run()
    assert ZeroUnit("encoder", 0, 1023) in edits(page)
    assert not page.exception


def test_every_part_of_the_blocks_is_measured_alone(open_page: OpenPage) -> None:
    page = open_page("lab_blocks", sentence="Thank you.")
    assert not page.exception
    found = next(c for c in components(page) if c.proto.component_name == "head_board")
    boards = message(found)["boards"]
    assert message(found)["words"]["largest"] == ""
    norms = [row[at] for board in boards for row in board["values"] for at in range(2, len(row), 3)]
    assert f"the norm after it **\u2212{abs(np.mean(norms)):.1f}**" in texts(page)
    recording = runs.run("Thank you.").recording
    before = effects.effect("Thank you.", ()).log_probs[1]
    alone = effects.effect("Thank you.", (LeaveOutNorm("decoder", 1, "ffn"),)).log_probs[1]
    assert boards[1]["values"][1][8] == pytest.approx(alone - before, abs=1e-3)
    assert len(boards[0]["values"]) == recording.config.encoder_layers
    added = np.linalg.norm(recording["decoder.1.ffn.out"], axis=1).mean()
    assert boards[1]["bars"][1][6] == pytest.approx(added, abs=1e-2)


def test_the_scale_and_the_positions_are_changed(open_page: OpenPage) -> None:
    page = open_page("lab_scale")
    page.pills(key="raw scores").set_value(["cross"]).run()
    page.button_group(key="positions encoder").set_value("shifted").run()
    assert edits(page) == {Unscale("cross"), ShiftPositions("encoder", 5)}
    page.number_input(key="positions number encoder").set_value(-3).run()
    assert edits(page) == {Unscale("cross"), ShiftPositions("encoder", -3)}
    assert not page.exception


def test_scores_are_multiplied_and_one_head_follows(open_page: OpenPage) -> None:
    page = open_page("lab_scale", edits="times.e.99.0")
    assert chips(page) == ["encoder\\: scores times 99 ✕"]
    page.slider(key="score factor cross").set_value(0.5).run()
    assert edits(page) == {ScaleScores("encoder", 99.0), ScaleScores("cross", 0.5)}
    page.slider(key="score factor encoder").set_value(1.0).run()
    assert link(page) == "times.c.0.5"
    assert "→ **" in texts(page)  # the entropy of a row, before and after
    assert not page.exception
    chinese = open_page("lab_scale", edits="times.c.0.5", lang="zh")
    assert chips(chinese) == ["交叉：分数乘以 0.5 ✕"]
    assert chinese.slider(key="score factor cross").label == "交叉：分数乘以"
    assert ":green-badge[" in texts(open_page("head", edits="times.c.0.5", kind="cross"))


def test_scores_are_limited_and_a_link_may_have_any_limit(open_page: OpenPage) -> None:
    page = open_page("lab_scale", edits="clamp.e.0.3")
    assert page.select_slider(key="score limit encoder").value == 0.3
    assert page.select_slider(key="score limit cross").value == float("inf")
    page.select_slider(key="score limit cross").set_value(0.5).run()
    assert edits(page) == {ClampScores("encoder", 0.3), ClampScores("cross", 0.5)}
    page.select_slider(key="score limit encoder").set_value(float("inf")).run()
    assert link(page) == "clamp.c.0.5"
    assert not page.exception


def test_before_and_after_differ_only_when_something_is_changed(open_page: OpenPage) -> None:
    assert not open_page("lab_heads").get("plotly_chart")
    changed = open_page("lab_heads", edits="zero.e.1.1-8", layer="2")
    assert len(changed.get("plotly_chart")) == 2
    assert not [one for one in changed.caption if "did not change" in one.value]


def test_the_first_head_shown_is_the_one_that_moved_most_unless_the_link_names_one(
    open_page: OpenPage,
) -> None:
    page = open_page("lab_heads", edits="zero.e.1.1")
    most = next(button for button in page.button if (button.key or "").startswith("moved "))
    shown = list(head_picked(page).values())
    kind, layer, head = (most.key or "").split()[1:]
    assert shown == [kind, str(int(layer) + 1), str(int(head) + 1)]
    page = open_page("lab_heads", edits="zero.e.1.1", layer="1")
    assert head_picked(page)["layer"] == "1"
    assert len(page.get("plotly_chart")) == 1
    assert [one for one in page.caption if "its attention is as before" in one.value]


def test_the_masks_page_shows_what_learning_without_the_mask_does(open_page: OpenPage) -> None:
    page = open_page("lab_masks", masks="trained to cheat")
    assert not page.exception
    (both,) = [one.proto.body for one in page.get("html") if "both-write" in one.proto.body]
    own, cheats = both.split("en-fr-cheat, without it")
    assert "fatigué" in own
    assert "fatigué" not in cheats
    losses, look = (figure(page, place) for place in (0, 1))
    twin, _dots, cheat, _more = (trace["y"] for trace in losses["data"])
    assert len(twin) == len(cheat)
    keys = look["layout"]["xaxis"]["ticktext"]
    rows = look["layout"]["yaxis"]["ticktext"]
    assert rows[:-1] == [f"writing {key}" for key in keys[1:]]
    # Each frame stands where the row of a step meets the piece that it writes.
    frames = [(one["x0"] + 0.5, one["y0"] + 0.5) for one in look["layout"]["shapes"]]
    assert frames == [(row + 1, row) for row in range(len(keys) - 1)]
    assert head_picked(page)["kind"] == "decoder"
    assert "BLEU" in texts(page)


def test_a_model_without_one_that_cheats_has_no_such_view(open_page: OpenPage) -> None:
    page = open_page("lab_masks", model="zh-en", masks="trained to cheat")
    assert not page.exception
    assert page.segmented_control(key="masks").options == ["This model", "A window"]
    assert not any("both-write" in one.proto.body for one in page.get("html"))


def test_a_damaged_model_that_cheats_is_one_sentence(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_cheat: str) -> None:
        raise ValueError("cheating.json: 'bleu' is missing or wrong")

    monkeypatch.setattr(cheating, "measured", broken)
    page = open_page("lab_masks", masks="trained to cheat")
    assert not page.exception
    (said,) = [one.value for one in page.warning]
    assert said.startswith("The model en-fr-cheat cannot be opened: cheating.json")


def test_the_look_ahead_mask_is_turned_round_and_back(open_page: OpenPage) -> None:
    page = open_page("lab_masks", sentence="The man bit the dog.")
    page = page.button_group(key="mask ahead").set_value("inverted").run()
    assert not page.exception
    assert page.query_params["edits"] == "invert.d"
    assert outcome(page)["changed"]
    page = page.button_group(key="mask ahead").set_value("trained").run()
    assert not page.query_params.get("edits")


def test_every_piece_gets_the_first_position(open_page: OpenPage) -> None:
    page = open_page("lab_scale", sentence="The man bit the dog.")
    page = page.button_group(key="positions encoder").set_value("held").run()
    assert not page.exception
    assert page.query_params["edits"] == "hold.e"
    assert outcome(page)["changed"]


def test_a_window_is_set_by_a_slider_with_its_cost_and_what_it_breaks(open_page: OpenPage) -> None:
    page = open_page("lab_masks", masks="a window", sentence="The cat is here.")
    assert not page.exception
    assert "No window is set" in texts(page)
    run = runs.run("The cat is here.", ())
    pieces = len(run.source.ids)
    page.select_slider(key="window encoder").set_value(3).run()
    assert edits(page) == {Window("encoder", 3)}
    assert link(page) == "window.e.3"
    inside = 3 * pieces - 2
    assert f"{inside} of {pieces**2} pairs are scored in each head" in texts(page)
    effect = effects.effect("The cat is here.", (Window("encoder", 3),))
    assert f"**{effect.words_changed} word" in texts(page)
    lines = figure(page, 1)["data"]
    assert lines[0]["y"][1] == pytest.approx(effect.log_probs[1], abs=1e-3)
    assert lines[1]["y"][1] == inside
    assert "Recomputed from these numbers" in texts(page)
    page.select_slider(key="window encoder").set_value(2 * pieces - 1).run()
    assert not edits(page)


def test_one_matrix_for_queries_and_keys_is_chosen_and_measured(open_page: OpenPage) -> None:
    page = open_page("lab_scale", **{"break": "one matrix for queries and keys"}, sentence=WIDE)
    assert not page.exception
    page.button_group(key="tied encoder").set_value("qk").run()
    assert not page.exception
    assert edits(page) == {TieQueries("encoder")}
    assert link(page) == "tie.e.qk"
    after = effects.effect(WIDE, (TieQueries("encoder"),)).forced
    own = np.diagonal(after.attention("encoder"), axis1=-2, axis2=-1).mean()
    assert f"→ **{own:.0%}**" in texts(page)
    assert "→ **0%**" in texts(page)  # there and back
    assert "Recomputed from these numbers" in texts(page)
    page.button_group(key="tied encoder").set_value("apart").run()
    assert not edits(page)


def test_relu_is_left_out_of_a_layer_and_put_back(open_page: OpenPage) -> None:
    page = open_page("lab_blocks", sentence="Thank you.")
    assert not page.latex
    page.number_input(key="unit layer").set_value(3).run()

    def press() -> None:
        labels = [button.label for button in page.button]
        page.button[labels.index("ReLU out or in")].click().run()

    press()
    assert edits(page) == {LeaveOutReLU("encoder", 2)}
    assert outcome(page)["changed"]
    assert len(page.latex) == 1
    assert "Recomputed" in texts(page)
    press()
    assert not edits(page)
    assert not page.exception


@pytest.mark.parametrize(
    ("name", "pressed"), [("lab_scale", "positions decoder"), ("lab_masks", "scope")]
)
def test_what_is_told_of_a_change_comes_below_what_is_pressed(
    open_page: OpenPage, name: str, pressed: str
) -> None:
    """Else a button would move away under the pointer once the model is changed."""
    page = open_page(name, edits="zero.e.1.1")
    keys = [str(node.key) for node in page.main if hasattr(node, "key")]
    moved = [place for place, key in enumerate(keys) if key.startswith("moved ")]
    assert keys.index(pressed) < min(moved)


def test_how_many_links_are_hidden_is_told_below_the_words_that_are_masked(
    open_page: OpenPage,
) -> None:
    keys = [getattr(node, "key", None) for node in open_page("lab_masks", edits="hide.1-1").main]
    assert keys.index("words out") < keys.index("hatched")
