"""What a browser still says of widgets that are gone calls nothing."""

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import SessionState

from viz.server.gone import ignore_the_gone

SWITCH = "$$ID-switch"


def says(value: bool) -> WidgetStates:
    """Return what a browser sends that has one switch."""
    return WidgetStates(widgets=[WidgetState(id=SWITCH, bool_value=value)])


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the switch told; the class is as before afterwards."""
    monkeypatch.setattr(SessionState, "_widget_changed", SessionState._widget_changed)
    ignore_the_gone()
    ThreadState.initialize()
    return []


@pytest.fixture
def state(told: list[str]) -> SessionState:
    """A visit whose last run showed the switch, which was off."""
    state = SessionState()
    switch = WidgetMetadata(
        SWITCH, bool, bool, "bool_value", callback=lambda: told.append("changed")
    )
    state._set_widget_metadata(switch)
    state._new_widget_state.set_from_value(SWITCH, False)
    return state


def test_a_switch_that_is_there_calls_back_once(state: SessionState, told: list[str]) -> None:
    state.on_script_will_rerun(says(True))
    state.on_script_will_rerun(says(True))
    assert told == ["changed"]


@pytest.mark.parametrize("value", [False, True])
def test_a_switch_that_is_gone_does_not(state: SessionState, told: list[str], value: bool) -> None:
    del state._new_widget_state[SWITCH]
    state.on_script_will_rerun(says(value))
    assert told == []
