import numpy as np
import pytest

from model.measures.head_roles import (
    BestHead,
    Mean,
    Roles,
    add_recording,
    aligned_sums,
    antecedent_sums,
    best_head,
    best_heads,
    key_sums,
    names_of,
    position_sums,
)
from model.sites.sites import KINDS, Kind
from model.translator import Translator


def one_head(rows: list[list[float]]) -> np.ndarray:
    """Weights (query, key) as those of one layer with one head."""
    return np.array(rows, np.float32)[None, None]


SHIFTED = one_head([[1, 0, 0], [0.9, 0.1, 0], [0.2, 0.7, 0.1]])


def test_a_head_that_looks_back_scores_as_previous_token() -> None:
    mean = Mean()
    mean.add(*position_sums(SHIFTED, -1))
    assert mean.value() == pytest.approx((0.9 + 0.7) / 2)


def test_same_and_next_are_the_other_diagonals() -> None:
    assert position_sums(SHIFTED, 0)[0].item() == pytest.approx(1.2)
    total, queries = position_sums(SHIFTED, 1)
    assert total.item() == pytest.approx(0)
    assert queries == 2


def test_weight_on_keys_is_summed_over_keys_and_queries() -> None:
    total, queries = key_sums(SHIFTED, [1, 2])
    assert total.item() == pytest.approx(0.1 + 0.8)
    assert queries == 3
    assert key_sums(SHIFTED, []) == (0, 0)


def test_means_weigh_sentences_by_their_queries() -> None:
    mean = Mean()
    mean.add(np.array([[2.0]]), 2)
    mean.add(np.array([[0.0]]), 6)
    assert mean.value() == pytest.approx(0.25)
    with pytest.raises(ValueError, match=r"^there was nothing to measure$"):
        Mean().value()


def test_strongest_word_sums_its_pieces_before_it_is_compared() -> None:
    # keys: two pieces of word 0, one of word 1, the end token; word 0 wins only when summed
    weights = one_head([[0.3, 0.3, 0.4, 0.0], [0.1, 0.1, 0.7, 0.1], [0.0, 0.0, 0.4, 0.6]])
    links = frozenset({(0, 0), (1, 1), (1, 2)})
    hits, queries = aligned_sums(weights, [0, 1, 2], [0, 1, 2], [0, 0, 1, -1], links)
    assert hits.item() == 2  # the last query looks at the end token
    assert queries == 3


def test_queries_without_an_aligned_word_do_not_count() -> None:
    weights = one_head([[1.0, 0.0]])
    assert aligned_sums(weights, [0], [0], [0, -1], frozenset())[1] == 0


def test_an_antecedent_is_counted_against_the_other_noun() -> None:
    weights = one_head([[0.1, 0.2, 0.7], [0.6, 0.3, 0.1], [0.5, 0.0, 0.5]])
    total, queries = antecedent_sums(weights, [1, 2], [0], [2])
    assert total.item() == pytest.approx(0.6 - 0.1 + 0.5 - 0.5)
    assert queries == 2


def test_every_head_of_every_layer_is_measured_by_itself() -> None:
    weights = np.random.default_rng(0).dirichlet(np.ones(4), size=(2, 3, 4)).astype(np.float32)
    for layer, head in np.ndindex(2, 3):
        own = one_head(weights[layer, head].tolist())
        for sums in (
            lambda some: position_sums(some, -1),
            lambda some: key_sums(some, [1, 3]),
            lambda some: antecedent_sums(some, [1, 2], [0], [3]),
        ):
            found, count = sums(weights)
            assert found.shape == (2, 3)
            assert (found[layer, head], count) == (pytest.approx(sums(own)[0].item()), sums(own)[1])


def test_roles_gather_sentences_of_any_length() -> None:
    roles = Roles("encoder")
    roles.add_positions(SHIFTED, ["▁a", "▁!", "</s>"])
    roles.add_positions(one_head([[0, 1], [1, 0]]), ["▁a", "</s>"])
    roles.add_antecedent(SHIFTED, [2], [1], [0])
    found = {name: value.item() for name, value in roles.scores().items()}
    assert found["previous"] == pytest.approx((0.9 + 0.7 + 1) / 3)
    assert found["end"] == pytest.approx((0.1 + 1) / 5)
    assert found["punctuation"] == pytest.approx((0.1 + 0.7) / 3)
    assert found["antecedent"] == pytest.approx(0.5)
    with pytest.raises(ValueError, match="nothing to measure"):
        Roles("cross").scores()


def test_every_kind_has_its_own_scores() -> None:
    assert {kind: list(names_of(kind)) for kind in KINDS} == {
        "encoder": ["previous", "same", "next", "first", "end", "punctuation", "antecedent"],
        "decoder": ["previous", "same", "first", "punctuation"],
        "cross": [
            "first",
            "end",
            "punctuation",
            "aligned_given",
            "aligned_predicted",
            "antecedent",
        ],
    }


@pytest.mark.parametrize("kind", KINDS)
def test_positions_are_measured_on_the_keys_where_they_stand(kind: Kind) -> None:
    weights = one_head([[0.5, 0.3, 0.1, 0.1], [0.1, 0.2, 0.3, 0.4], [0.6, 0.0, 0.2, 0.2]])
    weights = np.concatenate([weights, one_head([[0.2, 0.2, 0.5, 0.1]])], axis=2)
    roles = Roles(kind)
    roles.add_positions(weights, ["▁a", "▁b", ".", "</s>"])
    without = ("antecedent", "aligned_given", "aligned_predicted")
    found = {name: value.item() for name, value in roles.scores(without).items()}
    places = {
        "previous": (0.1 + 0.0 + 0.5) / 3,
        "same": (0.5 + 0.2 + 0.2 + 0.1) / 4,
        "next": (0.3 + 0.3 + 0.2) / 3,
        "first": (0.5 + 0.1 + 0.6 + 0.2) / 4,
        "end": (0.1 + 0.4 + 0.2 + 0.1) / 4,
        "punctuation": (0.1 + 0.3 + 0.2 + 0.5) / 4,
    }
    expected = {name: places[name] for name in names_of(kind) if name in places}
    assert found == pytest.approx(expected)


def test_alignment_counts_the_piece_that_is_given_and_the_one_that_is_predicted() -> None:
    # One word a piece: row 0 predicts word 0, row 1 was given it and predicts word 1.
    weights = one_head([[0.8, 0.2, 0.0], [0.7, 0.2, 0.1], [0.1, 0.9, 0.0]])
    roles = Roles("cross")
    roles.add_alignment(weights, [0, 1, -1], [0, 1], frozenset({(0, 0), (1, 1)}))
    assert roles.means["aligned_given"].value() == 1  # rows 1 and 2
    assert roles.means["aligned_predicted"].value() == 0.5  # rows 0 and 1


def test_a_recording_is_added_kind_by_kind(translator: Translator) -> None:
    recording = translator.record("The cat sleeps.", "Le chat dort.")
    roles: dict[Kind, Roles] = {kind: Roles(kind) for kind in KINDS}
    add_recording(roles, recording)
    for kind in KINDS:
        weights = recording.attention(kind).astype(np.float64)  # L H Q K
        np.testing.assert_allclose(
            roles[kind].means["first"].value(), weights[..., 0].mean(axis=2), atol=1e-6
        )
    end = recording.source_tokens.index("</s>")
    np.testing.assert_allclose(
        roles["cross"].means["end"].value(),
        recording.attention("cross")[..., end].mean(axis=2),
        atol=1e-6,
    )


def test_the_best_head_of_every_score_is_named() -> None:
    same, first = np.array([[0.12345, 0.1]]), np.array([[0.0], [0.5]])
    assert best_heads({"encoder": {"same": same}, "cross": {"first": first}}) == [
        BestHead("encoder", "same", 1, 1, 0.123),
        BestHead("cross", "first", 2, 1, 0.5),
    ]


def test_the_best_head_is_counted_from_one() -> None:
    best = best_head("encoder", "next", np.array([[0.1, 0.2], [0.7, 0.3]]))
    assert (best.layer, best.head, best.value) == (2, 1, 0.7)
    assert best.to_dict()["score"] == "next"
