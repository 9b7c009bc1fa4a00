"""BLEU and chrF against sacrebleu's."""

import random

import pytest
import sacrebleu

from model.measures.quality import bleu, chrf

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
