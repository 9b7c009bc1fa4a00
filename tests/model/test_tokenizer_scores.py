import pytest

from model.tokenizer import Tokenizer


@pytest.mark.parametrize("text", ["The cat sleeps.", "didn't", "aa"])
def test_a_cuts_score_is_the_sum_of_its_pieces(tokenizer: Tokenizer, text: str) -> None:
    for cut in tokenizer.segmentations(text, 4):
        total = sum(tokenizer.score(tokenizer.id(token)) for token in cut.tokens)
        assert cut.score == pytest.approx(total, abs=1e-3)


@pytest.mark.parametrize(("text", "rare"), [("cat 猫", 1), ("你好", 2), ("a🦊 b🦊", 2)])
def test_each_rare_character_costs_the_same(tokenizer: Tokenizer, text: str, rare: int) -> None:
    best = tokenizer.segmentations(text, 1)[0]
    total = sum(tokenizer.score(tokenizer.id(token)) for token in best.tokens)
    assert best.score == pytest.approx(total + rare * tokenizer.rare_score(), abs=1e-3)


def test_bytes_and_special_tokens_have_no_score(tokenizer: Tokenizer) -> None:
    assert tokenizer.score(tokenizer.end_id) == 0
    assert tokenizer.score(tokenizer.id("<0xE7>")) == 0
    assert tokenizer.score_of("no piece of this name") == 0
    with pytest.raises(ValueError, match="no piece has the id"):
        tokenizer.score(len(tokenizer))
