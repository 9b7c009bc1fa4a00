"""One head before and after a change: two pictures of its weights, side by side."""

from html import escape

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from viz.components.miniatures import head_picture
from viz.figures.theme import Scale
from viz.figures.weights import sharpness
from viz.language.text import _

KEY = "two pictures"


def two_pictures(
    before: NDArray[np.floating],
    after: NDArray[np.floating],
    titles: tuple[str, str],
    name: str,
    scale: Scale,
) -> None:
    """Draw the weights (query, key) of the head of this name under two titles.

    Below each stands the largest weight of a row, as a mean over queries.
    """
    figures = [
        _figure(weights, title, name, scale)
        for weights, title in zip((before, after), titles, strict=True)
    ]
    with st.container(key=KEY):
        st.html(f'<div class="two-pictures">{"<b>→</b>".join(figures)}</div>')


def _figure(weights: NDArray[np.floating], title: str, name: str, scale: Scale) -> str:
    largest = _("largest weight of a row: {share:.0%}").format(share=sharpness(weights)[1])
    told = escape(f"{name}, {title}: {largest}")
    return (
        f"<figure><figcaption><b>{escape(title)}</b> {escape(name)}</figcaption>"
        f'<img src="{head_picture(weights, scale)}" alt="{told}">'
        f"<figcaption>{escape(largest)}</figcaption></figure>"
    )
