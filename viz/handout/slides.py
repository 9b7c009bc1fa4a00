"""Write ten pictures for slides: SVG and PNG, light, 16:9, each with its link and licence.

They show what the model in force does with the sentences of its first page. `index.csv` lists them.
"""

import argparse
import logging
import sys
from dataclasses import replace
from pathlib import Path

from model.command import called, command
from viz.compute import runs
from viz.handout.address import web_address
from viz.handout.slide_pictures import Slide, slides
from viz.language.text import ENGLISH, _, languages, using
from viz.notebook.paper.picture import Box, Curve, Mark, Picture, Words, png, svg, width_of
from viz.server.arguments import name_models
from viz.shell.csv_file import csv_text

WIDTH, HEIGHT, MARGIN, TOP, FOOT = 1280, 720, 48, 96, 64
LARGEST = 2.0
"""The most by which a picture may be larger than on paper."""

PNG_SCALE = 2
"""The pixels of a PNG for each pixel of its SVG, in width and height."""


@command
def main() -> None:
    """Write the slides and print their paths; say which slides this model does not have."""
    parser = argparse.ArgumentParser(called("viz.handout.slides"), description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--language", default=ENGLISH, choices=languages())
    parser.add_argument("--address", type=web_address, help="of your server, for links")
    parser.add_argument("--checkpoint", metavar="NAME_OR_PATH", help="the model; en-fr by default")
    options = parser.parse_args()
    if options.checkpoint is not None:
        name_models(["--checkpoint", options.checkpoint])
    logging.getLogger("streamlit").setLevel(logging.ERROR)  # it serves nothing
    with using(options.language):
        _write(options.folder, (options.address or "").rstrip("/"))


def _write(folder: Path, address: str) -> None:
    rows = [("file", "title", "link")]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number, draw in enumerate(slides(), start=1):
            try:
                slide = draw()
                framed_slide = framed(slide, f"{address}{slide.link}")
                image = png(framed_slide, PNG_SCALE)
            except ValueError as error:
                print(f"slide {number}: {error}", file=sys.stderr)
                continue
            path = folder / f"{number:02}-{slide.name}.svg"
            path.write_text(svg(framed_slide), encoding="utf-8")
            path.with_suffix(".png").write_bytes(image)
            rows.append((path.stem, slide.title, f"{address}{slide.link}"))
            print(path)
        (folder / "index.csv").write_text(csv_text(rows), encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{folder}: it could not be written: {error.strerror}") from None


def framed(slide: Slide, link: str) -> Picture:
    """Put a picture on a slide, as large as it fits, with title, link and licence around it.

    The link on the slide leaves out its parameters; `index.csv` has all of it.
    """
    drawing = slide.picture
    room = WIDTH - 2 * MARGIN, HEIGHT - TOP - FOOT
    scale = min(room[0] / drawing.width, room[1] / drawing.height, LARGEST)
    left = (WIDTH - drawing.width * scale) / 2
    made = _("Model: {name}. Made with Headlight.").format(name=runs.checkpoint_name())
    free = _("Free for slides and papers.")
    marks = (
        Words(MARGIN, 60, slide.title, _size(slide.title), bold=True),
        *(_placed(mark, scale, left, TOP) for mark in drawing.marks),
        Words(MARGIN, HEIGHT - 24, link.split("?", maxsplit=1)[0], 15, "#555867"),
        Words(WIDTH - MARGIN, HEIGHT - 24, f"{made} {free}", 15, "#555867", "end"),
    )
    return Picture(WIDTH, HEIGHT, f"{slide.title}. {link}", marks)


def _size(title: str) -> int:
    """Return the font size at which a title fits, at most 34."""
    return int(min(34, (WIDTH - 2 * MARGIN) / width_of(title, 1)))


def _placed(mark: Mark, scale: float, left: float, top: float) -> Mark:
    """Return a mark scaled and moved."""
    if isinstance(mark, Curve):
        x0, x1 = (left + x * scale for x in (mark.x0, mark.x1))
        y0, y1 = (top + y * scale for y in (mark.y0, mark.y1))
        return replace(mark, x0=x0, x1=x1, y0=y0, y1=y1, width=mark.width * scale)
    x, y = left + mark.x * scale, top + mark.y * scale
    if isinstance(mark, Box):
        return replace(mark, x=x, y=y, width=mark.width * scale, height=mark.height * scale)
    return replace(mark, x=x, y=y, size=max(1, round(mark.size * scale)))


if __name__ == "__main__":
    sys.exit(main())
