"""What the end of a sentence does to the vectors of its beginning."""

import numpy as np
import pytest
import torch

from model.measures.prefixes import change_of_beginning
from model.transformer.transformer import Transformer

IDS = (5, 9, 14, 7, 2)


def test_it_is_the_change_between_two_passes(model: Transformer) -> None:
    with torch.no_grad():
        whole, part = (model.encode(torch.tensor([ids]))[0][0].numpy() for ids in (IDS, IDS[:3]))
    lengths = np.linalg.norm(part, axis=1)
    expected = (np.linalg.norm(whole[:3] - part, axis=1) / lengths).mean()
    assert change_of_beginning(model, IDS, 3, look_ahead_mask=False) == pytest.approx(expected)
    assert expected > 0.01
    assert change_of_beginning(model, IDS, 3, look_ahead_mask=True) < 1e-5
    assert change_of_beginning(model, IDS, 5, look_ahead_mask=False) == 0


@pytest.mark.parametrize("first", [0, 6])
def test_a_beginning_has_pieces_of_the_sentence(model: Transformer, first: int) -> None:
    with pytest.raises(ValueError, match="first must be 1 to 5"):
        change_of_beginning(model, IDS, first, look_ahead_mask=True)
