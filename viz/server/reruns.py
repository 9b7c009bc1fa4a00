"""ASGI middleware around the websockets by which browsers ask Streamlit to run the script again."""

import asyncio
import time
from collections import deque
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

AT_ONCE, A_SECOND = 40, 5.0
"""The most reruns of a window at once, and its reruns a second afterwards."""

PATIENCE, PRESS_PATIENCE = 1.0, 10.0
"""The most seconds that a rerun waits until the one before, or one with a press, calls back."""

_STARTED = frozenset({"new_session"})
_CALLED = frozenset({"page_config_changed", "navigation", "delta", "ref_hash", "script_finished"})
_FINISHED = frozenset({"script_finished"})
_READ = frozenset({"navigation", "script_finished"})
"""Messages after which the script reads the link at once: before them, it may wait for its turn."""


class Reruns:
    """Middleware that loses no request of a browser, and slows down a browser that asks too often.

    Streamlit starts a run of the script for each request and drops the run before, even if that run
    has not called its callbacks yet: a press would have no effect if something else, such as the
    news of a class, were asked for a moment later. So a request waits until the callbacks of the
    one before are called; behind a press it waits longer, as a busy server lets others go first. A
    part that redraws alone may read the press of a button only while it is drawn, so the next
    request then waits until it is drawn.

    A visitor who presses a control in such a part, and leaves the page at once, sends its request
    after the one for the next page. Streamlit would then show the old page with only this part,
    or draw the part over the new page, which leaves the browser with an empty page. So requests to
    a page that was left are dropped. If a page was asked for by its name, its id is known from the
    server's answer, before the page is drawn.

    A step through the browser's history has no effect before the script has read the link: if
    something else were asked for meanwhile, the session would write the changes that Back undoes
    into the link again. So the next request waits until the page is drawn, and is such a step, too,
    if the link is not even read when its patience ends.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests, and for a websocket only the permitted ones."""
        if scope["type"] == "websocket":
            window = _Window(receive, send)
            receive, send = window.receive, window.send
        await self.app(scope, receive, send)


class _Window:
    """The requests of one window and their answers."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send, self._page, self._paid = receive, send, "", 0.0
        self._patience = PATIENCE
        self._awaited: deque[frozenset[str]] = deque()  # types of the server's next messages
        self._walked = False  # whether a step through the history waits until its link is read
        self._heard = asyncio.Event()
        self._heard.set()

    async def send(self, message: Message) -> None:
        """Send a message of the server, and note what it tells about the rerun in progress."""
        await self._send(message)
        data = message.get("bytes")
        if data and (self._awaited or not self._page):
            told = ForwardMsg.FromString(data)
            kind = told.WhichOneof("type")
            self._page = self._page or told.navigation.page_script_hash
            if len(self._awaited) < 2 and kind in _READ:
                self._walked = False
            if self._awaited and kind in self._awaited[0]:
                self._awaited.popleft()
            if not self._awaited:
                self._heard.set()

    async def receive(self) -> Message:
        """Return the next message of the browser that the server is to answer."""
        while True:
            message = await self._receive()
            if not (data := message.get("bytes")):
                return message
            try:
                asked = BackMsg.FromString(data)
            except Exception:  # not a message that Streamlit defines: it reports that itself
                return message
            if asked.WhichOneof("type") != "rerun_script":
                return message
            await asyncio.sleep(self._wait())
            page, part = asked.rerun_script.page_script_hash, asked.rerun_script.fragment_id
            if part and self._page not in ("", page):
                continue
            if part or page == self._page:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._heard.wait(), self._patience)
                if self._walked:
                    asked.rerun_script.is_history_navigation = True
                    message = {**message, "bytes": asked.SerializeToString()}
            if not part:
                self._page = page
            self._walked = asked.rerun_script.is_history_navigation
            widgets = asked.rerun_script.widget_states.widgets
            pressed = any(widget.trigger_value for widget in widgets)
            to_its_end = self._walked or (part and pressed)
            called_back = pressed or any(widget.json_trigger_value for widget in widgets)
            self._patience = PRESS_PATIENCE if called_back and not to_its_end else PATIENCE
            self._awaited = deque((_STARTED, _FINISHED if to_its_end else _CALLED))
            self._heard.clear()
            return message

    def _wait(self) -> float:
        """Count a rerun, and return how many seconds it must wait."""
        now = time.monotonic()
        self._paid = max(self._paid, now - AT_ONCE / A_SECOND) + 1 / A_SECOND
        return max(self._paid - now, 0.0)
