"""A visitor without a browser: opens pages over a websocket, in Streamlit's own messages."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from viz.server.visit import Answer, ask

DRAWN_WITHIN = 180
"""Seconds that a page or a connection may take on a busy machine."""


class Visitor:
    """One open page of one visitor; `received` counts bytes."""

    def __init__(self, socket: ClientConnection) -> None:
        self.received = 0
        self._socket = socket

    async def open(self, page: str, query: str = "", seconds: float = DRAWN_WITHIN) -> Answer:
        """Open a page and return the answer; TimeoutError names the page that took too long."""
        return await self.send(ask(page, query), seconds, f"the page {page!r} with {query!r}")

    async def post(self, message: BackMsg) -> None:
        """Send a message without waiting for its answer."""
        await self._socket.send(message.SerializeToString())

    async def heard(self) -> AsyncIterator[ForwardMsg]:
        """Yield the server's messages as they come."""
        while True:
            data = await self._socket.recv(decode=False)
            self.received += len(data)
            yield ForwardMsg.FromString(data)

    async def send(self, message: BackMsg, seconds: float, what: str) -> Answer:
        """Send a message and return the answer; TimeoutError names `what` was waited for."""
        answer = Answer()
        try:
            async with asyncio.timeout(seconds):
                await self.post(message)
                async for told in self.heard():
                    answer.add(told)
                    if answer.finished:
                        break
        except TimeoutError:
            raise TimeoutError(f"{what} did not end in {seconds} s") from None
        return answer


@asynccontextmanager
async def visitor(
    address: str, seconds: float = DRAWN_WITHIN, cookie: str = ""
) -> AsyncIterator[Visitor]:
    """Connect to the app at an http address; OSError or TimeoutError when that fails."""
    async with connect(
        f"{address.replace('http', 'ws', 1)}/_stcore/stream",
        additional_headers={"Cookie": cookie} if cookie else None,
        subprotocols=["streamlit"],  # pyrefly: ignore[bad-argument-type]
        max_size=None,
        open_timeout=seconds,
        close_timeout=5,
        proxy=None,
    ) as socket:
        yield Visitor(socket)
