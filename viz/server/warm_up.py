"""The warm-up before the first visitor: load the model, import modules, fill the caches.

Otherwise two first visitors at the same moment would race: plotly, for one, uses a pandas that
another thread has only half imported.
"""

import asyncio
import gc
from contextlib import suppress
from urllib.parse import urlencode

import pandas  # noqa: F401
from streamlit import get_option
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.session_manager import SessionClient
from streamlit.web.server.server_util import get_display_address, get_url

from viz.compute import examples, models, runs
from viz.course.pages import COURSE
from viz.language.text import languages
from viz.server.first_paint import COMPONENT, PICTURES, picture
from viz.server.visit import Answer, ask

PATIENCE = 300
"""The most seconds that one page may take; a cold disk is slow."""

FIRST_TRIED = 5
"""The number of examples, from the first of the list, that are measured in advance."""

LARGE = 50_000_000
"""From this many bytes of weights on, the starting server says that it is reading them."""


def announce() -> None:
    """Print the app's address once the app is ready; Streamlit would print it before that."""
    address = get_display_address(get_option("server.address") or "localhost")
    print(f"\n  Headlight: {get_url(get_option('browser.serverAddress') or address)}\n", flush=True)


class FirstVisitor(SessionClient):
    """A visitor inside the server, who opens pages and drops their content."""

    def __init__(self) -> None:
        self.answer = Answer()
        self.finished = asyncio.Event()
        self._runtime = Runtime.instance()
        self._session = self._runtime.connect_session(self, user_info={})

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        """Take a message of the server."""
        self.answer.add(msg)
        if self.answer.finished:
            self.finished.set()

    async def open(self, page: str, query: str = "") -> Answer:
        """Open a page and return the answer.

        Raises RuntimeError when the page shows an error, TimeoutError when it does not end.
        """
        self.answer = Answer()
        self.finished.clear()
        self._runtime.handle_backmsg(self._session, ask(page, query, walked=True))
        await asyncio.wait_for(self.finished.wait(), PATIENCE)
        if self.answer.errors:
            raise RuntimeError(f"the page {page!r} does not open: {self.answer.errors}")
        return self.answer

    def leave(self) -> None:
        """End the visit and drop its state."""
        self._runtime.close_session(self._session)


async def warm_up(every_page: bool = True) -> None:
    """Load the model and open the pages once; ValueError when there is no such model.

    Of these only the first one has to be open before a visitor comes: its picture is made of it.
    The objects that exist then are frozen, so that `collect_garbage` does not inspect them again
    and again.
    """
    with suppress(ValueError):  # a broken folder is reported when the model is loaded
        if (size := models.weights_file(models.default())[1]) > LARGE:
            print(f"Reading {models.default()}, {size / 1e6:.0f} MB ...", flush=True)
    runs.warm_up()
    visitor = FirstVisitor()
    first = await visitor.open("")
    if every_page:
        for page in first.pages:
            await visitor.open(page)
        for entry in COURSE:
            for view in entry.warmed:
                await visitor.open(entry.link, view)
    for language in languages():  # this reads its catalogue
        first = await visitor.open("", f"lang={language}")
        if sent := first.components.get(COMPONENT):
            PICTURES[language] = picture(sent)
    visitor.leave()
    gc.collect()
    gc.freeze()


async def measure_examples() -> None:
    """Open the pages that measure something, with each of the first examples.

    Visitors then find the results. Their own requests go first, and are computed in between.
    """
    visitor = FirstVisitor()
    pages = [entry.link for entry in COURSE if entry.measures]
    for sentence in examples.current().texts[:FIRST_TRIED]:
        for page in pages:
            with suppress(RuntimeError, TimeoutError):  # a visitor who opens the page sees it
                await visitor.open(page, urlencode({"sentence": sentence}))
    visitor.leave()
