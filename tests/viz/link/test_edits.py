import pytest
from streamlit.testing.v1 import AppTest

from model.interventions.heads import AblateHead
from model.interventions.masks import BlockAttention, HideSource
from model.interventions.positions import HoldPosition, PositionIntervention, ShiftPositions
from viz.link import edits

OFF, HIDDEN, FORBIDDEN = (
    AblateHead("encoder", 3, 0),
    HideSource(2, 3),
    BlockAttention("cross", 4, 6, 2, 7),
)
FIRST, SECOND = "The cat is here.", "The dog is there."


def test_what_names_pieces_is_tied_to_its_sentence() -> None:
    text = edits.write((OFF, HIDDEN, FORBIDDEN), FIRST)
    assert set(edits.read(text, FIRST).interventions) == {OFF, HIDDEN, FORBIDDEN}
    other = edits.read(text, SECOND)
    assert other.interventions == (OFF,)
    assert other.dropped
    assert other.refused == ()


def test_what_names_none_holds_for_every_sentence() -> None:
    text = edits.write((OFF,), FIRST)
    assert text == "zero.e.4.1"
    assert edits.read(text, SECOND) == edits.TiedParsed((OFF,), (), False)


def test_a_link_without_a_tie_is_for_the_sentence_beside_it() -> None:
    found = edits.read("hide.3-4_zero.e.4.1", SECOND)
    assert set(found.interventions) == {OFF, HIDDEN}
    assert not found.dropped


def test_a_tie_alone_says_nothing() -> None:
    for text in ("", "_of.", "_of.123456", "of.123456", "hide.3-4_of.", "x_of.\ud800"):
        assert edits.read(text, SECOND).interventions == ()
    assert edits.write((), "\ud800") == ""
    assert edits.write((HIDDEN,), "\ud800").startswith("hide.3-4_of.")


def test_changes_of_a_kind_with_these_values_are_replaced_by_the_new_ones() -> None:
    other, old = ShiftPositions("decoder", 4), HoldPosition("encoder")
    changes = (other, OFF, old)
    assert edits.of_kind(changes, PositionIntervention) == [other, old]
    assert edits.of_kind(changes, PositionIntervention, stack="encoder") == [old]
    encoder = edits.replaced(changes, PositionIntervention, [HIDDEN], stack="encoder")
    assert encoder == (other, OFF, HIDDEN)
    assert edits.replaced(iter(changes), PositionIntervention) == (OFF,)
    assert edits.replaced(changes, BlockAttention, [FORBIDDEN]) == (*changes, FORBIDDEN)


def script() -> None:
    """Read the changes as the script of every page does, unless it is stopped before."""
    import streamlit as st

    from viz.link import edits

    edits.leave_to_link()
    if not st.session_state.get("stopped"):
        edits.open_edits("The cat is here.")


def test_after_back_the_link_counts_even_if_another_run_took_the_place_of_the_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = AppTest.from_function(script)
    app.query_params["edits"] = "zero.e.4.1"
    app.run()
    del app.query_params["edits"]
    with monkeypatch.context() as step:
        step.setattr("viz.link.address.walked", lambda: True)
        app.session_state["stopped"] = True
        app.run()
    app.session_state["stopped"] = False
    app.run()
    assert not app.exception
    assert "edits" not in app.query_params
