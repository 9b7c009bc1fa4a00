import numpy as np
import pytest

from model.tokenizer import Piece
from model.training.alignment import split_words, words_of_pieces
from model.training.data import Pair
from model.training.generated.coreference import CoreferencePair
from model.training.heads import (
    Mean,
    against_goals,
    aligned_sums,
    best_heads,
    find_nouns,
    is_punctuation,
    key_sums,
    measure,
    position_sums,
)
from model.translator import Translator


def one_head(rows: list[list[float]]) -> np.ndarray:
    """Weights (query, key) as those of one layer with one head."""
    return np.array(rows, np.float32)[None, None]


SHIFTED = one_head([[1, 0, 0], [0.9, 0.1, 0], [0.2, 0.7, 0.1]])


def test_a_head_that_looks_back_scores_as_previous_token() -> None:
    mean = Mean()
    mean.add(*position_sums(SHIFTED, -1))
    assert mean.value() == pytest.approx((0.9 + 0.7) / 2)


def test_same_and_next_are_the_other_diagonals() -> None:
    assert position_sums(SHIFTED, 0)[0].item() == pytest.approx(1.2)
    total, queries = position_sums(SHIFTED, 1)
    assert total.item() == pytest.approx(0)
    assert queries == 2


def test_weight_on_keys_is_summed_over_keys_and_queries() -> None:
    total, queries = key_sums(SHIFTED, [1, 2])
    assert total.item() == pytest.approx(0.1 + 0.8)
    assert queries == 3
    assert key_sums(SHIFTED, []) == (0, 0)


def test_means_weigh_sentences_by_their_queries() -> None:
    mean = Mean()
    mean.add(np.array([[2.0]]), 2)
    mean.add(np.array([[0.0]]), 6)
    assert mean.value() == pytest.approx(0.25)
    with pytest.raises(ValueError, match="nothing to measure"):
        Mean().value()


def test_strongest_word_sums_its_pieces_before_it_is_compared() -> None:
    # keys: two pieces of word 0, one of word 1, the end token; word 0 wins only when summed
    weights = one_head([[0.3, 0.3, 0.4, 0.0], [0.1, 0.1, 0.7, 0.1], [0.0, 0.0, 0.4, 0.6]])
    links = frozenset({(0, 0), (1, 1), (1, 2)})
    hits, queries = aligned_sums(weights, [0, 1, 2], [0, 1, 2], [0, 0, 1, -1], links)
    assert hits.item() == 2  # the last query looks at the end token
    assert queries == 3


def test_queries_without_an_aligned_word_do_not_count() -> None:
    weights = one_head([[1.0, 0.0]])
    assert aligned_sums(weights, [0], [0], [0, -1], frozenset())[1] == 0


def test_words_of_pieces_follow_the_spans() -> None:
    words = split_words("didn't go")
    assert [word.text for word in words] == ["didn", "'", "t", "go"]
    pieces = [Piece("▁did", 0, 0, 3, ""), Piece("n", 0, 3, 4, ""), Piece("'t", 0, 4, 6, "")]
    pieces += [Piece("▁", 0, 6, 7, ""), Piece("go", 0, 7, 9, "")]
    assert words_of_pieces(pieces, words) == [0, 0, 2, -1, 3]


def test_punctuation_is_marks_alone() -> None:
    assert is_punctuation("▁!")
    assert is_punctuation(".")
    assert not is_punctuation("▁a")
    assert not is_punctuation("▁")
    assert not is_punctuation("▁it's")


def test_nouns_and_pronoun_are_found_in_the_source(translator: Translator) -> None:
    pair = CoreferencePair(
        "The cat didn't cross the street because it was too tired.",
        "Le chat n'a pas traversé la rue parce qu'il était trop fatigué.",
        "cross",
        "first",
        "cat",
        "street",
        "m",
        "tired",
    )
    pieces = translator.tokenizer.pieces(pair.source)
    nouns = find_nouns(translator, pair)

    def covered(numbers: list[int]) -> str:
        return "".join(pieces[number].surface for number in numbers).strip()

    assert covered(nouns.antecedent) == "cat"
    assert covered(nouns.other) == "street"
    assert covered(nouns.pronoun) == "it"
    target = translator.tokenizer.pieces(pair.target)
    assert "".join(target[number].surface for number in nouns.translated).strip().endswith("il")


def test_measures_every_head_of_a_model(translator: Translator) -> None:
    pair = Pair("The cat sleeps .", "Le chat dort .")
    pronoun = CoreferencePair(
        "The cat left the street because it was tired.",
        "Le chat a quitté la rue parce qu'il était fatigué.",
        "leave",
        "first",
        "cat",
        "street",
        "m",
        "tired",
    )
    scores = measure(translator, [pair], [frozenset({(1, 1)})], [pronoun])
    config = translator.config
    assert set(scores) == {"encoder", "decoder", "cross"}
    for kind, named in scores.items():
        layers = config.encoder_layers if kind == "encoder" else config.decoder_layers
        for values in named.values():
            assert values.shape == (layers, config.heads)
    assert "next" not in scores["decoder"]  # the look-ahead mask forbids it
    best = {(row["kind"], row["score"]): row["value"] for row in best_heads(scores)}
    assert best["encoder", "same"] == pytest.approx(scores["encoder"]["same"].max(), abs=1e-3)


def test_a_goal_is_held_against_the_nearest_head_of_any_kind() -> None:
    def row(kind: str, score: str, value: float) -> dict[str, object]:
        return {"kind": kind, "score": score, "layer": 1, "head": 2, "value": value}

    best = [
        row("encoder", "previous", 0.4),
        row("decoder", "previous", 0.95),
        row("encoder", "antecedent", 0.1),
        row("cross", "antecedent", 0.2),
        row("cross", "aligned_given", 0.75),
    ]
    found = {goal["score"]: (goal["kind"], goal["reached"]) for goal in against_goals(best)}
    assert found == {
        "previous": ("decoder", True),
        "antecedent": ("cross", False),
        "aligned_given": ("cross", True),
    }
