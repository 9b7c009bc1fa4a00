"""The path of a request inside the app, which may itself lie below a path of its host."""

from starlette.types import Scope
from streamlit import get_option


def base(scope: Scope) -> str:
    """Return the path below which the app lies, such as "/course/x"; "" for the whole host."""
    configured = get_option("server.baseUrlPath").strip("/")
    return scope.get("root_path", "") or (f"/{configured}" if configured else "")


def inside(scope: Scope) -> str | None:
    """Return a request's path below that of the app, such as "/attention".

    It is "" for the app's own path without a slash at its end, and None for a path outside the app.
    """
    path, start = str(scope["path"]), base(scope)
    within = path.removeprefix(start)
    return within if path.startswith(start) and within[:1] in ("", "/") else None
