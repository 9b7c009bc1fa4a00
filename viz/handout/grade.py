"""Grade the links that pupils hand in for an assignment, and print a table as CSV.

LINKS.csv has a row for each pupil; the link may stand in any column. Each link is run through the
model. The table repeats the columns and adds the translations without and with the link's changes
(if the link has two sentences, the translation of each), "yes" or "no" for each criterion, and the
points. You judge yourself whether a translation is wrong. Without LINKS.csv, the assignment and its
criteria are printed; without an assignment, all assignments are listed.
"""

import argparse
import csv
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from model.command import called, command
from viz.compute import models, runs
from viz.handout.assignment import Assignment, assignments, holds
from viz.handout.links import HandedLink, model_of, read_link
from viz.language.text import ENGLISH, languages
from viz.server.arguments import name_models
from viz.shell.csv_file import csv_text


@command
def main() -> None:
    """Grade the links of a file, or print the assignments."""
    parser = argparse.ArgumentParser(called("viz.handout.grade"), description=__doc__)
    parser.add_argument("assignment", nargs="?", help="assignment-1 to assignment-5")
    parser.add_argument("links", nargs="?", type=Path, metavar="LINKS.csv")
    parser.add_argument("--language", default=ENGLISH, choices=languages())
    parser.add_argument("--checkpoint", metavar="NAME_OR_PATH", help="the model; en-fr by default")
    options = parser.parse_args()
    if options.checkpoint is not None:
        name_models(["--checkpoint", options.checkpoint])
    logging.getLogger("streamlit").setLevel(logging.ERROR)  # it serves nothing
    known = assignments(options.language)
    if options.assignment is None:
        print("\n".join(f"{name}  {assignment.title}" for name, assignment in known.items()))
        return
    if (assignment := known.get(options.assignment)) is None:
        raise ValueError(f"there is no {options.assignment!r}; there are: {', '.join(known)}")
    if options.links is None:
        criteria = (f"- {criterion.words}" for criterion in assignment.criteria)
        print("\n".join([assignment.title, *criteria]))
        return
    rows = _rows(options.links)
    runs.warm_up()
    print(csv_text(graded(assignment, rows)), end="")


def _rows(path: Path) -> list[list[str]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
        rows = [row for row in csv.reader(text.splitlines()) if any(row)]
    except OSError as error:
        raise ValueError(f"{path}: it cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error):
        raise ValueError(f"{path}: not a CSV file in UTF-8") from None
    if not any(_link_in(row) for row in rows):
        raise ValueError(f"{path}: no row has a link with a sentence in it")
    return rows


def graded(assignment: Assignment, rows: Sequence[Sequence[str]]) -> list[list[object]]:
    """Return the table: its head, then each row with the results.

    A first row without a link holds the names of the columns. A criterion that cannot be measured
    counts as "no", and the last column says why.
    """
    first = rows[0]
    names, rows = ([*first], rows[1:]) if not _link_in(first) else ([""] * len(first), rows)
    wide = max([len(names), *map(len, rows)])
    asked = [criterion.words for criterion in assignment.criteria]
    own = ["before", "after", *asked, "points", "of", "problem"]
    head: list[object] = [*names, *[""] * (wide - len(names)), *own]
    return [head, *([*row, *[""] * (wide - len(row)), *_graded(assignment, row)] for row in rows)]


def _graded(assignment: Assignment, row: Sequence[str]) -> list[object]:
    link_text, count = _link_in(row), len(assignment.criteria)
    try:
        if not link_text:
            raise ValueError("no link in this row")
        with models.using(model_of(link_text)):
            link = read_link(link_text)
            before, after = link.effect.before, link.effect.after
            if second := link.parameters.get("second"):
                after = runs.run(second)
            results, problems = _held(assignment, link)
    except ValueError as error:
        return ["", "", *["no"] * count, 0, count, str(error)]
    yes_or_no = ["yes" if met else "no" for met in results]
    written = before.translation.text, after.translation.text
    return [*written, *yes_or_no, sum(results), count, "; ".join(dict.fromkeys(problems))]


def _held(assignment: Assignment, link: HandedLink) -> tuple[list[bool], list[str]]:
    results: list[bool] = []
    problems: list[str] = []
    for criterion in assignment.criteria:
        try:
            results.append(holds(criterion, link))
        except ValueError as error:
            results.append(False)
            problems.append(str(error))
    return results, problems


def _link_in(row: Sequence[str]) -> str:
    """Return the cell of a row that holds a link; "" if none does."""
    return next((cell for cell in row if "sentence=" in cell), "")


if __name__ == "__main__":
    sys.exit(main())
