"""The notebooks to hand out run to the end when they are solved, and only then."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from tests.viz.notebook import played

FOLDER = Path(__file__).parents[3] / "docs" / "assignments"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
BLOCK = re.compile(r"^( *)#+ BEGIN SOLUTION\n.*?^ *#+ END SOLUTION", re.DOTALL | re.MULTILINE)
LINE = re.compile(r"= .*# SOLUTION$", re.MULTILINE)


def read(name: str) -> Any:  # noqa: ANN401
    return played.read(FOLDER / f"{name}.ipynb")


def without_solutions(notebook: Any) -> Any:  # noqa: ANN401
    """Make the version for students, as nbgrader and otter do by these marks."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            blank = BLOCK.sub(r"\1raise NotImplementedError()", cell.source)
            cell.source = LINE.sub("= ...", blank)
    return notebook


def run(notebook: Any, monkeypatch: pytest.MonkeyPatch) -> str:  # noqa: ANN401
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parents[1]))  # as if it were installed
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    return played.play(notebook, FOLDER)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("default")  # of the machinery of notebooks
def test_a_solved_assignment_passes_its_tests(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(read(name), monkeypatch) == ""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("default")
def test_without_its_solutions_it_fails(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = without_solutions(read(name))
    text = "".join(cell.source for cell in notebook.cells if cell.cell_type != "raw")
    assert not re.search("(BEGIN|END) SOLUTION|# SOLUTION", text)  # a grader reads all cells
    assert run(notebook, monkeypatch)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_kept_without_what_it_showed(name: str) -> None:
    assert not [cell for cell in read(name).cells if cell.get("outputs")]


def test_both_graders_have_one() -> None:
    """Each cell of tests has points for nbgrader; each question of otter is closed."""
    graded = [cell.metadata.get("nbgrader") for name in NAMES for cell in read(name).cells]
    tests = [one for one in graded if one and one["grade"]]
    assert tests
    assert all(one["points"] > 0 and one["locked"] for one in tests)
    raw = [cell.source for name in NAMES for cell in read(name).cells if cell.cell_type == "raw"]
    begun = [text.split("\n")[0] for text in raw if text.startswith("# BEGIN")]
    ended = [text for text in raw if text.startswith("# END")]
    assert sorted(text.removeprefix("# BEGIN") for text in begun) == sorted(
        text.removeprefix("# END") for text in ended
    )
    assert "# BEGIN QUESTION" in begun


def test_tests_of_otter_say_nothing_and_students_get_its_first_cell() -> None:
    """Otter makes doctests of them, which fail at any output; `grader` is made in its own cell."""
    inside, tests = False, list[str]()
    for cell in read("a_head_that_is_a_cause").cells:
        if cell.cell_type == "raw":
            assert "init_cell: false" not in cell.source
            inside = inside != ("TESTS" in cell.source)
        elif inside:
            tests.append(cell.source)
    assert tests
    for source in tests:
        statements = ast.parse(source).body
        assert all(isinstance(one, ast.Assert | ast.Assign) for one in statements), source
