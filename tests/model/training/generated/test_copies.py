from model.tokenizer import Tokenizer
from model.training.generated.copies import LETTERS, LONGEST, SHORTEST, copy_pairs
from model.translator import load_translator


def test_rows_of_letters_are_their_own_translation_in_all_lengths() -> None:
    pairs = copy_pairs(3000, seed=4)
    assert all(pair.source == pair.target for pair in pairs)
    lengths = {len(pair.source.split()) for pair in pairs}
    assert lengths == set(range(SHORTEST, LONGEST + 1))
    assert copy_pairs(3000, seed=4) == pairs != copy_pairs(3000, seed=5)
    assert len(copy_pairs(0, seed=4)) == 0


def test_every_letter_is_one_piece_of_the_shipped_model() -> None:
    tokenizer = load_translator("en-fr").tokenizer
    assert isinstance(tokenizer, Tokenizer)
    assert len(tokenizer.encode(" ".join(LETTERS))) == len(LETTERS)
