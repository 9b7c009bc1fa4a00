"""What an alignment looks like, from its weights alone."""

import numpy as np

from viz.components.alignments import Panel
from viz.pages.two_models.sides import finding, written
from viz.pages.two_models.verdict import shares, verdict


def test_a_row_with_a_piece_of_its_own_is_sharp() -> None:
    found = verdict(np.eye(4, 5) * 0.8 + 0.04)
    assert (found.pattern, found.column) == ("sharp", None)


def test_a_key_that_takes_most_rows_stands_out() -> None:
    weights = np.full((4, 5), 0.1)
    weights[:, 4] = 0.6
    found = verdict(weights)
    assert (found.pattern, found.column) == ("column", 4)


def test_two_rows_are_too_few_for_a_column() -> None:
    weights = np.array([[0.1, 0.9], [0.2, 0.8]])
    assert verdict(weights).pattern == "sharp"


def test_even_weights_are_spread() -> None:
    assert verdict(np.full((6, 6), 1 / 6)).pattern == "spread"


def test_a_column_in_most_rows_may_still_have_less_weight_than_another() -> None:
    weights = np.array([[0.5, 0.5 - 0.01, 0.01]] * 3 + [[0.3, 0.7, 0.0]] * 2)
    assert verdict(weights).column is None


def test_rows_between_a_piece_and_the_end_are_said_with_both_figures() -> None:
    weights = np.zeros((4, 4), np.float32)
    weights[[0, 1], [0, 1]] = weights[2:, 3] = 1.0
    panel = Panel("model", "", ["a"] * 4, ["x", "y", "z", "</s>"], weights)
    assert finding([panel]).count("50%") == 2


def test_both_shares_are_means_over_the_rows_with_the_end_apart() -> None:
    weights = np.array([[0.1, 0.3, 0.6], [0.5, 0.5, 0.0]])
    np.testing.assert_allclose(shares(weights), (0.4, 0.3))


def test_a_column_with_half_of_the_weight_is_only_more_than_any_other() -> None:
    for share in (0.41, 0.5, 0.6):
        weights = np.full((4, 3), (1 - share) / 2)
        weights[:, 2] = share
        panel = Panel("model", "", ["a"] * 4, ["x", "y", "z"], weights)
        said = finding([panel])
        assert "**z**" in said
        assert f"{share:.0%}" in said
        assert ("more for" in said) == (share <= 0.5)


def test_what_two_models_write_is_told_by_its_words_or_by_their_number() -> None:
    def told(first: str, second: str) -> str:
        return written(*(Panel("model", text, [], [], None) for text in (first, second)))

    assert told("Il dort.", "Il dort.") == "Both write the same."
    assert "*il … fatigué*, the other writes *elle … fatiguée*" in told(
        "Parce que il était fatigué.", "Parce que elle était fatiguée."
    )
    assert told("Le chat dort ici.", "Un chien gris mange là.") == "They differ in 5 words."
    assert told("Il dort.", "Il dort bien.") == "They differ in 1 word."
