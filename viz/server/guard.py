"""ASGI middleware around Streamlit that refuses requests of other sites, machines and names.

A host name that leads here but is not among `server.allowedHosts` may belong to a stranger who has
pointed it at this machine, so that a page of theirs can read ours.

To judge an Origin of another site, Streamlit compares it with this machine's addresses, and asks
the internet for the public one. Requests from other sites are refused here, before that happens.
"""

import os
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from streamlit import config
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

HEALTH, METRICS = "/_stcore/health", "/_stcore/metrics"

ASKED = "HEADLIGHT_METRICS"
"""The variable that lets programs on this machine read the server's figures when it is 1."""

POLICY_VIOLATION = 1008
"""The code with which a websocket is refused (RFC 6455, section 7.4.1)."""


class Guard:
    """Middleware that refuses other host names, other sites, and most requests for the figures."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] in ("http", "websocket") and (reason := refusal(scope)):
            refuse = (
                PlainTextResponse(reason, 403)
                if scope["type"] == "http"
                else WebSocketClose(POLICY_VIOLATION, reason)
            )
            await refuse(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def refusal(scope: Scope) -> str | None:
    """Return the reason to refuse a request; None when it is allowed."""
    headers = Headers(scope=scope)
    if scope["path"].endswith(HEALTH):
        return None  # a probe asks for the server by its address, not by its name
    if not is_host_allowed(host := headers.get("host")):
        name = urlsplit(f"//{host or ''}").hostname or "NAME"
        return (
            f"This server does not answer to the name {name}. If it is to, whoever runs it starts "
            f"it with --server.allowedHosts {name}"
        )
    if foreign(headers):
        return "This page belongs to another site."
    if scope["path"].endswith(METRICS) and os.environ.get(ASKED) != "1":
        return f"The server tells its figures to nobody unless it is started with {ASKED}=1."
    if scope["path"].endswith(METRICS) and not local(scope, headers):
        return "The figures of the server are for its own machine."
    return None


def foreign(headers: Headers) -> bool:
    """Tell whether a browser asks on behalf of a page that another host served."""
    origin = headers.get("origin")
    if origin is None or origin in config.get_option("server.corsAllowedOrigins"):
        return False
    return urlsplit(origin).netloc.lower() != headers.get("host", "").lower()


def local(scope: Scope, headers: Headers) -> bool:
    """Tell whether a request comes from this machine, and not through a proxy on it."""
    if "x-forwarded-for" in headers or "forwarded" in headers or not scope.get("client"):
        return False
    try:
        return ip_address(scope["client"][0]).is_loopback
    except ValueError:
        return False
