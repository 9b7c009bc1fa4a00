import pytest

from model.measures.loops import has_loop


@pytest.mark.parametrize(
    ("pieces", "loop"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8], False),
        ([1, 1, 1], False),
        ([9, 1, 1, 1, 1, 8], True),
        ([1, 2, 1, 2, 1, 2, 1], False),
        ([5, 1, 2, 1, 2, 1, 2, 1, 2], True),
        ([1, 2, 3, 4, 5, 6] * 4, True),
        ([1, 2, 3, 4, 5, 6] * 3, False),
        ([], False),
    ],
)
def test_a_loop_is_pieces_that_come_four_times_running(pieces: list[int], loop: bool) -> None:
    assert has_loop(pieces) == loop
