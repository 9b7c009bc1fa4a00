"""What comes with the page itself: the style, that of one page from its folder, and a picture."""

import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from viz.server import inside
from viz.server.first_paint import NO_CONNECTION, PICTURES, SCRIPT, STYLE, FirstPaint, Picture

VIZ = Path(__file__).parents[3] / "viz"
SHARED = (VIZ / "server" / "first_paint" / "assets").glob("*.css")
SOURCES = {path: path.read_text(encoding="utf-8") for path in VIZ.rglob("*.py")}


def homes(key: str) -> set[Path]:
    """List the folders below `viz/pages`, and others, whose code draws under a key."""
    written = re.compile(f'"{key.replace("-", "[ _-]")}"')
    found = {path.relative_to(VIZ).parts for path, text in SOURCES.items() if written.search(text)}
    return {Path(*parts[: 2 if parts[0] == "pages" else 1]) for parts in found}


def test_every_folder_adds_its_style() -> None:
    sheets = list(VIZ.rglob("page.css"))
    assert len(sheets) > 10
    assert [path for path in sheets if path.read_text(encoding="utf-8") not in STYLE] == []


def test_no_rule_of_a_single_page_is_among_those_of_all_pages() -> None:
    shared = "\n".join(path.read_text(encoding="utf-8") for path in SHARED)
    keys = set(re.findall(r"\.st-key-([\w-]+)", shared))
    assert homes("aligned") >= {Path("pages/recurrent"), Path("pages/two_models")}
    of_one_page = {key: folders for key in keys if len(folders := homes(key)) == 1}
    assert {key for key, (folder,) in of_one_page.items() if folder.parts[0] == "pages"} == set()


PAGE = '<html lang="en"><head><title>Streamlit</title></head><body></body></html>'


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """Browsers of an app below a path, whose first page has a picture in two languages."""
    monkeypatch.setattr(inside, "get_option", lambda _name: "course/x")
    for name in ("en", "zh"):
        monkeypatch.setitem(PICTURES, name, Picture(f"drawn in {name}", "7"))
    pages = Route("/{path:path}", lambda _request: HTMLResponse(PAGE))
    return TestClient(FirstPaint(Starlette(routes=[pages])))


def test_below_a_path_the_first_page_alone_has_the_picture(client: TestClient) -> None:
    assert f'src="./{SCRIPT}?lang=en&amp;v=7"' in client.get("/course/x/").text
    assert client.get(f"/course/x/{SCRIPT}?lang=zh").text == "drawn in zh"
    for other in ("/course/x/attention", "/course/x/?kind=cross"):
        assert SCRIPT not in (page := client.get(other).text)
        assert STYLE in page
    assert client.get("/elsewhere").text == PAGE


@pytest.mark.parametrize(
    ("value", "begins"), [("1", True), ("0", False), ("true", False), ("", False)]
)
def test_a_page_begins_on_stage_where_the_link_says_one(
    client: TestClient, value: str, *, begins: bool
) -> None:
    page = client.get("/course/x/attention", params={"present": value}).text
    assert ("data-headlight-presents" in page.partition("<head>")[0]) == begins


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_page_can_say_that_no_websocket_comes_through(
    client: TestClient, language: str
) -> None:
    page = client.get("/course/x/attention", params={"lang": language}).text
    said = re.search(r'<p id="no-connection" role="alert" hidden>([^<]+)</p>', page)
    assert said is not None
    assert "websocket" in said[1]
    assert said[1].isascii() == (language == "en")
    assert f'src="./{NO_CONNECTION}"' in page
    assert "no-connection" in client.get(f"/course/x/{NO_CONNECTION}").text
