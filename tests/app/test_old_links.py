"""Links that people made before still open what they opened then.

old_links.json says what each link opened in the code as it was before its folders were rebuilt.
Another model opens the same views with other numbers: `python -m tests.app.test_old_links` writes
the file anew, and the difference shows whether more than numbers and words of French changed.
"""

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.app.conftest import start
from tests.app.shown import Shown, shown
from viz.server.redirects import moved_link

CORPUS = Path(__file__).parent / "old_links.json"
ENTRIES: list[Shown] = json.loads(CORPUS.read_text(encoding="utf-8"))


def opened(link: str) -> Shown:
    """Open a link, "page?name=value", as the server redirects it, and sum up what it shows."""
    asked = urlsplit(link)
    where = urlsplit(moved_link(asked.path, asked.query) or link)
    page, parameters = where.path, parse_qs(where.query, keep_blank_values=True)
    given = {name: values if len(values) > 1 else values[0] for name, values in parameters.items()}
    app = start(page, **given)
    assert not app.exception
    return {"link": link, **json.loads(json.dumps(shown(app, given)))}


def near(expected: object) -> object:
    """Let numbers differ by rounding, wherever they stand."""
    if isinstance(expected, dict):
        return {name: near(value) for name, value in expected.items()}
    if isinstance(expected, list):
        return [near(value) for value in expected]
    return pytest.approx(expected, abs=3e-4) if isinstance(expected, float) else expected


POSITIONS = "positions?positions=the+model"
"""The view that stands on another page today, and whose own parameters are edits now."""


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["link"] for entry in ENTRIES])
def test_an_old_link_opens_what_it_opened(entry: Shown) -> None:
    found = opened(entry["link"])
    if entry["link"].startswith(POSITIONS):
        found, entry = common(found), common(entry)
    assert found == near(entry)


def common(entry: Shown) -> Shown:
    """Leave out how the changed positions are named and chosen, in chips, titles and controls."""
    kept = {name: entry["chosen"].get(name) for name in ("kind", "layer", "head", "sentence")}
    figures = [{**figure, "titles": len(figure["titles"])} for figure in entry.get("figures", [])]
    bare = {name: value for name, value in entry.items() if name != "chips"}
    return {**bare, "chosen": kept, "figures": figures}


def test_every_page_is_among_the_old_links() -> None:
    assert len(ENTRIES) >= 40
    pages = {urlsplit(entry["link"]).path for entry in ENTRIES}
    assert len(pages) == 16


def written(entries: list[Shown]) -> str:
    """Write entries as JSON, a line for each thing shown."""
    lines = [
        ",\n".join(f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in e.items())
        for e in entries
    ]
    return "[\n" + ",\n".join(f" {{\n{line}\n }}" for line in lines) + "\n]\n"


if __name__ == "__main__":
    CORPUS.write_text(written([opened(entry["link"]) for entry in ENTRIES]), encoding="utf-8")
