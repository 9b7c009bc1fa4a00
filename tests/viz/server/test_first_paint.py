"""The style that comes with the page itself: what is true of one page stands in its folder."""

import re
from pathlib import Path

from viz.server.first_paint import STYLE

VIZ = Path(__file__).parents[3] / "viz"
SHARED = (VIZ / "server" / "first_paint" / "assets").glob("*.css")
SOURCES = {path: path.read_text(encoding="utf-8") for path in VIZ.rglob("*.py")}


def homes(key: str) -> set[Path]:
    """List the folders below `viz/pages`, and others, whose code draws under a key."""
    written = re.compile(f'"{key.replace("-", "[ _-]")}"')
    found = {path.relative_to(VIZ).parts for path, text in SOURCES.items() if written.search(text)}
    return {Path(*parts[: 2 if parts[0] == "pages" else 1]) for parts in found}


def test_every_folder_adds_its_style() -> None:
    sheets = list(VIZ.rglob("page.css"))
    assert len(sheets) > 10
    assert [path for path in sheets if path.read_text(encoding="utf-8") not in STYLE] == []


def test_no_rule_of_a_single_page_is_among_those_of_all_pages() -> None:
    shared = "\n".join(path.read_text(encoding="utf-8") for path in SHARED)
    keys = set(re.findall(r"\.st-key-([\w-]+)", shared))
    assert homes("aligned") == {Path("pages/recurrent"), Path("pages/two_models")}
    of_one_page = {key: folders for key in keys if len(folders := homes(key)) == 1}
    assert {key for key, (folder,) in of_one_page.items() if folder.parts[0] == "pages"} == set()
