"""A widget that is gone changes nothing, whatever a browser still says of it.

A browser sends the values of all its widgets with each request. When it asks for a part of a page
that is being replaced, it still sends those of the old page. Streamlit has forgotten them by then,
takes them for changed, and calls what belongs to a change: an old switch would change the model of
the next scene, or find its key missing, which shows an error on stage.
"""

from streamlit.runtime.state.session_state import SessionState

_changed = SessionState._widget_changed


def ignore_the_gone() -> None:
    """Let only widgets that were there after the last run call back.

    Streamlit has no public place for this. On two busy cores the lesson about masks showed an error
    in two of four walks without it, and in none of four with it.
    """
    SessionState._widget_changed = _changed_and_there


def _changed_and_there(self: SessionState, widget_id: str) -> bool:
    return widget_id in self._old_state and _changed(self, widget_id)
