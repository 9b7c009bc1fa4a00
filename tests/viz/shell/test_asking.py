"""A class is asked of the decoder's query by the word that was written before it looks."""

import pytest

from model.sites.sites import Kind
from tests.sentences import OURS
from viz.compute import runs
from viz.course.pages import named
from viz.shell.class_screen import asking


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_run", lambda: runs.run(OURS.texts[0]))
    monkeypatch.setattr(asking, "place", lambda _entry: "")


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_a_query_of_the_decoder_is_what_follows_a_word(kind: Kind) -> None:
    queries, keys = asking.sides(kind)
    query, key = queries[-2], keys[0]
    where = asking.where(named("attention"), kind, 4, 2, query)
    which = asking.which_head(named("attention"), kind, query, key)
    for question in (where, which):
        written = f"once *{query.text}* is written" in question.text
        assert written == (kind != "encoder")
