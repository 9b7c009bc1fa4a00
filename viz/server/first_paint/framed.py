"""A page framed by another site: only its picture, and one line with a link to the whole page."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from urllib.parse import parse_qs, quote, urlencode

from viz.course.pages import FIRST, named, page_links
from viz.language.text import _
from viz.link.framing import EMBED

_STYLE = (Path(__file__).parent / "assets" / "framed.css").read_text(encoding="utf-8")


def framed(page: str, query: Mapping[str, Sequence[str]]) -> str:
    """Return the HTML added to a page in a frame: its style, and the line with the link.

    `page` is "" for the first page. The line is in the language in force.
    """
    whole_query = urlencode(
        {name: values for name, values in query.items() if name != EMBED}, doseq=True
    )
    link = escape(f"./{quote(page)}{'?' if whole_query else ''}{whole_query}")
    words = escape(_("Open the whole page, to try it yourself"))
    line = f'<a id="whole-page" href="{link}" target="_blank" rel="noopener">Headlight: {words}</a>'
    return f"<style>{_STYLE}{alone(picture(page, query))}</style>{line}"


def picture(page: str, query: Mapping[str, Sequence[str]]) -> str:
    """Return the CSS selector of a page's main picture, or of that of the view in a query."""
    if page not in page_links() | {""}:
        return ""
    shown = [
        visit
        for visit in named(page or FIRST).visits
        if all(query.get(name) == values for name, values in parse_qs(visit.view).items())
    ]
    return shown[-1].picture if shown else ""


def alone(selector: str) -> str:
    """Return the CSS that hides everything but a picture, once the picture is there.

    A style sheet cannot look into a component, so it selects the box around it, with which the
    selector begins.
    """
    boxes = ", ".join(part.split()[0] for part in selector.split(", ") if part)
    if not boxes:
        return ""
    inside = ", ".join(f"{box} *" for box in boxes.split(", "))
    beside = f":is(.stVerticalBlock, .stHorizontalBlock) > :not(:has({boxes}), {boxes}, {inside})"
    return f"[data-headlight-embed] .stMain:has({boxes}) {beside} {{ display: none !important; }}"
