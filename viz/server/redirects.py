"""Links to a lesson, `?lesson=NAME&scene=3`, which lead to the page of that scene."""

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send


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
    """Return the relative link to redirect a request to; None if it is not redirected."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return None
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    query = scope["query_string"].decode("latin-1")
    if path.strip("/") or not query:
        return None
    from viz.shell.lessons import shelf  # lessons know measures, which import the model

    return shelf.lesson_link(query)
