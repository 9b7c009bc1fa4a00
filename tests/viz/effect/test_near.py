"""The caution beside an answer that is nearly a tie."""

import pytest

from viz.effect.near import near_tie


@pytest.mark.parametrize(
    ("answers", "warns"),
    [
        (((0.9, 0.05), (0.1, 0.8)), False),
        (((0.107, 0.069), (0.036, 0.071)), True),  # neither piece is likely
        (((0.51, 0.48), (0.1, 0.8)), True),
        (((0.1, 0.8), (0.48, 0.51)), True),
    ],
)
def test_a_near_tie_in_either_sentence_is_said_with_its_figures(
    answers: tuple[tuple[float, float], tuple[float, float]], warns: bool
) -> None:
    said = near_tie(answers)
    assert bool(said) == warns
    assert ("small push" in said) == any(abs(one - two) < 0.05 for one, two in answers)
    assert all(f"{share:.1%}" in said for both in answers for share in both) == warns
