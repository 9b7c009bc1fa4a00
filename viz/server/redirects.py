"""Links that lead to another page than they name: older ones, and those to a lesson."""

from urllib.parse import parse_qs, parse_qsl, urlencode

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

EXPLORER_PARAMETERS = frozenset(
    ("sentence", "edits", "kind", "layer", "head", "heads", "query", "view", "lock", "aids",
     "order")
)  # fmt: skip
"""What the first page understood while it was the explorer."""

RECURRENT_KINDS = ("none", "dot", "general", "additive", "local-p")
"""What "model" in a link to the page about recurrent models meant, before it named any model."""


class Redirects:
    """ASGI middleware that answers such a link with the other one, before anything is drawn."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Redirect a link that leads elsewhere; pass on everything else."""
        where = elsewhere(scope)
        if where is None:
            await self.app(scope, receive, send)
        else:
            await RedirectResponse(where, headers={"Cache-Control": "no-store"})(
                scope, receive, send
            )


def elsewhere(scope: Scope) -> str | None:
    """Return where a request leads, relative to itself; None if it is for what it names."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return None
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    query = scope["query_string"].decode("latin-1")
    page = path.strip("/")
    if page:
        return moved_link(page, query)
    return (lesson_link(query) or explorer_link(query)) if query else None


def moved_link(page: str, query: str) -> str | None:
    """Find where a view of a page is shown today, if it or its parameters have moved."""
    if page == "recording":
        rest = f"&{query}" if query else ""
        return f"head?one_head=all+queries%2C+exactly{rest}"
    if page == "positions":
        return positions_link(query)
    return recurrent_link(query) if page == "recurrent" else None


POSITIONS = {"in the model": "positions side by side", "the model": "the model"}
"""The views of the page about positions that changed the model, and what they are called today.

The older one had parameters of its own, which its page reads: see viz/pages/lab/old_link.py.
"""


def positions_link(query: str) -> str | None:
    """Find the view in which the positions are changed in the model, with all other parameters."""
    read = parse_qsl(query, keep_blank_values=True)
    view = POSITIONS.get(dict(read).get("positions", ""))
    if view is None:
        return None
    others = [(name, value) for name, value in read if name != "positions"]
    return f"lab_scale?{urlencode([('break', view), *others])}"


def recurrent_link(query: str) -> str | None:
    """Rename, on the page about recurrent models, what now chooses the model of every page."""
    read = parse_qsl(query, keep_blank_values=True)
    if ("model" not in dict(read)) or dict(read)["model"] not in RECURRENT_KINDS:
        return None
    renamed = [("kept" if name == "model" else name, value) for name, value in read]
    return f"recurrent?{urlencode(renamed)}"


def lesson_link(query: str) -> str | None:
    """Find the page of "?lesson=NAME&scene=3"; lessons know measures, which import the model."""
    from viz.shell.lessons import shelf

    return shelf.lesson_link(query)


def explorer_link(query: str) -> str | None:
    """Send a link that was made when the explorer was the first page to where it is today."""
    named = parse_qs(query, keep_blank_values=True).keys()
    return f"attention?{query}" if named & EXPLORER_PARAMETERS else None
