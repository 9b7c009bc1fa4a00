"""Redirected links: to a lesson, `?lesson=NAME&scene=3`, and below a page, `/PAGE/more`.

A lesson's link leads to the page of that scene; no model is run for it. Below a page, the page's
files are not found and it would stay white, so the rest of the path is cut off.
"""

from urllib.parse import quote

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import get_option

NO_PAGES = frozenset(("_stcore", "app", "component", "media", "static", "vendor"))
"""The paths of Streamlit's own files."""


class Redirects:
    """ASGI middleware that redirects such a link before anything is drawn."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Redirect a link of these kinds; pass on everything else."""
        where = elsewhere(scope)
        if where is None:
            await self.app(scope, receive, send)
        else:
            await RedirectResponse(where, headers={"Cache-Control": "no-store"})(
                scope, receive, send
            )


def elsewhere(scope: Scope) -> str | None:
    """Return the relative link to redirect a request to; None if it is not redirected."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return None
    base = get_option("server.baseUrlPath").strip("/")
    prefix = scope.get("root_path", "") or (f"/{base}" if base else "")
    path = scope["path"].removeprefix(prefix)
    query = scope["query_string"].decode("latin-1")
    parts = path.strip("/").split("/")
    if len(parts) > 1:
        return _up(parts, path, query)
    if parts[0] or not query:
        return None
    from viz.shell.lessons import shelf  # lessons import measures, which import the model

    return shelf.lesson_link(query)


def _up(parts: list[str], path: str, query: str) -> str | None:
    """Return the relative link to the page of the first part; None if it is not a page."""
    if path.startswith("//") or "" in parts or "." in parts[-1]:
        return None
    if parts[0] in NO_PAGES or "_stcore" in parts:
        return None
    up = "../" * (len(parts) - (not path.endswith("/")))
    return f"{up}{quote(parts[0])}" + (f"?{query}" if query else "")
