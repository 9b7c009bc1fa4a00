"""The requests of a class's browsers: where the class is, and where its teacher moves it.

They are answered without Streamlit, so that hundreds of them cost little. The store is read ten
times a second for each class, however many browsers wait.
"""

import asyncio
import hashlib
import json
import logging
import re
import time
from contextlib import suppress
from urllib.parse import parse_qs, parse_qsl, quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from viz.classroom.place import room
from viz.classroom.room import AWAY, LONGEST_LINK, NoSuchClass, State, TooManyTries, cleaned
from viz.classroom.sqlite import usual_path
from viz.classroom.store import Full
from viz.classroom.visitors import address_of, person_of
from viz.server.inside import inside

_LOG = logging.getLogger(__name__)

PATH = "/class"
KEY = "x-headlight-key"
"""The header in which a teacher's browser sends the key, which keeps the key out of logs."""

PERSON = "x-headlight-person"
"""The header in which the browser of somebody who has joined says whose it is."""

TICK = 0.1
"""The seconds between two readings of the store, each for all waiting browsers."""

PATIENCE = 10.0
"""The seconds after which a waiting browser is told that nothing has changed."""

MOST_KNOWN, MOST_HEARD = 200, 20_000
_HEADERS = {"Cache-Control": "no-store"}

SWEEP = 600.0
"""The seconds between two searches for idle classes."""


def _app_instead(request: Request) -> Response:
    """Lead somebody who has typed the address of these requests to the app, with what was typed."""
    return RedirectResponse(f"./?{request.url.query}" if request.url.query else "./")


async def forget_idle_classes() -> None:
    """Forget idle classes again and again; no file is made as long as no class has begun."""
    while True:
        await asyncio.sleep(SWEEP)
        if usual_path().exists():
            with suppress(OSError, Full):
                await run_in_threadpool(room().forget_idle)


class Classroom:
    """ASGI middleware that answers requests of browsers about their class."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._known: dict[str, tuple[float, State | None]] = {}
        self._heard: dict[tuple[str, str], float] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a class; pass on everything else."""
        if scope["type"] != "http" or inside(scope) != PATH:
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            await _app_instead(request)(scope, receive, send)
            return
        try:
            answer = await (self._moved if request.method == "POST" else self._told)(request)
        except OSError as error:
            _LOG.warning("no place for classes: %s", error)
            answer = Response(status_code=503)
        answer.headers.update(_HEADERS)
        await answer(scope, receive, send)

    async def _told(self, request: Request) -> Response:
        """Answer with the state of a class, as soon as it differs from the one that was `seen`.

        The class's teacher also gets the numbers of students and of answers.
        """
        query = parse_qs(request.url.query)
        code, seen = (query.get(name, [""])[-1] for name in ("class", "seen"))
        key, until = request.headers.get(KEY, ""), time.monotonic() + PATIENCE
        await self._hear(cleaned(code), person_of(request.headers.get(PERSON, "")))
        while True:
            try:
                state = await self._state(cleaned(code), request)
            except NoSuchClass:
                return Response(status_code=404)
            except TooManyTries:
                return Response(status_code=429)
            if key:
                state |= await run_in_threadpool(_counts, cleaned(code), key)
            digest = hashlib.sha256(json.dumps(state).encode()).hexdigest()[:16]
            if digest != seen or time.monotonic() > until:
                return JSONResponse({**state, "seen": digest})
            await asyncio.sleep(TICK)

    async def _hear(self, code: str, person: str) -> None:
        """Note that somebody is here. This is done a few times within the seconds of `AWAY`."""
        now = time.monotonic()
        if not person or now - self._heard.get((code, person), -AWAY) < AWAY / 4:
            return
        if len(self._heard) > MOST_HEARD:
            self._heard.clear()
        self._heard[code, person] = now
        with suppress(Full):
            await run_in_threadpool(room().hear, code, person)

    async def _state(self, code: str, request: Request) -> dict[str, object]:
        """Return the state of a class; a code that was valid before does not count as a guess."""
        at, state = self._known.get(code, (0.0, None))
        if time.monotonic() - at > TICK:
            peer = request.client.host if request.client else None
            address = address_of(peer, request.headers.get("x-forwarded-for", ""))
            if at:
                self._known[code] = time.monotonic(), state  # later requests need not ask
            state = await run_in_threadpool(_read, code, None if at else address)
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            self._known[code] = time.monotonic(), state
        if state is None:
            raise NoSuchClass
        return {
            "link": state.link,
            "moved": state.moved,
            "gathered": state.gathered,
            "screen": state.screen,
        }

    async def _moved(self, request: Request) -> Response:
        """Store the link that a teacher has moved to, after checking the key."""
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > 2 * LONGEST_LINK:
                return Response(status_code=413)
        try:
            sent = json.loads(body)
            code, link = cleaned(str(sent["class"])), checked(str(sent["link"]))
        except (ValueError, KeyError, TypeError):
            return Response(status_code=400)
        return await run_in_threadpool(_move, code, request.headers.get(KEY, ""), link)


def _read(code: str, guesser: str | None) -> State | None:
    """Read the state of a class.

    With a `guesser`, an address, a wrong code raises the error of a wrong guess; without one, the
    result is then None.
    """
    if guesser is not None:
        return room().look_up(code, guesser)
    try:
        return room().state(code)
    except NoSuchClass:
        return None


def _counts(code: str, key: str) -> dict[str, int]:
    """Return, for a teacher, how many people are here, have answered, and could have answered."""
    if not room().leads(code, key):
        return {}
    try:
        state = room().state(code)
    except NoSuchClass:  # forgotten since its key was read
        return {}
    answered, asked = room().turnout(code, state.number, state.round)
    return {"people": len(room().here(code)), "answered": answered, "asked": asked}


def _move(code: str, key: str, link: str) -> Response:
    if not room().leads(code, key):
        return Response(status_code=403)
    try:
        return JSONResponse({"moved": room().move(code, link)})
    except Full:
        return Response(status_code=507)
    except NoSuchClass:  # forgotten since its key was read
        return Response(status_code=404)


def checked(link: str) -> str:
    """Return a link "./PAGE?..." that others may follow, without personal settings.

    These are the language, the mode and the class itself. Raises ValueError for a link that leads
    to no page of this app.
    """
    from viz.course.pages import page_links
    from viz.link.table import CLASSROOM, NAMES, OWN  # imported late, as it loads the model

    match = re.fullmatch(r"\./(\w*)\?(.*)", link, re.ASCII)
    if not match or match[1] not in page_links() | {""}:
        raise ValueError("no page of this app")
    shared = [
        (name, value) for name, value in parse_qsl(match[2]) if name in NAMES - {*OWN, *CLASSROOM}
    ]
    return f"./{match[1]}?{urlencode(shared, quote_via=quote)}"
