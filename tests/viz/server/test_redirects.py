import asyncio
import json
from collections.abc import MutableMapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.types import Receive, Scope, Send

from viz.server.redirects import Redirects, explorer_link


@pytest.mark.parametrize(
    "query",
    [
        "sentence=Thinking+machines&kind=encoder&layer=2&heads=3&view=matrix",
        "view=grid",
        "edits=zero.c.5.6",
        "lock=",
        "embed=true&aids=words",
    ],
)
def test_an_old_link_leads_to_the_explorer_with_all_that_it_says(query: str) -> None:
    assert explorer_link(query) == f"attention?{query}"


def test_every_old_link_of_the_explorer_is_known() -> None:
    corpus = Path(__file__).parents[2] / "app" / "old_links.json"
    links = [entry["link"] for entry in json.loads(corpus.read_text(encoding="utf-8"))]
    queries = [query for link in links if (query := urlsplit(link).query) and "attention?" in link]
    assert len(queries) > 3
    assert [explorer_link(query) for query in queries] == [f"attention?{q}" for q in queries]


@pytest.mark.parametrize("query", ["", "embed=true", "utm_source=mail", "sentences=2", "lesson=il"])
def test_other_links_stay(query: str) -> None:
    assert explorer_link(query) is None


def answer(scope: dict[str, Any]) -> MutableMapping[str, Any]:
    """Ask the middleware, before an app that says "app"; return the first thing sent."""
    sent: list[MutableMapping[str, Any]] = []

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "app"})

    async def receive() -> MutableMapping[str, Any]:
        return {}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    with ThreadPoolExecutor(1) as alone:  # Playwright's loop runs in this thread
        alone.submit(asyncio.run, Redirects(app)(scope, receive, send)).result()
    return sent[0]


def request(path: str, query: str, method: str = "GET") -> dict[str, Any]:
    return {"type": "http", "method": method, "path": path, "query_string": query.encode()}


def location(scope: dict[str, Any]) -> str:
    sent = answer(scope)
    assert sent["status"] == 307
    return dict(sent["headers"])[b"location"].decode()


def test_the_middleware_redirects_such_links_and_nothing_else() -> None:
    assert location(request("/", "kind=cross&sentence=%C3%A9")) == (
        "attention?kind=cross&sentence=%C3%A9"
    )
    app = {"type": "app"}
    assert answer(request("/", "")) == app
    assert answer(request("/attention", "kind=cross")) == app
    assert answer(request("/_stcore/health", "kind=cross")) == app
    assert answer(request("/", "kind=cross", "POST")) == app
    assert answer({"type": "websocket", "path": "/", "query_string": b"kind=cross"}) == app


def test_under_a_base_path_it_works_alike() -> None:
    scope = request("/app/", "kind=cross") | {"root_path": "/app"}
    assert location(scope) == "attention?kind=cross"


def test_a_lesson_goes_before_the_explorer() -> None:
    where = location(request("/", "lesson=il_elle&scene=9&sentence=No"))
    assert where == "about?lesson=il_elle&scene=9"
    assert location(request("/", "lesson=il_elle&scene=9&present=1")) == f"{where}&present=1"
    assert answer(request("/", "lesson=nobody")) == {"type": "app"}


def test_a_link_to_a_recurrent_model_s_states_opens_the_same_view() -> None:
    where = location(request("/recurrent", "ancestors=what+is+kept&model=local-p&sentence=%C3%A9"))
    assert where == "recurrent?ancestors=what+is+kept&kept=local-p&sentence=%C3%A9"
    assert answer(request("/recurrent", "model=en-fr-dot&ancestors=lookup")) == {"type": "app"}


def test_a_view_that_has_moved_is_found_where_it_is_today() -> None:
    assert location(request("/recording", "")) == "head?one_head=all+queries%2C+exactly"
    assert location(request("/recording", "kind=cross&layer=5")) == (
        "head?one_head=all+queries%2C+exactly&kind=cross&layer=5"
    )
    assert answer(request("/recording", "", "POST")) == {"type": "app"}


def test_the_positions_in_the_model_stand_beside_the_scale() -> None:
    where = location(request("/positions", "positions=in+the+model&edits=scale.e.0.5&sentence=a+b"))
    assert where == "lab_scale?break=positions+side+by+side&edits=scale.e.0.5&sentence=a+b"
    older = location(request("/positions", "sentence=%C3%A9&positions=the+model&change=shuffled"))
    assert older == "lab_scale?break=the+model&sentence=%C3%A9&change=shuffled"
    for others in ("positions=curves&dimensions=3&dimensions=8", "change=shuffled", ""):
        assert answer(request("/positions", others)) == {"type": "app"}
