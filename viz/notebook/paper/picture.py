"""A picture as marks, and the same marks as SVG or as PNG."""

import io
import re
import unicodedata
from dataclasses import dataclass
from html import escape
from numbers import Integral
from typing import Literal

from PIL import Image, ImageColor, ImageDraw, ImageFont, features

from viz.figures.theme import CHINESE
from viz.language.text import _

FONTS = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "Arial.ttf", "arial.ttf", "Helvetica.ttc")
"""Fonts for the text of a PNG; the first that this machine has is used."""

WIDE_FONTS = (("NotoSansCJK-Regular.ttc", 2), ("msyh.ttc", 0), ("PingFang.ttc", 0))
"""Fonts for a text with Chinese in it: files, and the index of their simplified font."""

FAMILY = f"Source Sans, Source Sans Pro, {CHINESE}, Helvetica, Arial, sans-serif"
_WORD = re.compile(
    r"\s*(?:[\u2e80-\u9fff][\u3001\u3002\uff09\uff0c\uff1a\uff1b\u201d]*|[^\s\u2e80-\u9fff]+)"
)
MOST_PIXELS = 200_000_000
"""The most pixels of a PNG: it takes 600 MB while it is drawn."""

_STEPS = 24  # straight pieces for each curve

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    stroke: str = "none"


@dataclass(frozen=True)
class Curve:
    """A line from one side to the other with level ends."""

    x0: float
    y0: float
    x1: float
    y1: float
    colour: str
    opacity: float
    width: float = 2.0


@dataclass(frozen=True)
class Words:
    """A text; y is its baseline. `turned` writes it upwards."""

    x: float
    y: float
    text: str
    size: int = 14
    colour: str = "#262730"
    anchor: Anchor = "start"
    turned: bool = False
    bold: bool = False


Mark = Box | Curve | Words


@dataclass(frozen=True)
class Picture:
    """Marks on white, in pixels; the title is for people who cannot see them."""

    width: int
    height: int
    title: str
    marks: tuple[Mark, ...]


def width_of(text: str, size: int) -> float:
    """Return an upper bound for the width of a text in pixels, for any font."""
    wide = sum(map(_is_wide, text))
    return size * (0.62 * (len(text) - wide) + 1.05 * wide)


def wrapped(text: str, size: int, room: float) -> list[str]:
    """Break a text into lines of some width in pixels: at spaces, and between Chinese signs."""
    lines = [""]
    for word in _WORD.findall(text):
        longer = f"{lines[-1]}{word}".strip()
        if lines[-1] and width_of(longer, size) > room:
            lines.append(word.strip())
        else:
            lines[-1] = longer
    return lines


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def svg(picture: Picture) -> str:
    """Write a picture as SVG: its text stays text."""
    size = f'width="{picture.width}" height="{picture.height}"'
    marks = "\n".join(map(_svg_mark, picture.marks))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" '
        f'viewBox="0 0 {picture.width} {picture.height}" font-family="{FAMILY}">\n'
        f"<title>{_clean(picture.title)}</title>\n"
        f'<rect {size} fill="#ffffff"/>\n{marks}\n</svg>\n'
    )


def _clean(text: str) -> str:
    """Escape a text and drop the characters that XML does not allow."""
    return escape("".join(c for c in text if c >= " " and c not in "\ufffe\uffff"))


def _svg_mark(mark: Mark) -> str:
    if isinstance(mark, Box):
        corner = f'x="{mark.x:.1f}" y="{mark.y:.1f}"'
        size = f'width="{mark.width:.1f}" height="{mark.height:.1f}"'
        return f'<rect {corner} {size} fill="{mark.fill}" stroke="{mark.stroke}"/>'
    if isinstance(mark, Curve):
        middle = (mark.x0 + mark.x1) / 2
        path = (
            f"M{mark.x0:.1f} {mark.y0:.1f}C{middle:.1f} {mark.y0:.1f} "
            f"{middle:.1f} {mark.y1:.1f} {mark.x1:.1f} {mark.y1:.1f}"
        )
        return (
            f'<path d="{path}" fill="none" stroke="{mark.colour}" stroke-width="{mark.width}" '
            f'stroke-opacity="{mark.opacity:.3f}" stroke-linecap="round"/>'
        )
    turn = f' transform="rotate(-90 {mark.x:.1f} {mark.y:.1f})"' if mark.turned else ""
    weight = ' font-weight="600"' if mark.bold else ""
    return (
        f'<text x="{mark.x:.1f}" y="{mark.y:.1f}" font-size="{mark.size}" fill="{mark.colour}" '
        f'text-anchor="{mark.anchor}" xml:space="preserve"{weight}{turn}>{_clean(mark.text)}</text>'
    )


def png(picture: Picture, scale: int = 2) -> bytes:
    """Draw a picture as PNG, with `scale` pixels for one of the SVG's.

    Raises ValueError when the scale is not a whole number, when the picture has too many pixels, or
    when this machine has no font for it; an SVG needs none.
    """
    if not isinstance(scale, Integral) or scale < 1:
        raise ValueError(f"scale must be a whole number from 1 on, not {scale!r}")
    if (pixels := picture.width * picture.height * scale**2) > MOST_PIXELS:
        raise ValueError(
            f"scale {scale} makes {pixels:,} pixels, and {MOST_PIXELS:,} is the most: choose fewer "
            "tokens or a smaller scale, or save an SVG"
        )
    size = picture.width * scale, picture.height * scale
    image = Image.new("RGB", size, "white")
    for mark in picture.marks:
        if isinstance(mark, Words):
            _letter(image, mark, scale)
        else:
            _draw(image, mark, scale)
    written = io.BytesIO()
    image.save(written, "PNG", dpi=(96 * scale, 96 * scale))
    return written.getvalue()


def _draw(image: Image.Image, mark: Box | Curve, scale: int) -> None:
    draw = ImageDraw.Draw(image, "RGBA")
    if isinstance(mark, Box):
        corners = (mark.x, mark.y, mark.x + mark.width, mark.y + mark.height)
        fill = None if mark.fill == "none" else mark.fill
        outline = None if mark.stroke == "none" else mark.stroke
        draw.rectangle([value * scale for value in corners], fill, outline)
        return
    points: list[tuple[float, float]] = []
    for step in range(_STEPS + 1):
        t = step / _STEPS
        # Bezier's cubic with both inner points half-way across, each at the height of its end.
        x = mark.x0 + (mark.x1 - mark.x0) * (1.5 * t * (1 - t) + t**3)
        y = mark.y0 + (mark.y1 - mark.y0) * (3 * t**2 - 2 * t**3)
        points.append((x * scale, y * scale))
    colour = (*ImageColor.getrgb(mark.colour)[:3], round(255 * mark.opacity))
    draw.line(points, fill=colour, width=max(1, round(mark.width * scale)), joint="curve")


def _letter(image: Image.Image, mark: Words, scale: int) -> None:
    font = _font(mark.text, mark.size * scale)
    long, high = font.getlength(mark.text), mark.size * scale * 2
    label = Image.new("RGBA", (round(long) + 4, high), (0, 0, 0, 0))
    draw = ImageDraw.Draw(label)
    baseline = round(high * 0.7)
    stroke = 0.5 * scale if mark.bold else 0
    draw.text((2, baseline), mark.text, mark.colour, font, anchor="ls", stroke_width=stroke)
    before = 2 + long * {"start": 0.0, "middle": 0.5, "end": 1.0}[mark.anchor]
    x, y = mark.x * scale, mark.y * scale
    if mark.turned:
        label = label.rotate(90, expand=True)
        corner = round(x - baseline), round(y - label.height + before)
    else:
        corner = round(x - before), round(y - baseline)
    image.paste(label, corner, label)


def _font(text: str, size: int) -> ImageFont.FreeTypeFont:
    """Return the first font that has every letter; ValueError when none has."""
    plain = tuple((name, 0) for name in FONTS)
    fonts = (*WIDE_FONTS, *plain) if any(map(_is_wide, text)) else (*plain, *WIDE_FONTS)
    for name, file in fonts:
        try:
            font = ImageFont.truetype(name, size, file)
        except OSError:
            continue
        if _can_write(font, text):
            return font
    sentence = _("a PNG of {text} needs a font with all its letters (tried: {names}); save an SVG")
    names = ", ".join(name for name, _place in fonts)
    raise ValueError(sentence.format(text=repr(text), names=names))


def _can_write(font: ImageFont.FreeTypeFont, text: str) -> bool:
    """Tell whether a font has every letter, and letters that change by their neighbours join."""
    if any(map(_is_joined, text)) and not features.check("raqm"):
        return False
    missing = _drawn(font, "\U0010ffff")
    return all(letter.isspace() or _drawn(font, letter) != missing for letter in set(text))


def _drawn(font: ImageFont.FreeTypeFont, letter: str) -> bytes:
    return bytes(font.getmask(letter))  # pyrefly: ignore[bad-argument-type]


def _is_joined(letter: str) -> bool:
    """Tell whether a letter runs to the left, or is drawn together with the one before."""
    joins = unicodedata.bidirectional(letter) in ("R", "AL")
    return joins or unicodedata.category(letter) in ("Mn", "Mc") or letter == "\u200d"
