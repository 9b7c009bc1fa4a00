"""What weights start from when another checkpoint gives them."""

import torch

from model.training.loop.start import rows_for

KNOWN = [f"k{n}" for n in range(600)]
OWN = [*KNOWN[300:], *(f"n{n}" for n in range(20))]


def test_known_pieces_keep_their_rows_and_new_ones_follow_their_vectors() -> None:
    generator = torch.Generator().manual_seed(0)
    rows = torch.randn(600, 6, generator=generator) + 2
    # The counted vectors are the rows in other axes, of length 1 or so, without their mean.
    turn = torch.linalg.qr(torch.randn(6, 6, generator=generator))[0]
    truth = torch.cat((rows[300:], torch.randn(20, 6, generator=generator) + 2))
    vectors = (truth - 2) @ turn * 3
    found = rows_for(OWN, vectors, KNOWN, rows)
    assert torch.equal(found[:300], rows[300:])
    near = torch.cosine_similarity(found[300:] - 2, truth[300:] - 2)
    assert near.min() > 0.9
    assert near.mean() > 0.97


def test_without_a_common_piece_the_vectors_stay() -> None:
    vectors = torch.randn(3, 4)
    assert rows_for(["a", "b", "c"], vectors, ["d"], torch.randn(1, 4)) is vectors
