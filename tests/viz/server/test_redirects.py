import asyncio
from collections.abc import MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from viz.compute import translators
from viz.server import inside
from viz.server.redirects import Redirects
from viz.sharing.kept import Kept
from viz.shell.lessons import shelf
from viz.shell.lessons.shelf import read_shelf, scene_link

LAST_SCENE = "about?about=pronouns&lesson=il_elle&scene=13"


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


def test_a_link_to_a_lesson_leads_to_the_page_of_its_scene() -> None:
    where = location(request("/", "lesson=il_elle&scene=13&sentence=No"))
    assert where == LAST_SCENE
    assert location(request("/", "lesson=il_elle&scene=13&present=1")) == f"{where}&present=1"


def test_the_model_is_not_run_for_the_link_of_any_scene(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kept, "__call__", lambda *_args, **_names: pytest.fail("the model is run"))
    monkeypatch.setattr(translators, "loaded", lambda _name: pytest.fail("the model is loaded"))
    for lesson in read_shelf("en").lessons:
        for number in range(1, len(lesson.scenes) + 1):
            where = location(request("/", f"lesson={lesson.name}&scene={number}"))
            assert where == scene_link(lesson, number)


@pytest.mark.parametrize("query", ["utm_source=mail", "x", "kind=cross&model=zh-en"])
def test_a_link_without_a_lesson_costs_no_look_at_the_lessons(
    query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelf, "read_shelf", lambda _language: pytest.fail("lessons are read"))
    assert answer(request("/", query)) == {"type": "app"}


def test_under_a_base_path_it_works_alike() -> None:
    scope = request("/app/", "lesson=il_elle&scene=13") | {"root_path": "/app"}
    assert location(scope) == LAST_SCENE


@pytest.mark.parametrize(
    "query", ["", "embed=true", "utm_source=mail", "lesson=nobody", "kind=cross"]
)
def test_other_links_stay(query: str) -> None:
    assert answer(request("/", query)) == {"type": "app"}


@pytest.mark.parametrize(
    ("path", "query", "where"),
    [
        ("/lab_heads/x", "", "../lab_heads"),
        ("/lab_heads/x/", "kind=cross&layer=2", "../../lab_heads?kind=cross&layer=2"),
        ("/attention/a/b", "", "../../attention"),
        ("/no%20page/\u00e9", "", "../no%2520page"),
    ],
)
def test_what_stands_below_a_page_leads_to_the_page(path: str, query: str, where: str) -> None:
    assert location(request(path, query)) == where


@pytest.mark.parametrize(
    "path",
    [
        *("/attention", "/attention/", "//elsewhere.test/x", "/attention//x"),
        *("/static/js/index.js", "/static/media", "/_stcore/stream", "/attention/_stcore/health"),
        *("/media/a", "/component/a/b", "/attention/logo.png"),
    ],
)
def test_other_paths_stay(path: str) -> None:
    assert answer(request(path, "")) == {"type": "app"}


def test_a_page_below_a_base_path_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inside, "get_option", lambda _name: "/course/")
    assert answer(request("/course/attention", "")) == {"type": "app"}
    assert location(request("/course/attention/x", "")) == "../attention"


@pytest.mark.parametrize(
    ("path", "query", "where"),
    [
        ("/course/x", "", "./x/"),
        ("/course/x", "kind=cross", "./x/?kind=cross"),
        ("/course/x", "lesson=il_elle&scene=13", f"./x/{LAST_SCENE}"),
        ("/course/x/", "lesson=il_elle&scene=13", LAST_SCENE),
    ],
)
def test_links_to_the_app_stay_below_its_path(
    monkeypatch: pytest.MonkeyPatch, path: str, query: str, where: str
) -> None:
    monkeypatch.setattr(inside, "get_option", lambda _name: "course/x")
    assert location(request(path, query)) == where
    assert answer(request("/", "lesson=il_elle")) == {"type": "app"}


def test_only_a_request_for_the_first_page_is_redirected() -> None:
    app, lesson = {"type": "app"}, "lesson=il_elle&scene=13"
    assert answer(request("/attention", lesson)) == app
    assert answer(request("/_stcore/health", lesson)) == app
    assert answer(request("/", lesson, "POST")) == app
    assert answer({"type": "websocket", "path": "/", "query_string": lesson.encode()}) == app


@pytest.mark.parametrize(
    ("path", "query", "where"),
    [
        ("/heads", "", "lab_heads"),
        ("/heads/", "", "../lab_heads"),
        ("/masks", "sentence=Hi.&present=1", "lab_masks?sentence=Hi.&present=1"),
    ],
)
def test_the_rest_of_a_lab_pages_name_is_enough(path: str, query: str, where: str) -> None:
    assert location(request(path, query)) == where


@pytest.mark.parametrize("path", ["/head", "/lab_heads", "/positions", "/nowhere"])
def test_no_other_name_is_taken_for_a_lab_page(path: str) -> None:
    assert answer(request(path, "")) == {"type": "app"}
