"""BLEU and chrF against sacrebleu's."""

import random

import pytest
import sacrebleu

from model.measures.quality import bleu, chrf, worked

REFERENCES = [
    "L'animal n'a pas traversé la rue, car il était trop fatigué.",
    "J'ai 3,5 pommes et 1.200 poires - vraiment ?",
    "Le 14-18 (guerre) fut &quot;longue&quot; & dure.",
    "Oui.",
    "你好，世界。",
]


def changed(text: str, rng: random.Random) -> str:
    words = text.split()
    kept = [word for word in words if rng.random() > 0.2]
    if len(kept) > 1 and rng.random() < 0.5:
        kept[0], kept[1] = kept[1], kept[0]
    return " ".join(kept)


@pytest.mark.parametrize("seed", range(12))
def test_the_figures_are_those_of_sacrebleu(seed: int) -> None:
    rng = random.Random(seed)
    references = rng.sample(REFERENCES, rng.randint(1, 5))
    said = [changed(one, rng) for one in references]
    assert bleu(said, references) == pytest.approx(sacrebleu.corpus_bleu(said, [references]).score)
    assert chrf(said, references) == pytest.approx(sacrebleu.corpus_chrf(said, [references]).score)


def test_the_same_text_has_all_and_another_script_nothing() -> None:
    assert bleu(REFERENCES, REFERENCES) == pytest.approx(100)
    assert chrf(REFERENCES, REFERENCES) == pytest.approx(100)
    assert bleu(["a b c d e"], ["你好 世 界 啊 哦"]) == chrf(["abcdefg"], ["你好世界啊哦"]) == 0


def test_nothing_cannot_be_scored() -> None:
    for said, references in (([], []), (["a"], ["a", "b"])):
        with pytest.raises(ValueError, match="translations"):
            bleu(said, references)
        with pytest.raises(ValueError, match="translations"):
            chrf(said, references)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_worked_out_is_sacrebleus(seed: int) -> None:
    rng = random.Random(seed)
    reference = rng.choice(REFERENCES[:3])
    said = changed(reference, rng)
    expected = sacrebleu.corpus_bleu([said], [[reference]])
    found = worked(said, reference)
    assert found.bleu == pytest.approx(expected.score)
    assert [order.matched for order in found.orders] == expected.counts
    assert [order.total for order in found.orders] == expected.totals
    precisions = [100 * order.precision for order in found.orders]
    assert precisions == pytest.approx(expected.precisions)
    assert found.brevity == pytest.approx(expected.bp)


def test_what_stands_there_too_often_is_clipped() -> None:
    found = worked("the the the the the the the", "the cat is on the mat")
    (group,) = found.orders[0].groups
    assert (group.words, group.said, group.wanted, group.matched) == (("the",), 7, 2, 2)
    assert found.orders[0].precision == pytest.approx(2 / 7)
    assert worked("Oui", "Oui").bleu == bleu(["Oui"], ["Oui"]) == 0  # it has no two words
    with pytest.raises(ValueError, match="need words"):
        worked(" ", "Oui")
