import pytest
import torch
from torch import Tensor

from model.training.data.pairs import EncodedPair
from model.training.data.vectors import WINDOW, count_neighbours, count_vectors


def test_neighbours_stand_in_the_window_or_in_the_other_half_of_the_pair() -> None:
    counts = count_neighbours([EncodedPair([0, 1], [2, 2])], 4)
    by_hand = torch.zeros(4, 8)
    by_hand[0, 1] = by_hand[1, 0] = 1  # beside one another in the source
    by_hand[0, 4 + 2] = by_hand[1, 4 + 2] = 2  # the target has piece 2 twice
    by_hand[2, 0] = by_hand[2, 1] = 2
    by_hand[2, 4 + 2] = 2
    assert torch.equal(counts, by_hand)


def test_what_is_further_away_than_the_window_is_no_neighbour() -> None:
    counts = count_neighbours([EncodedPair(list(range(WINDOW + 2)), [9])], 10)
    assert counts[0, WINDOW] == 1
    assert counts[0, WINDOW + 1] == 0
    assert counts[0, 10 + 9] == 1


def test_counts_of_many_pairs_add_up() -> None:
    pair = EncodedPair([0, 1], [2])
    assert torch.equal(count_neighbours([pair] * 9001, 3), 9001 * count_neighbours([pair], 3))


@pytest.fixture(scope="module")
def vectors() -> Tensor:
    """Of a language of 40 words, each translated by the word 40 higher, in two kinds of context."""
    generator = torch.Generator().manual_seed(0)
    pairs = []
    for _ in range(3000):
        kind = 20 * int(torch.randint(2, (), generator=generator))
        words = (kind + torch.randint(20, (4,), generator=generator)).tolist()
        pairs.append(EncodedPair(words, [word + 40 for word in words]))
    return count_vectors(pairs, vocab_size=90, width=16, seed=0)


def test_a_word_lies_nearest_its_translation(vectors: Tensor) -> None:
    likenesses = vectors[:40] @ vectors[40:80].T
    assert torch.equal(likenesses.argmax(1), torch.arange(40))


def test_words_of_the_same_contexts_are_more_alike(vectors: Tensor) -> None:
    alike = (vectors[:40] @ vectors[:40].T).fill_diagonal_(0)
    same = (alike[:20, :20].sum() + alike[20:, 20:].sum()) / (2 * 20 * 19)
    assert same > alike[:20, 20:].mean() + 0.1


def test_every_vector_has_length_one_even_of_a_piece_that_never_occurs(vectors: Tensor) -> None:
    assert vectors.shape == (90, 16)
    assert torch.allclose(vectors.norm(dim=1), torch.ones(90), atol=1e-5)


def test_the_seed_decides() -> None:
    pairs = [EncodedPair([0, 1], [2, 3]), EncodedPair([1], [3])]
    one, again, other = (count_vectors(pairs, 8, 4, seed) for seed in (0, 0, 1))
    assert torch.equal(one, again)
    assert not torch.equal(one, other)


def test_no_pairs_at_all_give_random_vectors() -> None:
    vectors = count_vectors([], 8, 4, 0)
    assert torch.allclose(vectors.norm(dim=1), torch.ones(8), atol=1e-5)
    assert vectors.unique(dim=0).shape == (8, 4)


def test_a_vocabulary_smaller_than_the_vectors_are_wide() -> None:
    assert count_vectors([EncodedPair([0, 1], [2])], 4, 8, 0).shape == (4, 8)
