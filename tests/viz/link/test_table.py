"""One table of all parameters of the link, and nobody else who reads or writes them."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from viz.course.pages import COURSE
from viz.link.address import BOUND, put
from viz.link.table import ALONG, NAMES, TABLE, UNDONE, parameter

VIZ = Path(__file__).parents[3] / "viz"
SOURCES = {path: path.read_text(encoding="utf-8") for path in VIZ.rglob("*.py")}
BY_HAND = ("choose_one", "choose_number", "choose_view", "choose_kind")
"""Controls that stand in the link by our own hand, under the key that is their last argument."""


def keys() -> set[str]:
    """List the keys of all controls in the link, where they are written out."""
    found: set[str] = set()
    for source in SOURCES.values():
        tree = ast.parse(source)
        named = {
            node.targets[0].id: node.value.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Constant)
        }
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            given = {word.arg: word.value for word in call.keywords}
            called = call.func.id if isinstance(call.func, ast.Name) else ""
            key = given.get("key") if "bind" in given else None
            if called in BY_HAND and "link" not in given and len(call.args) > 1:
                key = call.args[1 if called in ("choose_view", "choose_kind") else 2]
            if isinstance(key, ast.Constant):
                found.add(str(key.value))
            elif isinstance(key, ast.Name) and key.id in named:
                found.add(str(named[key.id]))
    return found


def test_every_control_in_the_link_is_in_the_table() -> None:
    assert len(keys()) > 50
    assert keys() <= NAMES


def test_a_name_has_one_meaning_on_a_page() -> None:
    assert max(Counter((one.name, one.page) for one in TABLE).values()) == 1
    everywhere = {one.name for one in TABLE if not one.page}
    assert everywhere & {one.name for one in TABLE if one.page} == set()
    assert {one.page for one in TABLE} <= {"", *(entry.link for entry in COURSE)}


def test_a_value_comes_back_from_its_text() -> None:
    values = {"layer": 4, "step": 0, "strategy": "beam", "penalty": 1.5, "top_k": 7, "node": 0}
    for name, value in values.items():
        row = parameter(name, "decoder")
        assert row.form.read(row.said(value)) == value
    for text, head in (("5.6", (4, 5)), ("mean", None)):
        assert parameter("head_2", "two_models").form.read(text) == head
        assert parameter("head_2", "two_models").form.write(head) == text


def test_what_a_link_need_not_say_is_not_said() -> None:
    for row in TABLE:
        assert row.said(row.default) == ""


@pytest.mark.parametrize("text", ["0", "-1", "x", "²", "1e3", "99999", "nan", "5,6", "5.", ".6"])
def test_a_text_that_makes_no_sense_is_refused(text: str) -> None:
    for row in (parameter("layer"), parameter("head_1", "two_models")):
        with pytest.raises(ValueError, match="expected"):
            row.form.read(text)


def test_what_goes_along_and_what_back_takes_back() -> None:
    assert set(ALONG) == {"sentence", "edits", "model", "lang", "cover", "present", "class", "lead"}
    assert set(UNDONE) == {"edits", "step"}


def test_what_is_not_in_the_table_is_not_written() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        put({"nonsense": "1"})


def test_only_this_room_touches_the_query_parameters() -> None:
    outside = {path: text for path, text in SOURCES.items() if path.parent != VIZ / "link"}
    assert len(SOURCES) - len(outside) > 5
    assert [path for path, text in outside.items() if re.search(r"query[_-]params", text)] == []
    assert any(BOUND in text for path, text in SOURCES.items() if path not in outside)
