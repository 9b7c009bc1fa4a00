"""Pages, and parts of pages that run alone, are drawn one at a time."""

import threading

from streamlit.testing.v1 import AppTest

from tests.app.conftest import start
from tests.viz.sharing.test_turns import LONG, until
from viz.sharing.turns import TURNS

PART = """
import streamlit as st
from viz.sharing.turns import TURNS
from viz.shell.fragment import fragment

@fragment
def part(name):
    st.text(f"{name} {TURNS._mine()}")

part("in its turn:")
st.text(f"after it: {TURNS._mine()}")
"""


def test_a_page_waits_for_its_turn() -> None:
    opened: list[AppTest] = []
    visitor = threading.Thread(target=lambda: opened.append(start("by_hand")))
    with TURNS.taken():
        visitor.start()
        until(lambda: len(TURNS._waiting) == 1)
        assert opened == []
    visitor.join(LONG)
    assert not opened[0].exception
    assert opened[0].latex


def test_a_part_that_runs_alone_takes_its_turn() -> None:
    page = AppTest.from_string(PART).run()
    assert [text.value for text in page.text] == ["in its turn: True", "after it: False"]
