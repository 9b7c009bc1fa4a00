"""ASGI middleware around the websockets on which browsers ask Streamlit to run the script again."""

import asyncio
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

AT_ONCE, A_SECOND = 40, 5.0
"""How many reruns one window may ask for at once, and how many a second it goes on with."""


class Reruns:
    """Leaves out what was asked of a page that has been left, and slows down who asks too much.

    Whoever presses something in a part that redraws alone, and goes on at once, asks for that part
    after the next page: Streamlit would then show the page before, with nothing but this part.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what comes, and of a websocket what its window may ask."""
        await self.app(scope, _Window(receive) if scope["type"] == "websocket" else receive, send)


class _Window:
    """What one window asks."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._page, self._paid = receive, "", 0.0

    async def __call__(self) -> Message:
        """Return the next message that is to be answered."""
        while True:
            message = await self._receive()
            if not (data := message.get("bytes")):
                return message
            try:
                asked = BackMsg.FromString(data)
            except Exception:  # no message of its own kind: Streamlit says so
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
        """Return how many seconds a rerun has to wait, and take it into account."""
        now = time.monotonic()
        self._paid = max(self._paid, now - AT_ONCE / A_SECOND) + 1 / A_SECOND
        return max(self._paid - now, 0.0)
