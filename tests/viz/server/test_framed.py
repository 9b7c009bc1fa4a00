"""A page in a frame of another site."""

import re

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from viz.course.entry import PageEntry
from viz.course.pages import COURSE
from viz.link.framing import FRAMES
from viz.server.first_paint import FirstPaint
from viz.server.first_paint.framed import alone, picture
from viz.server.headers import SafeHeaders, headers

PAGE = '<html lang="en"><head><title>Streamlit</title></head><body></body></html>'
BOX = re.compile(
    r"\.(st-key-[\w-]+|stMain|stTable|stDataFrame|js-plotly-plot)|\[class\*='[\w-]+'\]"
)
"""What begins the selector of a picture: style sheets see boxes, not what components draw."""


@pytest.fixture
def client() -> TestClient:
    pages = Route("/{path:path}", lambda _request: HTMLResponse(PAGE))
    return TestClient(FirstPaint(Starlette(routes=[pages])))


def test_a_framed_page_leads_to_the_whole_one(client: TestClient) -> None:
    page = client.get("/attention?sentence=It+is+%22so%22&embed=1&lang=en").text
    assert "data-headlight-embed" in page
    (link,) = re.findall(r'<a id="whole-page" href="([^"]*)" target="_blank"', page)
    assert link == "./attention?sentence=It+is+%22so%22&amp;lang=en"
    assert "whole-page" not in client.get("/attention?sentence=It").text


def test_a_strange_address_stays_a_text(client: TestClient) -> None:
    page = client.get("/%22%3E%3Cb%3E?embed=1&x=%22%3E%3Cb%3E").text
    assert "<b>" not in page


def test_the_picture_is_that_of_the_view() -> None:
    assert picture("positions", {"positions": ["table"]}) != picture("positions", {})
    assert picture("no page", {}) == ""
    assert alone("") == ""


@pytest.mark.parametrize("entry", COURSE, ids=lambda entry: entry.link)
def test_the_box_of_each_picture_is_seen_by_a_style_sheet(entry: PageEntry) -> None:
    boxes = [part.split()[0] for visit in entry.visits for part in visit.picture.split(", ")]
    assert [box for box in boxes if not BOX.fullmatch(box)] == []


def test_only_those_who_were_named_may_frame_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    assert headers()["Content-Security-Policy"].split("; ")[-1] == "frame-ancestors 'self'"
    monkeypatch.setenv(FRAMES, "https://moodle.example")
    answer = TestClient(SafeHeaders(Starlette())).get("/")
    policy = answer.headers["Content-Security-Policy"].split("; ")
    assert policy[-1] == "frame-ancestors 'self' https://moodle.example"
    monkeypatch.setenv(FRAMES, "moodle")
    with pytest.raises(ValueError, match=FRAMES):
        SafeHeaders(Starlette())
