"""Alignments side by side: what is refused, and what is linked."""

from typing import Any

import numpy as np
import pytest

from viz.components import alignments
from viz.components.alignments import Panel
from viz.figures.theme import LIGHT

QUERIES = ["<s>", "▁Le"]


def panel(*keys: str) -> Panel:
    return Panel("dot", "Le chat.", QUERIES, keys, np.zeros((2, len(keys)), np.float32))


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the component would get."""
    found: list[dict[str, Any]] = []
    monkeypatch.setattr(
        alignments, "renderer", lambda *_place: lambda key, data: found.append(data | {"key": key})
    )
    return found


def test_panels_that_do_not_fit_their_tokens_are_refused() -> None:
    wrong = Panel(
        "dot", "Le chat.", QUERIES, ["▁The", "▁cat", "</s>"], np.zeros((2, 4), np.float32)
    )
    with pytest.raises(ValueError, match=r"dot: \(2, 4\) weights do not fit \(2, 3\)"):
        alignments.alignments([wrong], LIGHT, "panels", "fr")


def test_pieces_are_linked_where_all_sources_are_cut_alike(sent: list[dict[str, Any]]) -> None:
    same = [panel("▁The", "▁ca", "t"), panel("▁The", "▁ca", "t")]
    alignments.alignments(same, LIGHT, "panels", "fr")
    assert sent[0]["language"] == "fr"
    assert [one["places"] for one in sent[0]["panels"]] == [[0, 1, 2], [0, 1, 2]]


def test_words_are_linked_where_sources_are_cut_differently(sent: list[dict[str, Any]]) -> None:
    alignments.alignments([panel("▁The", "▁ca", "t"), panel("▁The", "▁cat")], LIGHT, "panels", "fr")
    assert [one["places"] for one in sent[0]["panels"]] == [[0, 1, 1], [0, 1]]


def test_a_row_is_named_by_the_piece_that_it_writes(sent: list[dict[str, Any]]) -> None:
    """It reads the piece before: by that, each picture would be off by one word."""
    alignments.alignments([panel("▁The", "▁cat")], LIGHT, "panels", "fr")
    assert sent[0]["panels"][0]["queries"] == ["·Le", "</s>"]
    assert sent[0]["panels"][0]["says"] == ["writing ·Le", "writing </s>"]
