"""What browsers of a class ask once or twice a second: where it is; and what a teacher's tells.

It is answered without Streamlit, so that hundreds cost little; what is said of a class is read from
the store a few times a second, however many ask.
"""

import json
import re
import time
from urllib.parse import parse_qs, parse_qsl, quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from viz.classroom.place import room
from viz.classroom.room import LONGEST_LINK, NoSuchClass, State, TooManyTries, cleaned
from viz.classroom.visitors import address_of

PATH = "/class"
KEY = "x-headlight-key"
"""The header with which a teacher's browser shows the key: no log has it."""

FRESH = 0.2
"""Seconds for which an answer serves all who ask."""

MOST_KNOWN = 200
_HEADERS = {"Cache-Control": "no-store"}


class Classroom:
    """ASGI middleware that answers what browsers ask about their class."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._known: dict[str, tuple[float, State]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a class; pass on everything else."""
        path = str(scope.get("path", "")).removeprefix(scope.get("root_path", ""))
        if scope["type"] != "http" or path != PATH:
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        if request.method == "POST":
            answer = await self._moved(request)
        else:
            answer = await run_in_threadpool(self._told, request)
        answer.headers.update(_HEADERS)
        await answer(scope, receive, send)

    def _told(self, request: Request) -> Response:
        """Say where a class is, and to its teacher how many there are and have answered."""
        code = cleaned(parse_qs(request.url.query).get("class", [""])[-1])
        try:
            state = self._state(code, request)
        except NoSuchClass:
            return Response(status_code=404)
        except TooManyTries:
            return Response(status_code=429)
        told: dict[str, object] = {
            "link": state.link,
            "gathered": state.gathered,
            "screen": state.screen,
        }
        key = request.headers.get(KEY, "")
        if key and room().leads(code, key):
            told["people"] = room().people(code)
            told["answered"] = room().answered(code, state.number, state.round)
        return JSONResponse(told)

    def _state(self, code: str, request: Request) -> State:
        """Return where a class is; to ask for one that was there a while ago is no guess."""
        at, state = self._known.get(code, (0.0, None))
        if time.monotonic() - at > FRESH:
            peer = request.client.host if request.client else None
            address = address_of(peer, request.headers.get("x-forwarded-for", ""))
            try:
                state = room().state(code) if at else room().found(code, address)
            except NoSuchClass:
                if not at:
                    raise
                state = None
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            self._known[code] = time.monotonic(), state
        if state is None:
            raise NoSuchClass
        return state

    async def _moved(self, request: Request) -> Response:
        """Note where a teacher is, who has to show the key."""
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > 2 * LONGEST_LINK:
                return Response(status_code=413)
        try:
            told = json.loads(body)
            code, link = cleaned(str(told["class"])), checked(str(told["link"]))
        except (ValueError, KeyError, TypeError):
            return Response(status_code=400)
        return await run_in_threadpool(_move, code, request.headers.get(KEY, ""), link)


def _move(code: str, key: str, link: str) -> Response:
    if not room().leads(code, key):
        return Response(status_code=403)
    room().move(code, link)
    return Response(status_code=204)


def checked(link: str) -> str:
    """Return what others may follow of a link, "./PAGE?..."; ValueError for a foreign one.

    What is everybody's own stays out of it: the language, the mode, the class itself.
    """
    from viz.link.table import CLASSROOM, NAMES, OWN  # late: with them comes the model
    from viz.shell.navigation import page_links

    found = re.fullmatch(r"\./(\w*)\?(.*)", link, re.ASCII)
    if not found or found[1] not in page_links() | {""}:
        raise ValueError("no page of this app")
    said = [
        (name, text) for name, text in parse_qsl(found[2]) if name in NAMES - {*OWN, *CLASSROOM}
    ]
    return f"./{found[1]}?{urlencode(said, quote_via=quote)}"
