"""Slides: all ten are written, in their frame, each with its link."""

import csv
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image

from viz.course.pages import COURSE
from viz.handout import slides
from viz.handout.slide_pictures import Slide
from viz.handout.slides import HEIGHT, PNG_SCALE, WIDTH, framed
from viz.notebook.paper.picture import Box, Curve, Picture, Words


def test_every_slide_is_written_with_a_link_that_the_app_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "slides"
    asked = ["headlight slides", str(folder), "--address", "https://h.example/"]
    monkeypatch.setattr(sys, "argv", asked)
    assert slides.main() == 0
    assert capsys.readouterr().err == ""
    with (folder / "index.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 10
    for row in rows:
        parts = urlsplit(row["link"])
        assert parts.path.strip("/") in {entry.link for entry in COURSE}
        assert parts.path == "/story" or parse_qs(parts.query)["sentence"]
        text = (folder / f"{row['file']}.svg").read_text(encoding="utf-8")
        assert row["link"].replace("&", "&amp;") in text
        with Image.open(folder / f"{row['file']}.png") as image:
            assert image.size == (WIDTH * PNG_SCALE, HEIGHT * PNG_SCALE)


@pytest.mark.parametrize("size", [(300, 200), (4000, 300), (200, 4000)])
def test_what_is_drawn_stays_in_the_frame(size: tuple[int, int]) -> None:
    wide, high = size
    corner = Words(wide, high, "x", 14, anchor="end")
    whole = Box(0, 0, wide, high, "none", "#000000"), Curve(0, 0, wide, high, "#000000", 1), corner
    made = framed(Slide("name", "Title", "/head?layer=1", Picture(wide, high, "", whole)), "link")
    for mark in made.marks:
        if isinstance(mark, Box):
            assert 0 <= mark.x <= mark.x + mark.width <= WIDTH
            assert 0 <= mark.y <= mark.y + mark.height <= HEIGHT
        elif isinstance(mark, Words):
            assert 0 <= mark.x <= WIDTH
            assert 0 <= mark.y <= HEIGHT


def test_a_place_that_cannot_be_written_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setattr(sys, "argv", ["headlight slides", str(tmp_path / "file")])
    assert slides.main() == 1
    assert "could not be written" in capsys.readouterr().err
