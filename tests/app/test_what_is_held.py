"""A visitor who has gone on holds nothing of the sentences that were looked at before."""

import gc
import weakref

from streamlit.util import calc_hash

from tests.app.conftest import FIRST, start
from tests.app.test_foreign_text import PAGES
from viz.compute import runs
from viz.sharing.kept import SHELF

SENTENCE = "Nobody holds this sentence."


def test_what_was_looked_at_on_every_page_is_let_go() -> None:
    page = start("about", sentence=SENTENCE)
    run = weakref.ref(runs.run(SENTENCE))
    for name in sorted({*PAGES} - {FIRST}):
        page._page_hash = calc_hash(name)
        page.run()
        assert not page.exception
        assert page.session_state["sentence"] == SENTENCE
    page.text_input(key="sentence").set_value("Another one.").run()
    assert not page.exception
    SHELF.remove(lambda _key: True)
    gc.collect()
    assert run() is None
