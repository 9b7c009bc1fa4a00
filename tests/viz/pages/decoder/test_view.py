"""The link of the decoder page: what it writes it reads, and nonsense does no harm."""

import pytest

from viz.link.branches import MAX_BRANCHES, Forcing, parse_prefix
from viz.pages.decoder.step_decoder.view import (
    PARAMETERS,
    DecoderView,
    parse_view,
)

LAYERS, HEADS = 6, 8

VIEWS = [
    DecoderView(),
    DecoderView(step=7, attention_layer=2, attention_head=0),
    DecoderView("beam", width=8, penalty=0.0, node=12),
    DecoderView("sampling", temperature=1.7, top_k=20, top_p=0.9, seed=42, step=3),
    DecoderView(branches=(Forcing((), (5,)), Forcing((4, 7), (9, 2))), branch=2),
    DecoderView(given="Le chat & l'eau", branch=1),
]


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_a_link_reopens_the_same_view(view: DecoderView) -> None:
    parsed = parse_view(view.to_parameters(), LAYERS, HEADS)
    assert parsed.view == view
    assert parsed.malformed == ()


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_a_link_uses_only_known_parameters(view: DecoderView) -> None:
    assert set(view.to_parameters()) <= set(PARAMETERS)


def test_settings_of_other_strategies_stay_out_of_the_link() -> None:
    view = DecoderView("greedy", width=8, temperature=2.0, seed=9)
    assert view.to_parameters() == {"attention_layer": "mean", "step": "1"}


def test_layers_and_heads_count_from_one_in_links() -> None:
    parameters = DecoderView(attention_layer=0, attention_head=4).to_parameters()
    assert parameters == {"attention_layer": "1", "attention_head": "5", "step": "1"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("strategy", "magic"),
        ("width", "0"),
        ("width", "9"),
        ("penalty", "-1"),
        ("temperature", "0"),
        ("temperature", "nan"),
        ("temperature", "inf"),
        ("top_k", "-5"),
        ("top_p", "0"),
        ("top_p", "1.5"),
        ("seed", "x"),
        ("step", "0"),
        ("step", "²"),
        ("attention_layer", "0"),
        ("attention_head", "all"),
        ("attention_layer", "7"),
        ("attention_head", "9"),
        ("branches", "1-"),
        ("branches", "a.b"),
        ("branches", "_"),
        ("branches", "_".join(["1"] * (MAX_BRANCHES + 1))),
        ("branch", "3"),
        ("node", "-1"),
    ],
)
def test_what_makes_no_sense_keeps_its_default_and_is_named(name: str, text: str) -> None:
    parsed = parse_view({"step": "4"} | {name: text}, LAYERS, HEADS)
    assert name in parsed.malformed
    assert getattr(parsed.view, name) == getattr(DecoderView(), name)
    assert parsed.view.step == (1 if name == "step" else 4)


def test_another_sentence_keeps_the_strategy_and_drops_what_was_about_the_old_one() -> None:
    view = DecoderView(
        "beam", width=2, step=9, branches=(Forcing((), (3,)),), branch=1, given="Oui", node=4
    )
    assert view.for_another_sentence() == DecoderView("beam", width=2)


def test_a_prefix_is_read_or_empty() -> None:
    assert parse_prefix("3-17-4") == (3, 17, 4)
    assert parse_prefix("") == parse_prefix("3--4") == parse_prefix("<b>") == ()
