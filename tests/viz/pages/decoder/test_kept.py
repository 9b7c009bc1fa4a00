"""What the views about the cache draw."""

import numpy as np
import pytest

from model.interventions.heads import AblateHead
from model.interventions.sharing import ShareKeysValues
from tests.viz.drawn import layout, traces
from viz.figures.theme import DARK, LIGHT
from viz.pages.decoder.kept_figure import COMPUTED, KEPT, NOTHING, kept_figure, needed, steps_figure
from viz.pages.decoder.shared_figure import shared_figure
from viz.pages.decoder.shared_panel import divisors, shared_size, sharing


def test_a_step_computes_one_column_and_keeps_the_keys_and_values_before() -> None:
    found = needed(3, 4, 2, keeps=True)
    assert found.own.tolist() == [
        [NOTHING, NOTHING, COMPUTED, NOTHING],
        [KEPT, KEPT, COMPUTED, NOTHING],
        [KEPT, KEPT, COMPUTED, NOTHING],
    ]
    assert (found.memory == KEPT).all()
    assert (needed(1, 4, 2, keeps=True).memory == COMPUTED).all()


def test_without_the_cache_all_is_computed_anew() -> None:
    found = needed(3, 4, 2, keeps=False)
    assert (found.own[:, :3] == COMPUTED).all()
    assert (found.own[:, 3] == NOTHING).all()
    assert (found.memory == COMPUTED).all()


@pytest.mark.parametrize("given", [0, 5])
def test_a_step_that_is_not_there_is_refused(given: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 4 pieces before it, not {given}"):
        needed(given, 4, 2, keeps=True)


def test_the_picture_has_a_colour_for_each_part_and_state() -> None:
    figure = kept_figure(2, ["<s>", "▁Il"], ["▁It", "</s>"], DARK)
    own, memory, afresh, again = traces(figure)[:4]
    np.testing.assert_array_equal(own.z, [[0, 2], [3, 4], [5, 6]])
    np.testing.assert_array_equal(memory.z, [[1, 1], [3, 3]])
    np.testing.assert_array_equal(afresh.z, [[2, 2], [4, 4], [6, 6]])
    np.testing.assert_array_equal(again.z, [[2, 2], [4, 4]])
    assert list(layout(figure).xaxis.ticktext) == ["&lt;s&gt;", "·Il"]
    ends = [end for end, _ in own.colorscale]
    assert ends == sorted(ends)
    assert (ends[0], ends[-1]) == (0, 1)


def test_the_chosen_step_is_marked() -> None:
    figure = steps_figure([3_000_000, 1_000_000], [3_000_000, 6_000_000], 1, LIGHT)
    assert [list(trace.y) for trace in traces(figure)] == [[3, 1], [3, 6]]
    assert layout(figure).shapes[0].x0 == 2


def test_heads_share_in_both_kinds_and_give_up_what_was_before() -> None:
    assert divisors(8) == [1, 2, 4, 8]
    assert divisors(6) == [1, 2, 3, 6]
    off = AblateHead("cross", 0, 0)
    changed = sharing([off], 4)
    assert changed == (off, ShareKeysValues("decoder", 4), ShareKeysValues("cross", 4))
    assert shared_size(changed) == 4
    assert sharing(changed, 1) == (off,)
    assert shared_size(sharing(sharing(changed, 8), 2)) == 2


def test_each_way_to_share_has_its_line() -> None:
    lines = {"8 of 8": np.array([0.9, 0.8]), "1 of 8": np.array([0.1, 0.2])}
    figure = shared_figure(lines, ["▁Il", "</s>"], LIGHT)
    assert [trace.name for trace in traces(figure)] == list(lines)
    assert list(traces(figure)[1].y) == [0.1, 0.2]
