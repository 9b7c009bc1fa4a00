"""The headers of every answer: what a browser may load, and which sites may frame the app."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

from viz.link.framing import framers

POLICY = {
    "default-src": "'none'",
    # Streamlit's index.html has one script of its own, window.prerenderReady = false; the code of
    # our components comes as text and is imported from a blob.
    "script-src": "'self' blob: 'sha256-THxz9J9+wf7rhwR2YkXJoSZ13UCmYyC+3lNDv2+8ugA='",
    # Streamlit, plotly and our components write style elements and style attributes.
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "media-src": "'self'",
    "worker-src": "'self' blob:",
    "manifest-src": "'self'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'self'",
}
"""The sources from which a page may load; "self" is the server that it came from."""


def headers() -> dict[str, str]:
    """Return the headers of every answer.

    Raises ValueError if the sites that may frame the app are not given as origins.
    """
    policy = {**POLICY, "frame-ancestors": " ".join((POLICY["frame-ancestors"], *framers()))}
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "X-Content-Type-Options": "nosniff",
        # A link contains the visitor's sentence.
        "Referrer-Policy": "no-referrer",
    }


def steered_by_framers() -> None:
    """Let only the sites that may frame the app steer it by messages; ValueError as in `headers`.

    By default, Streamlit allows the sites of its own cloud; a browser reads the list at
    `_stcore/host-config`.
    """
    config.set_option("client.allowedOrigins", list(framers()))


class SafeHeaders:
    """ASGI middleware that adds headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self._headers = app, headers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the headers to its answer."""

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        await self.app(scope, receive, complete)
