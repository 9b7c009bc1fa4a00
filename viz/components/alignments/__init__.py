"""Alignments side by side: panels of query by key, which show the pointer together."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.words import SPECIAL_TOKENS, parted, word_numbers
from viz.components.component import palette, renderer
from viz.components.two_texts import gap, new_words
from viz.figures.labels import writing
from viz.figures.theme import Theme, key_axis, query_axis, token_text
from viz.language.text import _
from viz.language.wording import in_a_row

_MAIN = Path(__file__).parent / "assets" / "alignments.js"


@dataclass(frozen=True, eq=False)
class Panel:
    """One model: its name, its own translation, and weights (T, S), None without attention.

    `note` replaces the weights, or says more about them. `measured` stands beside the title, and
    `bracketed` is a column that it mentions. `off` is True if the head is switched off. Each row
    reads one of the `queries`, and is named by the piece that it writes, the next one. `keys` name
    the columns: the pieces of the source, which another model may cut differently.
    """

    title: str
    translation: str
    queries: Sequence[str]
    keys: Sequence[str]
    weights: NDArray[np.float32] | None
    note: str = ""
    measured: str = ""
    bracketed: int | None = None
    off: bool = False


@dataclass(frozen=True)
class Listed:
    """How panels are listed: one panel, at first number `chosen`, is drawn large.

    Words that the text `reference` lacks are marked, and `marks` explains the mark. `scores` are
    numbers of at least 0, drawn as bars; None for a panel without a score. `score` names them.
    `notes` stand beside the panels' titles.
    """

    chosen: int
    reference: str
    scores: Sequence[float | None]
    score: str
    notes: Sequence[str]
    marks: str


def alignments(
    panels: Sequence[Panel], theme: Theme, key: str, language: str, listed: Listed | None = None
) -> None:
    """Draw the panels, all large or `listed`.

    The pointer on a cell marks its query and its key in all panels, or writes the weight beside
    each panel. If the models cut the source differently, it marks the whole word of the key.
    `language` is the code of the translations' language, "" if unknown. Raises ValueError when the
    tokens do not fit the weights.
    """
    for panel in panels:
        shape = (len(panel.queries), len(panel.keys))
        if panel.weights is not None and panel.weights.shape != shape:
            raise ValueError(f"{panel.title}: {panel.weights.shape} weights do not fit {shape}")
    by_word = len({tuple(panel.keys) for panel in panels}) > 1
    renderer("alignments", _MAIN)(
        key=key,
        data={
            "panels": [_panel(panel, by_word) for panel in panels],
            "language": language,
            "palette": palette(),
            "scale": [list(stop) for stop in theme.sequential],
            "words": {
                "query": query_axis(),
                "key": key_axis(),
                "weight": _("weight"),
                "corner": [_("query"), _("key")],
            },
            "listed": None if listed is None else _listed(listed, panels),
        },
    )
    scale = (
        _("White is 0, full blue is 1.") if theme.name == "light" else _("Black is 0, white is 1.")
    )
    rows = _("Rows: {query}, by the piece that is written then. Columns: {key}.")
    st.caption(in_a_row((rows.format(query=query_axis(), key=key_axis()), scale)))


def _listed(listed: Listed, panels: Sequence[Panel]) -> dict[str, object]:
    """Return each translation as parts, (text, True if the reference lacks it), and its bar."""
    reference = parted(listed.reference)
    parts_of: list[list[tuple[str, bool]]] = []
    for panel in panels:
        words = parted(panel.translation)
        new = new_words(reference, words)
        parts = [((gap(word), False), (word.lstrip(), at in new)) for at, word in enumerate(words)]
        parts_of.append([part for pair in parts for part in pair])
    most = max((score for score in listed.scores if score is not None), default=1.0)
    return {
        "chosen": listed.chosen,
        "texts": parts_of,
        "shares": [None if score is None else score / most for score in listed.scores],
        "scores": [None if score is None else f"{score:.1f}" for score in listed.scores],
        "score": listed.score,
        "notes": listed.notes,
        "marks": listed.marks if any(new for parts in parts_of for _text, new in parts) else "",
    }


def _panel(panel: Panel, by_word: bool) -> dict[str, object]:
    weights = None if panel.weights is None else np.round(panel.weights, 4).tolist()
    return {
        "title": panel.title,
        "translation": panel.translation,
        "keys": [token_text(token) for token in panel.keys],
        "places": word_numbers(panel.keys) if by_word else list(range(len(panel.keys))),
        "queries": [token_text(token) for token in (*panel.queries[1:], SPECIAL_TOKENS[2])],
        "says": [writing(panel.queries, row) for row in range(len(panel.queries))],
        "weights": weights,
        "note": panel.note,
        "measured": panel.measured,
        "bracketed": panel.bracketed,
    }
