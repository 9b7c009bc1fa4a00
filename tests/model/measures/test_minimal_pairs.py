import numpy as np
import pytest

from model.measures.minimal_pairs import (
    Decision,
    Slot,
    align,
    by_slot,
    parting,
    swapped_rival,
)


def test_a_word_against_two_pieces_is_aligned_as_a_whole() -> None:
    first, second = ["▁too", "▁tired", "."], ["▁too", "▁wi", "de", "."]
    assert align(first, second) == [
        Slot((0, 0), (0, 0), same=True),
        Slot((1, 1), (1, 2), same=False),
        Slot((2, 2), (3, 3), same=True),
    ]


def test_a_difference_as_long_in_both_is_aligned_one_by_one() -> None:
    first, second = ["Le", "garçon", "a", "ri"], ["Les", "garçons", "ont", "ri"]
    assert [(slot.first, slot.second, slot.same) for slot in align(first, second)] == [
        ((0, 0), (0, 0), False),
        ((1, 1), (1, 1), False),
        ((2, 2), (2, 2), False),
        ((3, 3), (3, 3), True),
    ]


def test_the_end_of_a_difference_that_is_longer_in_one_is_aligned_as_a_whole() -> None:
    first, second = ["Le", "garçon", "a", "frappé", "la"], ["Les", "garçons", "frappent", "la"]
    assert [(slot.first, slot.second) for slot in align(first, second)] == [
        ((0, 0), (0, 0)),
        ((1, 1), (1, 1)),
        ((2, 3), (2, 2)),
        ((4, 4), (3, 3)),
    ]


def test_what_only_one_sentence_has_stands_against_nothing() -> None:
    assert align(["a", "b"], ["a", "x", "b"])[1] == Slot(None, (1, 1), same=False)
    assert align(["a", "x", "b"], ["a", "b"])[1] == Slot((1, 1), None, same=False)


def test_a_piece_that_a_long_sentence_repeats_is_aligned_too() -> None:
    first = [f"▁{number}" if number % 2 else "▁the" for number in range(300)]
    second = [*first[:150], "▁new", *first[150:]]
    assert [slot for slot in align(first, second) if not slot.same] == [
        Slot(None, (150, 150), False)
    ]


def test_every_piece_is_in_exactly_one_slot() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        first, second = (list(rng.choice(list("abcd"), rng.integers(1, 9))) for _ in range(2))
        slots = align(first, second)
        for spans, length in (
            ([slot.first for slot in slots], len(first)),
            ([slot.second for slot in slots], len(second)),
        ):
            pieces = [place for span in spans if span for place in range(span[0], span[1] + 1)]
            assert pieces == list(range(length))
        for slot in slots:
            if slot.same and slot.first and slot.second:
                assert first[slot.first[0]] == second[slot.second[0]]


def test_weights_are_added_over_keys_and_averaged_over_queries() -> None:
    weights = np.array([[0.1, 0.2, 0.7], [0.5, 0.3, 0.2], [0.0, 1.0, 0.0]])
    found = by_slot(weights, [(0, 0), (1, 2)], [(0, 1), (2, 2)])
    np.testing.assert_allclose(found, [[0.3, 0.7], [0.9, 0.1]])


def test_a_slot_without_pieces_has_no_weight_as_key_and_no_row_as_query() -> None:
    found = by_slot(np.full((2, 1, 2, 2), 0.5), [(0, 0), None], [(0, 1), None])
    np.testing.assert_array_equal(found[0, 0], [[1, 0], [np.nan, np.nan]])
    found = by_slot(np.full((3, 2, 2, 4), 0.25), [None, (0, 1)], [(0, 1), (2, 2), (3, 3)])
    expected = [[np.nan] * 3, [0.5, 0.25, 0.25]]
    np.testing.assert_array_equal(found, np.broadcast_to(expected, (3, 2, 2, 3)))


@pytest.mark.parametrize(
    ("first", "second", "decision"),
    [
        ((1, 5, 6, 2), (1, 5, 7, 2), Decision((1, 5), 6, 7)),
        ((1, 5, 2), (1, 5, 6, 2), Decision((1, 5), 2, 6)),
        ((1, 5, 2), (1, 5, 2), None),
        ((1, 5), (1, 5, 2), None),
    ],
)
def test_two_targets_part_at_the_first_piece_that_differs(
    first: tuple[int, ...], second: tuple[int, ...], decision: Decision | None
) -> None:
    assert parting(first, second) == decision


@pytest.mark.parametrize(
    ("text", "swapped"),
    [
        ("L'animal dort parce qu'il est fatigué.", "L'animal dort parce qu'elle est fatigué."),
        ("Elle dort.", "Il dort."),
        ("Il dit qu'elle dort.", "Il dit qu'il dort."),
        ("Mille villes.", None),
        ("", None),
    ],
)
def test_the_last_pronoun_is_swapped_and_no_part_of_a_word(text: str, swapped: str | None) -> None:
    assert swapped_rival(text, [("il", "elle")]) == swapped


def test_several_rivals_are_looked_for_and_none_is_no_error() -> None:
    rivals = [("he", "she"), ("him", "her")]
    assert swapped_rival("She saw him there.", rivals) == "She saw her there."
    assert swapped_rival("The theme.", rivals) is None
    assert swapped_rival("Il dort.", []) is None
