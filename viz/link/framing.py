"""The pages of other sites that may frame the app, and the site whose pages stand in frames."""

import os
import re

from viz.language.text import ENGLISH

FRAMES = "HEADLIGHT_FRAMES"
"""The variable that names the origins whose pages may frame the app, between spaces or commas."""

SITE = "HEADLIGHT_SITE"
"""The variable that names the address where `headlight site` has put its pages."""

EMBED = "embed"
"""The parameter of a link that shows the picture alone; Streamlit hides it from the app."""

_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:\d+)?", re.ASCII | re.IGNORECASE)
_ADDRESS = re.compile(rf"{_ORIGIN.pattern}(/[\w.~/-]*)?", re.ASCII | re.IGNORECASE)


def framers() -> tuple[str, ...]:
    """Return the origins whose pages may frame the app.

    Raises ValueError for one that is no origin.
    """
    named = os.environ.get(FRAMES, "").replace(",", " ").split()
    for name in named:
        if not _ORIGIN.fullmatch(name):
            raise ValueError(
                f"{FRAMES}: expected origins such as https://moodle.example, got {name!r}"
            )
    return tuple(named)


def site() -> str:
    """Return the address of the site's pages, without a slash at its end; "" where none is known.

    Raises ValueError if it is not an address.
    """
    named = os.environ.get(SITE, "").strip().rstrip("/")
    if named and not _ADDRESS.fullmatch(named):
        raise ValueError(
            f"{SITE}: expected an address such as https://name.example/x, got {named!r}"
        )
    return named


_ON_SITE = {
    "story": "index",
    **{name: name for name in ("attention", "decoder", "head", "lab_masks", "lab_heads", "trace")},
}
"""The site's pages, by those of the app that show the same."""


def frame_of(page: str, language: str) -> str | None:
    """Return the address of a page that other sites may frame; None where there is none.

    It is the site's page if there is one, else "": the app's own page.
    """
    if (address := site()) and page in _ON_SITE:
        folder = "" if language == ENGLISH else f"{language}/"
        return f"{address}/{folder}{_ON_SITE[page]}.html"
    return "" if framers() else None
