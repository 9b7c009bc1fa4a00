"""What a page asks of its server."""

from playwright.sync_api import Page, Request


def asked_by(page: Page) -> list[str | bytes]:
    """Return a list of all that a page will fetch and tell, if it is called before the page.

    Scripts that it fetches ahead for other pages do not count.
    """
    asked: list[str | bytes] = []

    def note(request: Request) -> None:
        if "/static/" not in request.url:
            asked.append(request.url)

    page.on("request", note)
    page.on("websocket", lambda socket: socket.on("framesent", lambda told: asked.append(told)))
    return asked
