"""A static host: it serves a folder, and says nothing of what it serves."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

PHONE = 390
"""The pixels of a phone, where there is the least room; other tests look at a screen."""


SAVES_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
"""For those who save data, a page fetches no model before it is asked; else it does in seconds."""


class QuietHandler(SimpleHTTPRequestHandler):
    """It says nothing of what it serves."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Serve a folder, and yield its address."""
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
