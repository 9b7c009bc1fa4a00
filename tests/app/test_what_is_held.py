"""A visitor who has gone on holds nothing of the sentences that were looked at before."""

import gc
import weakref

import pytest
from streamlit.util import calc_hash

from tests.app.conftest import FIRST, OpenPage
from tests.app.test_foreign_text import PAGES
from viz.compute import runs
from viz.sharing.kept import SHELF

SENTENCE = "Nobody holds this sentence."


@pytest.mark.parametrize("name", sorted({*PAGES} - {FIRST}))
def test_what_was_looked_at_is_let_go(open_page: OpenPage, name: str) -> None:
    page = open_page(name, sentence=SENTENCE)
    assert not page.exception
    run = weakref.ref(runs.run(SENTENCE))
    page._page_hash = calc_hash("about" if name != "about" else "tokens")
    page.query_params["sentence"] = "Another one."
    page.run()
    assert not page.exception
    SHELF.remove(lambda _key: True)
    gc.collect()
    assert run() is None
