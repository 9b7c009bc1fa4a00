from itertools import product

import pytest

from model.recording.sites import KINDS
from model.transformer.config import ModelConfig
from viz.shell.focus import Focus, explorer_parameters, read, written

CONFIG = ModelConfig(vocab_size=100, d_model=64, heads=8, encoder_layers=4, decoder_layers=6)


def link(focus: Focus) -> dict[str, str]:
    return {name: text for name, text in written(focus).items() if text}


def test_every_focus_comes_back_from_its_link() -> None:
    places = (None, 0, 3)
    for kind, word, step in product((None, *KINDS), places, places):
        head = (None, None) if kind is None else (2, 5)
        focus = Focus(kind, *head, word, step)
        assert read(link(focus), CONFIG).focus == focus
        assert not read(link(focus), CONFIG).refused


def test_a_word_and_a_step_have_their_own_names_in_the_link() -> None:
    assert link(Focus("encoder", 0, 1, 4)) == dict(kind="encoder", layer="1", head="2", word="5")
    assert link(Focus("cross", 0, 1, 4, 6))["step"] == "7"
    assert link(Focus()) == {}


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"kind": "cross", "layer": "3", "head": "5", "query": "2"}, Focus("cross", 2, 4, None, 1)),
        ({"kind": "encoder", "query": "2", "step": "4"}, Focus("encoder", None, None, 1, 3)),
        ({"kind": "cross", "layer": "3", "heads": "4-7-8"}, Focus("cross", 2, 3)),
        ({"kind": "cross", "heads": "6", "lock": "q2-k3-q14"}, Focus("cross", None, 5, None, 13)),
        ({"kind": "encoder", "lock": "q2"}, Focus("encoder", None, None, 1)),
        ({"word": "4", "step": "3"}, Focus(word=3, step=2)),
        ({"kind": "cross", "query": "2", "step": "4"}, Focus("cross", step=3)),
        ({"step": "14"}, Focus(step=13)),
    ],
)
def test_a_query_and_what_the_explorer_locks_are_read(
    parameters: dict[str, str], expected: Focus
) -> None:
    assert read(parameters, CONFIG).focus == expected


@pytest.mark.parametrize("text", ["", "0", "-1", "x", "²", "1e3", "99999", "nan", "<b>"])
def test_what_makes_no_sense_was_not_chosen(text: str) -> None:
    parameters: dict[str, str] = dict.fromkeys(
        ("kind", "layer", "head", "heads", "query", "word", "step"), text
    )
    assert read(parameters, CONFIG).focus == Focus()


def test_what_the_model_has_not_is_named() -> None:
    asked = {"kind": "encoder", "layer": "5", "head": "9"}
    assert read(asked, CONFIG).refused == (("layer", "5"), ("head", "9"))
    assert read({**asked, "kind": "decoder"}, CONFIG).refused == (("head", "9"),)
    assert read({"kind": "sideways"}, CONFIG).refused == (("kind", "sideways"),)


VIEW = {"kind": "cross", "layer": "5", "heads": "4-6", "view": "matrix", "lock": "q2-k3"}


def test_the_explorer_keeps_its_view_while_layer_and_query_stay() -> None:
    kept = explorer_parameters(Focus("cross", 4, 5, None, 1), VIEW)
    alone = {"aids": "", "order": "", "beside": ""}
    assert kept == {"heads": "4-6", "view": "matrix", "lock": "q2-k3", **alone}


def test_another_head_or_query_takes_the_place_of_the_explorer_s_own() -> None:
    assert explorer_parameters(Focus("cross", 4, 6, None, 1), VIEW)["heads"] == ""
    assert explorer_parameters(Focus("cross", 3, 5, None, 1), VIEW)["heads"] == ""
    moved = explorer_parameters(Focus("cross", 4, 5, None, 9), VIEW)
    assert (moved["heads"], moved["lock"]) == ("4-6", "q10")
    assert explorer_parameters(Focus("cross", 4, 5), VIEW)["lock"] == "k3"


def test_an_explorer_that_nobody_opened_has_no_view() -> None:
    assert not any(explorer_parameters(Focus("cross", 4, 5, None, 1), {}).values())
