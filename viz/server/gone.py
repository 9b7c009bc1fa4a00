"""A widget that is gone changes nothing, whatever a browser still says of it.

A browser sends the values of all its widgets with each request. When it asks for a part of a page
that is being replaced, it still sends those of the old page. Streamlit has forgotten them by then,
takes them for changed, and calls what belongs to a change: an old switch would change the model of
the next scene, or find its key missing, which shows an error on stage.
"""

import re
from typing import Any

from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import SessionState

_changed = SessionState._widget_changed
_dispatch = SessionState._dispatch_trigger_callbacks

_KEY = re.compile(r"\$\$ID-[0-9a-f]{32}-(.+)__events$")
"""The key of a component, in the name of what it tells."""


def ignore_the_gone() -> None:
    """Let only widgets call back that were there after the last run.

    Streamlit has no public place for this. On two busy cores the lesson about masks showed an error
    in two of four walks without it, and in none of four with it.
    """
    SessionState._widget_changed = _changed_and_there
    SessionState._dispatch_trigger_callbacks = _told_by_one_there  # pyrefly: ignore[bad-assignment]


def _changed_and_there(self: SessionState, widget_id: str) -> bool:
    return widget_id in self._old_state and _changed(self, widget_id)


def _told_by_one_there(
    self: SessionState,
    votes: Any,  # noqa: ANN401
    wid: str,
    metadata: WidgetMetadata[Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> None:
    # A run that was cut short leaves what the browser said, and not the component it is about.
    if (found := _KEY.search(wid)) is None or found[1] in self:
        _dispatch(self, votes, wid, metadata, args, kwargs)
