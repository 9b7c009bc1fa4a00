import math

import pytest
import torch

from model.measures.likelihood import log_probs_of


def test_each_row_scores_its_own_piece_in_every_run() -> None:
    logits = torch.tensor([[[0.0, 0.0], [math.log(3), 0.0]], [[0.0, math.log(4)], [0.0, 0.0]]])
    expected = torch.tensor([[1 / 2, 3 / 4], [4 / 5, 1 / 2]], dtype=torch.float64).log()
    torch.testing.assert_close(log_probs_of([1, 0], logits), expected)
    torch.testing.assert_close(log_probs_of(torch.tensor([1, 0]), logits[0]), expected[0])


def test_ids_that_do_not_fit_the_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        log_probs_of([1], torch.zeros(2, 3))
