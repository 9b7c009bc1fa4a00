"""A page in a frame of another site: its picture, and one line with a link to the whole page."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from urllib.parse import parse_qs, quote, urlencode

from viz.course.pages import FIRST, named, page_links
from viz.language.text import _
from viz.link.framing import EMBED

_STYLE = (Path(__file__).parent / "assets" / "framed.css").read_text(encoding="utf-8")


def framed(page: str, query: Mapping[str, Sequence[str]]) -> str:
    """Return what is added to a page, "" for the first, in a frame: its style and the line.

    Call it in the language of the line.
    """
    whole = urlencode({name: texts for name, texts in query.items() if name != EMBED}, doseq=True)
    link = escape(f"./{quote(page)}{'?' if whole else ''}{whole}")
    said = escape(_("Open the whole page, to try it yourself"))
    line = f'<a id="whole-page" href="{link}" target="_blank" rel="noopener">Headlight: {said}</a>'
    return f"<style>{_STYLE}{alone(picture(page, query))}</style>{line}"


def picture(page: str, query: Mapping[str, Sequence[str]]) -> str:
    """Return the selector of the main picture of a page, or of the view that a query names."""
    if page not in page_links() | {""}:
        return ""
    shown = [
        visit
        for visit in named(page or FIRST).visits
        if all(query.get(name) == texts for name, texts in parse_qs(visit.view).items())
    ]
    return shown[-1].picture if shown else ""


def alone(selector: str) -> str:
    """Return the style that hides what is beside a picture, once it is there.

    Style sheets do not look into components: what counts is the box around them, which begins the
    selector.
    """
    boxes = ", ".join(part.split()[0] for part in selector.split(", ") if part)
    if not boxes:
        return ""
    inside = ", ".join(f"{box} *" for box in boxes.split(", "))
    beside = f":is(.stVerticalBlock, .stHorizontalBlock) > :not(:has({boxes}), {boxes}, {inside})"
    return f"[data-headlight-embed] .stMain:has({boxes}) {beside} {{ display: none !important; }}"
