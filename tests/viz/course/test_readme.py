"""The README's table of pages: a line for each, which the page's own package says."""

from importlib import import_module
from pathlib import Path

from viz.course.entry import PageEntry
from viz.course.pages import COURSE
from viz.shell.navigation import title_of

README = Path(__file__).parents[3] / "README.md"


def line(entry: PageEntry) -> str:
    """Write the line of a page."""
    said = " ".join((import_module(f"viz.pages.{entry.link}").__doc__ or "").split())
    return f"| {entry.heading or title_of(entry)} | {said} |"


def test_the_readme_has_a_line_for_each_page_in_the_order_of_the_course() -> None:
    table = README.read_text(encoding="utf-8").partition("| page | what it shows |\n|---|---|\n")[2]
    assert table.partition("\n\n")[0] == "\n".join(map(line, COURSE))
