"""The notebook about the atlas runs from top to bottom."""

from pathlib import Path

import pytest

from model import load_translator
from model.measures.atlas.atlas import load_atlas
from model.sites.sites import Head
from tests.viz.notebook.played import play, read

ATLAS = Path(__file__).parents[3] / "notebooks" / "atlas.ipynb"


@pytest.mark.filterwarnings("default")  # of the machinery of notebooks
def test_the_notebook_runs_from_top_to_bottom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ATLAS.parents[1]))  # as if it were installed
    notebook = read(ATLAS)
    assert play(notebook, ATLAS.parent) == ""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "error"]
    printed = "".join(output.get("text", "") for output in outputs)
    atlas = load_atlas(load_translator("en-fr").folder)
    holds, of = atlas.share(Head("encoder", 5, 3), "antecedent")
    assert f"in {holds} of {of} sentences" in printed
    assert "rank correlation" in printed


def test_the_notebook_is_kept_without_what_it_showed() -> None:
    notebook = read(ATLAS)
    assert not [cell for cell in notebook.cells if cell.get("outputs")]
