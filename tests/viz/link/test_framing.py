"""Who may frame the app, and what they frame."""

import pytest

from viz.course.pages import COURSE
from viz.link.framing import _ON_SITE, FRAMES, SITE, frame_of, framers, site
from viz.site import pages


def test_origins_stand_between_spaces_or_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    assert framers() == ()
    monkeypatch.setenv(FRAMES, "https://moodle.example, http://127.0.0.1:8080")
    assert framers() == ("https://moodle.example", "http://127.0.0.1:8080")


@pytest.mark.parametrize(
    "named",
    [
        *("moodle.example", "https://moodle.example/course", "*", "'self'", "https://a.example;"),
        *("https://", "https://a.example https:", "javascript://a.example", "https://x@a.example"),
        "https://moodl\u00e9.example",
    ],
)
def test_what_is_no_origin_is_refused_by_its_name(
    monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.setenv(FRAMES, named)
    with pytest.raises(ValueError, match=f"{FRAMES}: expected origins"):
        framers()


@pytest.mark.parametrize("named", ["pages.example", "https://a.example/<b>", "file:///a"])
def test_the_site_has_an_address(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv(SITE, named)
    with pytest.raises(ValueError, match=f"{SITE}: expected an address"):
        site()


def test_the_page_of_the_site_is_framed_where_it_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert frame_of("attention", "en") is None
    monkeypatch.setenv(FRAMES, "https://moodle.example")
    assert frame_of("attention", "en") == ""
    monkeypatch.setenv(SITE, "https://pages.example/headlight/")
    assert frame_of("attention", "en") == "https://pages.example/headlight/attention.html"
    assert frame_of("story", "zh") == "https://pages.example/headlight/zh/index.html"
    assert frame_of("atlas", "en") == ""
    monkeypatch.delenv(FRAMES)
    assert frame_of("atlas", "en") is None


def test_the_site_has_the_pages_that_stand_for_those_of_the_app() -> None:
    assert {*_ON_SITE.values()} <= {pages.STORY, *pages.LIVE}
    assert {*_ON_SITE} <= {entry.link for entry in COURSE}
