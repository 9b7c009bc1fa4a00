"""The weights of one query that the page makes, and what it does with them, are the app's."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from model.interventions import link_text
from model.interventions.attention import SetAttention, TurnAttention
from model.interventions.base import Intervention
from model.sites.sites import Head
from tests.sentences import TIRED_OR_WIDE
from tests.viz.live.engine import Engine
from viz.compute import ancestors, openings, runs, traces
from viz.link.edits import replaced
from viz.pages.trace.weight_bars import distribution

FIRST, SECOND = TIRED_OR_WIDE.first, TIRED_OR_WIDE.second
ROWS = [(Head("encoder", 4, 2), 11), (Head("decoder", 1, 0), 5), (Head("cross", 4, 5), 12)]
HEADS = 8


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as opened:
        opened.open()
        yield opened


def freed(among: Sequence[Intervention], view: Head, query: int) -> tuple[Intervention, ...]:
    rest = replaced(among, SetAttention, **vars(view), query=query)
    heads = ((view.layer, view.head),)
    return replaced(rest, TurnAttention, kind=view.kind, query=query, heads=heads)


def with_weights(
    among: Sequence[Intervention], view: Head, query: int, weights: Sequence[float]
) -> tuple[Intervention, ...]:
    row = SetAttention(view.kind, view.layer, view.head, query, tuple(weights))
    return *freed(among, view, query), row


def row_of(view: Head, query: int) -> dict[str, Any]:
    return {**vars(view), "query": query}


@pytest.mark.parametrize(("view", "query"), ROWS)
def test_a_row_and_its_buttons_are_the_same(engine: Engine, view: Head, query: int) -> None:
    run = runs.run(FIRST)
    _queries, keys = run.recording.tokens(view.kind)
    count = query + 1 if view.kind == "decoder" else len(keys)
    uniform = distribution(np.full(count, 1 / count))
    now = with_weights((), view, query, uniform)
    asked = {"text": FIRST, "donor": SECOND, "row": row_of(view, query)}
    found = engine.ask("weights", **asked, edits=link_text.write(now))
    own = run.recording.attention(view.kind)[view.layer, view.head, query, :count]
    np.testing.assert_allclose(found["own"], own, atol=1e-4)
    assert found["weights"] == list(uniform)
    turned = traces.answers_when_turned(FIRST, SECOND, view, query, count)
    np.testing.assert_allclose(found["turned"], turned, atol=1e-4)
    in_layer = now
    for head in range(HEADS):
        in_layer = with_weights(in_layer, Head(view.kind, view.layer, head), query, uniform)
    edits = found["edits"]
    assert edits["uniform"] == link_text.write(now)
    assert edits["layer"] == link_text.write(in_layer)
    assert edits["free"] == ""
    other = traces.rows_of_other(FIRST, SECOND, view.kind, query)[view.layer, view.head, :count]
    (given,) = link_text.read(edits["other"]).interventions
    assert isinstance(given, SetAttention)
    np.testing.assert_allclose(given.weights, distribution(other), atol=1.01e-4)
    assert sum(given.weights) == pytest.approx(1)


def test_a_turned_query_has_all_weight_there_and_can_be_freed(engine: Engine) -> None:
    view, query = ROWS[0]
    edits = engine.ask("weigh", edits="", row=row_of(view, query), key=3)
    expected = TurnAttention(view.kind, query, (3,), ((view.layer, view.head),))
    assert edits == link_text.write((expected,))
    found = engine.ask("weights", text=FIRST, donor=SECOND, row=row_of(view, query), edits=edits)
    assert [key for key, weight in enumerate(found["weights"]) if weight] == [3]
    assert found["edits"]["free"] == ""


def test_dragged_weights_replace_those_before(engine: Engine) -> None:
    view, query = ROWS[0]
    row, count = row_of(view, query), len(runs.source(FIRST).ids)
    turned = engine.ask("weigh", edits="zero.e.1.1", row=row, key=3)
    dragged = [0.5, *np.full(count - 1, 0.5 / (count - 1)).tolist()]
    edits = engine.ask("weigh", edits=turned, row=row, weights=dragged)
    kept = link_text.read("zero.e.1.1").interventions
    expected = with_weights(kept, view, query, distribution(np.array(dragged)))
    assert edits == link_text.write(expected)


def test_a_query_without_a_partner_has_no_weights_of_the_other(engine: Engine) -> None:
    first, second = "The cat sleeps on the mat.", "The black cat sleeps on a big chair."
    row = row_of(Head("encoder", 0, 0), 2)
    with pytest.raises(ValueError, match="no partner"):
        traces.rows_of_other(first, second, "encoder", 2)
    assert engine.ask("weights", text=first, donor=second, row=row)["edits"]["other"] is None


def test_it_opens_at_the_same_head_and_query(engine: Engine) -> None:
    own = "The black cat sleeps on a big chair."
    first = openings.opening(own)
    layer, head = first.head(first.kind)
    found = engine.ask("opensAt", text=own, aligned=ancestors.best_aligned())
    query = first.word if first.kind == "encoder" else first.step
    assert found == {"kind": first.kind, "layer": layer, "head": head, "query": query}
