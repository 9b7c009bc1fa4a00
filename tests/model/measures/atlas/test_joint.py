"""The plane of queries and keys: what it does to the softmax, and its number by brute force."""

import numpy as np
import pytest

from model.measures.atlas.joint import joint_map, near_map, rank_correlation

RNG = np.random.default_rng(0)
Q, K = RNG.normal(3, 2, (30, 8)), RNG.normal(-1, 0.5, (40, 8))


def softmax(scores: np.ndarray) -> np.ndarray:
    likely = np.exp(scores - scores.max(1, keepdims=True))
    return likely / likely.sum(1, keepdims=True)


def test_shift_and_scale_leave_the_softmax_as_it_is() -> None:
    found = joint_map(Q, K)
    moved = (Q * found.scale) @ ((K + found.shift) / found.scale).T
    np.testing.assert_allclose(softmax(moved), softmax(Q @ K.T), atol=1e-10)


def test_centres_meet_and_both_spread_equally_far() -> None:
    found = joint_map(Q, K)
    q, k = Q * found.scale, (K + found.shift) / found.scale
    np.testing.assert_allclose(q.mean(0), k.mean(0), atol=1e-10)
    spread = [np.linalg.norm(each - each.mean(0), axis=1) for each in (q, k)]
    assert np.sqrt((spread[0] ** 2).mean()) == pytest.approx(np.sqrt((spread[1] ** 2).mean()))


def test_the_plane_holds_the_share_that_it_says() -> None:
    found = joint_map(Q, K)
    both = np.concatenate([Q * found.scale, (K + found.shift) / found.scale])
    points = np.concatenate([found.queries(Q), found.keys(K)])
    total = ((both - both.mean(0)) ** 2).sum()
    assert (points**2).sum() / total == pytest.approx(sum(found.shares))
    assert found.shares[0] >= found.shares[1] > 0


def test_the_agreement_is_that_of_all_pairs_one_by_one() -> None:
    found = joint_map(Q, K)
    near, scores = [], []
    for q in Q:
        for k in K:
            near.append(-np.linalg.norm(found.queries(q[None]) - found.keys(k[None])))
            scores.append(q @ (k + found.shift))
    ranks = np.argsort(np.argsort(np.array([near, scores]), axis=1), axis=1)
    assert found.agreement == pytest.approx(np.corrcoef(ranks[0], ranks[1])[0, 1])


def test_a_plane_that_is_the_whole_truth_agrees() -> None:
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)  # equal ranks differ by rounding
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    assert joint_map(ring, ring).agreement == pytest.approx(1, abs=0.01)


def test_equal_values_share_a_rank() -> None:
    assert rank_correlation(np.array([1, 1, 2, 2]), np.array([3, 3, 4, 4])) == pytest.approx(1)
    assert rank_correlation(np.array([1, 1, 1]), np.array([1, 2, 3])) == 0


def test_one_point_makes_no_map() -> None:
    with pytest.raises(ValueError, match="at least two queries"):
        joint_map(Q[:1], K)


def test_the_neighbours_map_has_its_own_agreement_by_brute_force() -> None:
    q, k = Q[:20], K[:20]
    joint = joint_map(q, k)
    found = near_map(joint, q, k)
    assert found.points.shape == (40, 2)
    assert np.abs(found.points).max() == pytest.approx(1)
    near, scores = [], []
    for one, point in zip(q, found.points[:20], strict=True):
        for other, there in zip(k, found.points[20:], strict=True):
            near.append(-float(np.hypot(*(point - there))))
            scores.append(one @ (other + joint.shift))
    ranks = np.argsort(np.argsort(np.array([near, scores]), axis=1), axis=1)
    assert found.agreement == pytest.approx(np.corrcoef(ranks[0], ranks[1])[0, 1])
    with pytest.raises(ValueError, match="points are needed"):
        near_map(joint_map(Q[:5], K[:5]), Q[:5], K[:5])
