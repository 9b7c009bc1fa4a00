import numpy as np
import pytest

from model.measures.swing import Looks, widest_swing
from model.sites.sites import Kind


def looks(kind: Kind, first: np.ndarray, second: np.ndarray) -> Looks:
    return Looks(kind, first, second, one=((0, 0), (0, 0)), other=((2, 3), (2, 3)))


def distributions(seed: int, layers: int = 2, heads: int = 3, keys: int = 5) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(keys), size=(layers, heads))


def test_the_head_that_goes_from_one_word_to_the_other_is_found_among_all_kinds() -> None:
    still = distributions(0)
    first, second = distributions(1), distributions(2)
    first[1, 2], second[1, 2] = [0.9, 0.1, 0, 0, 0], [0.1, 0, 0.5, 0.3, 0.1]
    found = widest_swing([looks("encoder", still, still), looks("cross", first, second)])
    assert (found.kind, found.layer, found.head) == ("cross", 1, 2)
    assert found.one == pytest.approx((0.9, 0.1))
    assert found.other == pytest.approx((0.0, 0.8))
    assert found.moved == pytest.approx(0.8)


def test_leaving_one_word_for_a_third_is_no_swing() -> None:
    first, second = distributions(1, 1, 2), distributions(1, 1, 2)
    first[0, 0], second[0, 0] = [1, 0, 0, 0, 0], [0, 1, 0, 0, 0]
    first[0, 1], second[0, 1] = [0.5, 0.3, 0.1, 0.1, 0], [0.4, 0.3, 0.2, 0.1, 0]
    found = widest_swing([looks("cross", first, second)])
    assert found.head == 1
    assert found.moved == pytest.approx(0.1)


def test_the_way_back_does_not_count() -> None:
    first, second = distributions(1, 1, 1), distributions(1, 1, 1)
    first[0, 0], second[0, 0] = [0, 0, 1, 0, 0], [1, 0, 0, 0, 0]
    assert widest_swing([looks("cross", first, second)]).moved == pytest.approx(-1)


def test_the_words_may_stand_elsewhere_in_the_second_sentence() -> None:
    first = np.array([[[0.7, 0.2, 0.1]]])
    second = np.array([[[0.1, 0.2, 0.1, 0.6]]])
    look = Looks("cross", first, second, one=((0, 0), (1, 1)), other=((2, 2), (2, 3)))
    found = widest_swing([look])
    assert (found.one, found.other) == ((0.7, 0.2), pytest.approx((0.1, 0.7)))


def test_a_word_that_is_not_there_has_no_weight() -> None:
    first, second = np.array([[[0.7, 0.3], [0.2, 0.8]]]), np.array([[[0.1, 0.9], [0.6, 0.4]]])
    found = widest_swing([Looks("cross", first, second, ((0, 0), None), (None, (1, 1)))])
    assert (found.head, found.one, found.other) == (0, (0.7, 0.0), (0.0, 0.9))


def test_what_the_word_had_before_counts_with_its_sign() -> None:
    # Both have the same words before and after, but head 1 gave nothing away.
    first = np.array([[[0.5, 0.1], [0.9, 0.1]]])
    second = np.array([[[0.1, 0.5], [0.9, 0.9]]])
    found = widest_swing([Looks("cross", first, second, ((0, 0), (0, 0)), ((1, 1), (1, 1)))])
    assert (found.head, found.moved) == (0, pytest.approx(0.4))
    first = np.array([[[0.5, 0.1], [0.5, 0.6]]])
    second = np.array([[[0.1, 0.4], [0.1, 0.6]]])
    found = widest_swing([Looks("cross", first, second, ((0, 0), (0, 0)), ((1, 1), (1, 1)))])
    assert (found.head, found.moved) == (0, pytest.approx(0.3))
    # Head 0 gains less than head 1, but it had more of the other word before.
    first = np.array([[[0.6, 0.4], [0.6, 0.0]]])
    second = np.array([[[0.0, 0.5], [0.3, 0.2]]])
    found = widest_swing([Looks("cross", first, second, ((0, 0), (0, 0)), ((1, 1), (1, 1)))])
    assert (found.head, found.moved) == (1, pytest.approx(0.2))


def test_nothing_to_look_at_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^expected at least one kind"):
        widest_swing([])
