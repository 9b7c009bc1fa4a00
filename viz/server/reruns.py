"""ASGI middleware around the websockets by which browsers ask Streamlit to run the script again."""

import asyncio
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

AT_ONCE, A_SECOND = 40, 5.0
"""The most reruns of a window at once, and its reruns a second afterwards."""


class Reruns:
    """Drops requests to a page that was left, and slows down a browser that asks too often.

    A visitor who presses a control in a part that redraws alone, and leaves the page at once, sends
    its request after the one for the next page. Streamlit would then show the old page, with only
    this part.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests, and for a websocket only the permitted ones."""
        await self.app(scope, _Window(receive) if scope["type"] == "websocket" else receive, send)


class _Window:
    """The requests of one window."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._page, self._paid = receive, "", 0.0

    async def __call__(self) -> Message:
        """Return the next message to answer."""
        while True:
            message = await self._receive()
            if not (data := message.get("bytes")):
                return message
            try:
                asked = BackMsg.FromString(data)
            except Exception:  # no message of its own kind: Streamlit reports it
                return message
            if asked.WhichOneof("type") != "rerun_script":
                return message
            await asyncio.sleep(self._wait())
            page = asked.rerun_script.page_script_hash
            if not asked.rerun_script.fragment_id:
                self._page = page
            if page == self._page or not self._page:
                return message

    def _wait(self) -> float:
        """Return how many seconds a rerun must wait, and count it."""
        now = time.monotonic()
        self._paid = max(self._paid, now - AT_ONCE / A_SECOND) + 1 / A_SECOND
        return max(self._paid - now, 0.0)
