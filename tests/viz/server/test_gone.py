"""What a browser still says of widgets that are gone calls nothing."""

import json

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import SessionState

from viz.server.gone import ignore_the_gone

SWITCH, OWN = "$$ID-switch", f"$$ID-{'a' * 32}-parts"
PARTS = f"$$STREAMLIT_INTERNAL_KEY_{OWN}__events"


def says(value: bool) -> WidgetStates:
    """Return what a browser sends that has one switch."""
    return WidgetStates(widgets=[WidgetState(id=SWITCH, bool_value=value)])


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the switch told; the class is as before afterwards."""
    for name in ("_widget_changed", "_dispatch_trigger_callbacks"):
        monkeypatch.setattr(SessionState, name, getattr(SessionState, name))
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


@pytest.mark.parametrize("there", [True, False])
def test_a_component_tells_only_while_it_is_there(
    state: SessionState, told: list[str], there: bool
) -> None:
    parts = WidgetMetadata(
        PARTS,
        json.loads,
        json.dumps,
        "json_trigger_value",
        callbacks={"chosen": lambda: told.append("chosen")},
    )
    state._set_widget_metadata(parts)
    if there:
        state._set_key_widget_mapping(OWN, "parts")
        state._new_widget_state.set_from_value(OWN, {})
    chosen = WidgetState(id=PARTS, json_trigger_value=json.dumps({"event": "chosen"}))
    state.on_script_will_rerun(WidgetStates(widgets=[chosen]))
    assert told == (["chosen"] if there else [])
