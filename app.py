"""Headlight: `streamlit run app.py`, or `streamlit run app.py -- --checkpoint PATH`."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

import viz
from viz.link.framing import site
from viz.server.arguments import name_models
from viz.server.class_requests import Classroom, forget_idle_classes
from viz.server.first_paint import FirstPaint
from viz.server.gone import ignore_the_gone
from viz.server.guard import Guard
from viz.server.headers import SafeHeaders, steered_by_framers
from viz.server.redirects import Redirects
from viz.server.reruns import Reruns
from viz.server.supported import unsupported

if reason := unsupported(sys.version_info[:2]):
    sys.exit(reason)

try:
    steered_by_framers()
    site()
except ValueError as error:
    sys.exit(f"Headlight does not start: {error}")

# Under another server the arguments belong to that server.
name_models(sys.argv[1:], ours=Path(sys.argv[0]).name == Path(__file__).name)

# Set before numpy is imported: on a busy machine its threads wait for each other, and a small
# singular value decomposition takes a second instead of a millisecond.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

ignore_the_gone()


def _wanted(variable: str) -> bool:
    """Tell whether to work ahead of visitors; a test that needs few pages says no."""
    return os.environ.get(variable, "1") != "0"


@asynccontextmanager
async def warm(_: st.App) -> AsyncIterator[None]:
    """Load the model before the first visitor, and clean up at the end.

    The modules for it are imported late, once Streamlit's caches exist.
    """
    from viz.server.ahead import open_ahead
    from viz.server.beside import logged
    from viz.server.garbage import collect_garbage
    from viz.server.warm_up import announce, measure_examples, warm_up

    try:
        await warm_up(_wanted("HEADLIGHT_OPENS_AHEAD"))
    except ValueError as error:
        print(f"Headlight does not start: {error}", file=sys.stderr, flush=True)
        os._exit(1)  # an error that leaves a lifespan is printed with 45 lines of traceback
    announce()
    works = [collect_garbage, forget_idle_classes, open_ahead]
    if _wanted("HEADLIGHT_MEASURES_AHEAD"):
        works.append(measure_examples)
    beside = [asyncio.create_task(logged(work)) for work in works]
    yield
    for task in beside:
        task.cancel()
    await asyncio.gather(*beside, return_exceptions=True)


app = st.App(
    str(Path(viz.__file__).parent / "shell" / "main.py"),
    lifespan=warm,
    middleware=[
        Middleware(SafeHeaders),
        Middleware(Guard),
        Middleware(Classroom),
        Middleware(Redirects),
        Middleware(Reruns),
        # A first visit takes 1.2 MB instead of 3.1; level 9 takes twice the time for 2 % less.
        Middleware(GZipMiddleware, compresslevel=5),
        Middleware(FirstPaint),
    ],
)
