"""Tables of numbers, as a class and as anybody else sees them."""

from collections.abc import Callable

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from viz.figures.letters import STAGE
from viz.figures.table import MISSING


def rows() -> None:
    from viz.figures.table import show_table

    found = [{"head": "6.4", "count": 37, "share": 0.25, "all": 8}, {"head": "6.5", "all": 64}]
    show_table([*found, {"head": "6.6", "count": 0, "share": 2.0, "all": 8}])


def columns() -> None:
    from viz.figures.table import show_table

    nothing = float("nan")
    show_table(
        {
            "head": ["6.4", "6.5", "6.6"],
            "count": [37, None, 0],
            "share": [0.25, nothing, 2.0],
            "all": [8, 64, 8],
        }
    )


def shown(script: Callable[[], None], stage: bool) -> AppTest:
    page = AppTest.from_function(script)
    page.session_state[STAGE] = stage
    page.run()
    assert not page.exception
    return page


@pytest.mark.parametrize("script", [rows, columns])
def test_a_class_sees_the_digits_that_the_interactive_table_has(script: Callable[[], None]) -> None:
    (table,) = shown(script, stage=True).table
    assert table.value.to_dict("list") == {
        "head": ["6.4", "6.5", "6.6"],
        "count": ["37", MISSING, "0"],
        "share": ["0.25", MISSING, "2"],
        "all": [8, 64, 8],
    }


def test_anybody_else_gets_the_interactive_table(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []
    monkeypatch.setattr(st, "dataframe", lambda _rows, **options: asked.append(options))
    shown(rows, stage=False)
    usual = {"hide_index": True, "height": "auto", "placeholder": MISSING}
    assert asked == [usual | {"column_config": None}]


def linked() -> None:
    from viz.figures.table import show_table

    show_table([{"head": "6.4", "open": "atlas?head=4"}], link="open")


def test_addresses_are_links_for_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    (table,) = shown(linked, stage=True).table
    assert table.value.to_dict("list")["open"] == ["[open](atlas?head=4)"]
    asked: list[dict[str, dict[str, dict[str, object]]]] = []
    monkeypatch.setattr(st, "dataframe", lambda _rows, **options: asked.append(options))
    shown(linked, stage=False)
    column = asked[0]["column_config"]["open"]
    assert column["type_config"] == {"type": "link", "display_text": "open"} | {
        name: None for name in ("max_chars", "validate")
    }
