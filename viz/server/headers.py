"""The headers of every answer: what a browser may load, and the sites that may frame the app."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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

HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    # A link contains the visitor's sentence.
    "Referrer-Policy": "no-referrer",
}


class SafeHeaders:
    """ASGI middleware that adds `HEADERS` to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and add the headers to its answer."""

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, complete)
