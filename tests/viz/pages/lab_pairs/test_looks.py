"""What one head looks at in both sentences of a pair, by words."""

import numpy as np
import pytest

from model.sites.sites import Head, Kind
from tests.sentences import EXAMPLES, FIRST_SENTENCE
from viz.compute import pairs
from viz.pages.lab_pairs.looks import looks

WIDE = EXAMPLES["too wide"]
IT = 11


def test_a_row_of_the_encoder_is_summed_by_words() -> None:
    pair = pairs.pair(FIRST_SENTENCE, WIDE)
    first, second = looks(pair, Head("encoder", 5, 3), IT)
    assert first is not None
    assert second is not None
    assert (first.named, second.named) == (("it", "animal"), ("it", "street"))
    row = pair.first.recording.attention("encoder")[5, 3, IT]
    assert first.weights.sum() == pytest.approx(row.sum(), abs=1e-5)
    place = [word.text for word in first.words["source"]].index("because")
    assert first.weights[place] == pytest.approx(row[9] + row[10], abs=1e-6)


@pytest.mark.parametrize("kind", ["cross", "decoder"])
def test_elsewhere_the_query_is_the_word_that_is_written(kind: Kind) -> None:
    pair = pairs.pair(FIRST_SENTENCE, WIDE)
    seen = looks(pair, Head(kind, 5, 1), 0)
    assert [look and look.named[0] for look in seen] == ["il", "elle"]
    for look, side in zip(seen, (pair.first, pair.second), strict=True):
        assert look is not None
        assert look.lines == ("target", "source" if kind == "cross" else "target")
        row = side.recording.attention(kind)[5, 1, -1]
        assert look.weights.sum() == pytest.approx(row.sum(), abs=1e-5)


def test_a_sentence_without_the_query_has_no_look() -> None:
    pair = pairs.pair("I like dogs.", "I like big dogs.")
    slot = next(place for place, one in enumerate(pair.slots) if one.first is None)
    first, second = looks(pair, Head("encoder", 0, 0), slot)
    assert first is None
    assert second is not None
    assert np.isfinite(second.weights).all()


def test_the_query_to_begin_with_is_the_one_that_changes_most() -> None:
    assert pairs.pair(FIRST_SENTENCE, WIDE).restless() == IT
