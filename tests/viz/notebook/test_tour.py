"""The notebook runs from top to bottom."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.viz.notebook.played import play, read

TOUR = Path(__file__).parents[3] / "notebooks" / "tour.ipynb"


@pytest.mark.filterwarnings("default")  # of the machinery of notebooks
def test_the_tour_runs_from_top_to_bottom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TOUR.parents[1]))  # as if it were installed
    notebook = read(TOUR)
    assert play(notebook, TOUR.parent) == ""
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert {"text/html", "image/svg+xml"} <= kinds
    printed = "".join(output.get("text", "") for output in shown)
    plain, off = printed.splitlines()[:2]
    assert plain.replace("elle", "il") == off != plain
    parts, whole = re.search(r"add up to ([\d.]+) of ([\d.]+)", printed).groups()  # pyrefly: ignore[missing-attribute]
    assert float(parts) == pytest.approx(float(whole), rel=0.1)
    assert not [text for text in _texts(shown) if len(text) > 10_000 or "object at" in text]
    assert not [output for output in shown if output.output_type == "error"]


def _texts(shown: list[Any]) -> list[str]:
    return [output.data.get("text/plain", "") for output in shown if "data" in output]


@pytest.mark.parametrize("name", ["tour", "atlas"])
@pytest.mark.filterwarnings("default")
def test_where_headlight_is_missing_the_first_cell_asks_for_its_address(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    notebook = read(TOUR.with_name(f"{name}.ipynb"))
    notebook.cells = [next(cell for cell in notebook.cells if cell.cell_type == "code")]
    assert "Write the repository's address" in play(notebook, tmp_path)


def test_the_tour_is_kept_without_what_it_showed() -> None:
    notebook = read(TOUR)
    assert not [cell for cell in notebook.cells if cell.get("outputs")]
