import pytest

from model.measures.head_roles import BestHead, best_heads
from model.sites.sites import Kind
from model.tokenizer import Piece
from model.training.data.alignment import split_words, words_of_pieces
from model.training.data.pairs import Pair
from model.training.data.places import find_nouns, find_phrase
from model.training.generated.coreference import CoreferencePair
from model.training.heads import against_goals, measure
from model.translator import Translator


def test_words_of_pieces_follow_the_spans() -> None:
    words = split_words("didn't go")
    assert [word.text for word in words] == ["didn", "'", "t", "go"]
    pieces = [Piece("▁did", 0, 0, 3, ""), Piece("n", 0, 3, 4, ""), Piece("'t", 0, 4, 6, "")]
    pieces += [Piece("▁", 0, 6, 7, ""), Piece("go", 0, 7, 9, "")]
    assert words_of_pieces(pieces, words) == [0, 0, 2, -1, 3]


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
    nouns = find_nouns(translator.tokenizer, pair)

    def covered(numbers: list[int]) -> str:
        return "".join(pieces[number].surface for number in numbers).strip()

    assert covered(nouns.antecedent) == "cat"
    assert covered(nouns.other) == "street"
    assert covered(nouns.pronoun) == "it"
    target = translator.tokenizer.pieces(pair.target)
    assert "".join(target[number].surface for number in nouns.translated).strip().endswith("il")
    with pytest.raises(ValueError, match=r"none of .* stands in 'The cat'"):
        find_phrase(translator.tokenizer, "The cat", "street")


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
    best = {(row.kind, row.score): row.value for row in best_heads(scores)}
    assert best["encoder", "same"] == pytest.approx(scores["encoder"]["same"].max(), abs=1e-3)


def test_a_goal_is_held_against_the_nearest_head_of_any_kind() -> None:
    def row(kind: Kind, score: str, value: float) -> BestHead:
        return BestHead(kind, score, 1, 2, value)

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
