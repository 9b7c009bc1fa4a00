import torch

from model.transformer.masks import causal_mask, padding_mask


def test_padding_hides_the_padded_keys_from_every_query() -> None:
    mask = padding_mask(torch.tensor([[5, 6, 0], [7, 0, 0]]), pad_id=0)  # B 1 S
    assert mask.tolist() == [[[True, True, False]], [[True, False, False]]]


def test_look_ahead_lets_each_position_see_itself_and_its_past() -> None:
    mask = causal_mask(6)  # T T
    for query in range(6):
        assert mask[query].tolist() == [key <= query for key in range(6)]
