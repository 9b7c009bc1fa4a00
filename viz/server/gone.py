"""A rule for widgets that are no longer there: what a browser still sends for them is ignored.

A browser sends the values of all its widgets with each request. When it asks for a part of a page
that is being replaced, it still sends those of the old page. Streamlit has forgotten these widgets
by then, takes their values for new ones, and calls their callbacks: an old switch would change the
model of the next scene, or find its key missing, which shows an error on stage.
"""

import re
from typing import Any

from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import SessionState

_changed = SessionState._widget_changed
_dispatch = SessionState._dispatch_trigger_callbacks

_KEY = re.compile(r"\$\$ID-[0-9a-f]{32}-(.+)__events$")
"""The key of a component, in the id of the widget that carries its messages."""


def ignore_the_gone() -> None:
    """Call back only for widgets that were there after the last run.

    Streamlit has no public hook for this. On two busy cores, the lesson about masks showed an error
    in two of four walks without this rule, and in none of four with it.
    """
    SessionState._widget_changed = _changed_and_there
    SessionState._dispatch_trigger_callbacks = _dispatch_if_there  # pyrefly: ignore[bad-assignment]


def _changed_and_there(self: SessionState, widget_id: str) -> bool:
    return widget_id in self._old_state and _changed(self, widget_id)


def _dispatch_if_there(
    self: SessionState,
    votes: Any,  # noqa: ANN401
    wid: str,
    metadata: WidgetMetadata[Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> None:
    # A run that was cut short keeps a component's message, but not the component.
    if (match := _KEY.search(wid)) is None or match[1] in self:
        _dispatch(self, votes, wid, metadata, args, kwargs)
