"""The app below a path of its host, reached straight and through nginx, and without websockets."""

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.hall import below_a_path
from browser.server import Server, free_port, started
from browser.waiting import LONG
from tests.browser.test_classroom import begin, heading
from viz.server.first_paint import SCRIPT

PATH = "/course/x"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("path")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))
        with started(folder / "server.txt", free_port(), below=PATH, cold=True) as running:
            yield running


@pytest.fixture(scope="module")
def behind_nginx(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with below_a_path(tmp_path_factory.mktemp("nginx"), server, PATH) as address:
        yield address


@pytest.fixture(scope="module", params=["straight", "nginx"])
def address(server: Server, request: pytest.FixtureRequest) -> str:
    """The app's own address, or that of nginx in front of it; both end with the path."""
    straight = request.param == "straight"
    return server.address if straight else request.getfixturevalue("behind_nginx")


def answered(address: str) -> tuple[int, str, str]:
    """Return the status, the address reached and the body of an answer."""
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            return answer.status, answer.url, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.url or "", error.read().decode()


@pytest.mark.parametrize("query", ["", "?kind=cross&layer=2"])
def test_the_path_without_its_slash_leads_to_the_first_page(address: str, query: str) -> None:
    status, reached, page = answered(address + query)
    assert (status, reached) == (200, f"{address}/{query}")
    assert (f"./{SCRIPT}" in page) == (not query)


@pytest.mark.parametrize("slash", ["", "/"])
def test_a_lesson_stays_below_the_path(address: str, slash: str) -> None:
    _status, reached, _page = answered(f"{address}{slash}?lesson=il_elle&scene=13")
    assert reached == f"{address}/about?about=pronouns&lesson=il_elle&scene=13"


def test_the_picture_of_the_first_page_is_a_script(address: str) -> None:
    _status, _reached, script = answered(f"{address}/{SCRIPT}")
    assert "showFirst(" in script


def test_the_class_answers_below_the_path_alone(address: str) -> None:
    status, _reached, body = answered(f"{address}/class?class=AAAAAA")
    assert (status, body) == (404, "")
    outside = answered(f"{address.removesuffix(PATH)}/class?class=AAAAAA")
    assert outside[0] == 404
    assert outside[2] != ""


def test_a_class_follows_its_teacher_below_the_path(browser: Browser, behind_nginx: str) -> None:
    windows = [browser.new_context(viewport={"width": 1280, "height": 900}) for _ in range(2)]
    teacher, student = (window.new_page() for window in windows)
    for page in (teacher, student):
        page.set_default_timeout(LONG)  # the first page of a cold server
    code = begin(behind_nginx, teacher)
    link = joined(teacher)
    assert link == f"{behind_nginx}/?class={code}"
    student.goto(link)
    heading(student, "Words to vectors")
    expect(teacher.get_by_text("1 here")).to_be_visible()
    teacher.get_by_role("link", name="One head", exact=True).click()
    heading(student, "One head")
    expect(student).to_have_url(re.compile(rf"{re.escape(behind_nginx)}/head\?"))
    teacher.get_by_role("link", name="Headlight").click()  # the first page, whose link is bare
    expect(student).to_have_url(re.compile(rf"{re.escape(behind_nginx)}/\?"))
    assert {one.get("path") for one in windows[1].cookies() if "person" in one.get("name", "")} == {
        PATH
    }
    for window in windows:
        window.close()


def joined(teacher: Page) -> str:
    """Return the link that the teacher's dialog shows to the class."""
    teacher.get_by_role("button", name=re.compile("code|Join", re.IGNORECASE)).first.click()
    link = teacher.locator(".class-qr").get_attribute("alt")
    teacher.keyboard.press("Escape")
    assert link is not None
    return link


def test_a_shared_link_contains_the_path(window: BrowserContext, behind_nginx: str) -> None:
    window.grant_permissions(["clipboard-read", "clipboard-write"])
    page = window.new_page()
    page.goto(f"{behind_nginx}/attention")
    page.get_by_role("button", name="Copy the link of this view").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"{behind_nginx}/attention?")
    page.close()
    window.clear_permissions()


@pytest.mark.parametrize(("page", "language"), [("", "en"), ("attention", "zh")])
def test_a_proxy_without_websockets_leaves_one_sentence(
    browser: Browser, server: Server, tmp_path: Path, page: str, language: str
) -> None:
    with below_a_path(tmp_path, server, PATH, left_out="Upgrade") as address:
        context = browser.new_context()
        tab = context.new_page()
        tab.set_default_timeout(LONG)
        tab.goto(f"{address}/{page}?lang={language}")
        said = tab.locator("#no-connection")
        expect(said).to_be_visible(timeout=120_000)
        assert "websocket" in said.inner_text()
        assert said.inner_text().isascii() == (language == "en")
        context.close()


def test_where_websockets_pass_there_is_no_such_sentence(page: Page, behind_nginx: str) -> None:
    page.goto(behind_nginx)
    expect(page.get_by_test_id("stApp")).to_have_attribute(
        "data-test-connection-state", "CONNECTED"
    )
    expect(page.locator("#no-connection")).to_have_count(0)
