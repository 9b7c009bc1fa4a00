"""Headlight: `streamlit run app.py`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware


@asynccontextmanager
async def warm(_: st.App) -> AsyncIterator[None]:
    """Load the model before the first visitor; imported late, once Streamlit's caches exist."""
    from viz.compute import warm_up
    from viz.state import FIRST_SENTENCE

    warm_up(FIRST_SENTENCE)
    yield


app = st.App("viz/shell/main.py", lifespan=warm, middleware=[Middleware(GZipMiddleware)])
