"""Redirects for links to a lesson, `?lesson=NAME&scene=3`, and to a page by a part of its path.

A lesson's link leads to the page of that scene; no model is run to find it. Below a page,
`/PAGE/more`, a browser would not find the app's files and the page would stay white, so the rest of
the path is cut off. Who types `/heads` gets `/lab_heads`.
Where the app lies below a path such as /course/x, a link to it without a slash at its end gets one,
as all links of the first page would otherwise lead to /course.
"""

from urllib.parse import quote

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from viz.server.inside import base, inside

NO_PAGES = frozenset(("_stcore", "app", "component", "media", "static", "vendor"))
"""The first parts of the paths of Streamlit's own files, which are not pages."""


class Redirects:
    """ASGI middleware that redirects these links before anything is drawn."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Redirect a link of these kinds; pass on everything else."""
        link = elsewhere(scope)
        if link is None:
            await self.app(scope, receive, send)
        else:
            await RedirectResponse(link, headers={"Cache-Control": "no-store"})(
                scope, receive, send
            )


def elsewhere(scope: Scope) -> str | None:
    """Return the relative link to which a request is redirected; None if it is not redirected."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return None
    if (path := inside(scope)) is None:
        return None
    query = scope["query_string"].decode("latin-1")
    parts = path.strip("/").split("/")
    if len(parts) > 1:
        return _up(parts, path, query)
    if parts[0]:
        return _of_the_lab(parts[0], path, query)
    # If the app's path ends without a slash, a browser resolves links against its parent.
    down = "" if path else f"./{quote(base(scope).rpartition('/')[2])}/"
    link = _lesson_link(query) if query else None
    if link is None and down:
        link = f"?{query}" if query else ""
    return None if link is None else f"{down}{link}"


def _lesson_link(query: str) -> str | None:
    from viz.shell.lessons import shelf  # lessons import measures, which import the model

    return shelf.lesson_link(query)


def _of_the_lab(name: str, path: str, query: str) -> str | None:
    """Return the relative link to a page of the lab that is asked for by the rest of its name."""
    from viz.course.pages import page_links

    if (link := f"lab_{name}") not in page_links():
        return None
    return f"{'../' if path.endswith('/') else ''}{link}" + (f"?{query}" if query else "")


def _up(parts: list[str], path: str, query: str) -> str | None:
    """Return the relative link to the page that a path begins with; None if it is not a page."""
    if path.startswith("//") or "" in parts or "." in parts[-1]:
        return None
    if parts[0] in NO_PAGES or "_stcore" in parts:
        return None
    up = "../" * (len(parts) - (not path.endswith("/")))
    return f"{up}{quote(parts[0])}" + (f"?{query}" if query else "")
