"""The command that records a corpus, on the tiny checkpoint."""

import sys
from pathlib import Path

import numpy as np
import pytest

from model import Translator, load_translator
from model.measures.atlas.atlas import load_atlas
from model.measures.atlas.measures import changes
from model.measures.atlas.roles import ROLES
from model.training import atlas
from model.training.atlas import chosen, corpus_of, main
from model.training.data.grammar import annotated
from model.training.data.pairs import Pair
from model.words import words_of

SAID = {
    "Tom doesn't really know Mary.": ("subject", "know", ("Tom",)),
    "The dog can't swim.": ("subject", "swim", ("dog",)),
    "I think that she will never come.": ("subject", "come", ("she",)),
    "The water was not very cold.": ("noun", "cold", ("water",)),
}
SILENT = (
    "She did her best.",
    "Can you swim?",
    "The people who live here don't complain.",
    "The water is cold soup.",
)


@pytest.fixture(scope="module")
def shipped() -> Translator:
    return load_translator("en-fr")


@pytest.mark.parametrize("text", SAID)
def test_grammar_is_found_where_a_word_list_knows_it(shipped: Translator, text: str) -> None:
    tokenizer = shipped.tokenizer
    found = annotated(tokenizer, text)
    words = [word.text for word in words_of(tokenizer.tokens(tokenizer.encode(text)))]
    assert found.words == len(words)
    said = [(g.role, words[g.query], tuple(words[key] for key in g.keys)) for g in found.grammar]
    assert said == [SAID[text]]


@pytest.mark.parametrize("text", SILENT)
def test_what_is_not_sure_is_not_said(shipped: Translator, text: str) -> None:
    assert annotated(shipped.tokenizer, text).grammar == ()


def test_pronoun_sentences_know_both_nouns(shipped: Translator) -> None:
    sentences = corpus_of(shipped, [], frozenset(), 8)
    assert len(sentences) == 2
    for one in sentences:
        (antecedent,) = [g for g in one.grammar if g.role == "antecedent"]
        assert antecedent.keys
        assert antecedent.against
        assert antecedent.said == ("il", "elle")


def test_what_was_seen_in_training_is_left_out() -> None:
    texts = [f"This is the sentence number {n}." for n in range(30)] + ["Too short.", "w " * 40]
    seen = frozenset(texts[:10])
    found = chosen(texts, seen, 100)
    assert sorted(found) == sorted(texts[10:30])
    assert chosen(list(reversed(texts)), seen, 5) == found[:5]


def test_the_command_writes_an_index(
    checkpoint_folder: Path,
    pairs: list[Pair],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    held, train = tmp_path / "held.tsv", tmp_path / "train.tsv"
    held.write_text("".join(f"{p.source}\t{p.target}\n" for p in pairs[:24]), encoding="utf-8")
    train.write_text("".join(f"{p.source}\t{p.target}\n" for p in pairs[20:]), encoding="utf-8")
    files = ["--text", str(held), "--train", str(train), "--out", str(tmp_path)]
    sizes = ["--sentences", "9", "--loss-pairs", "3", "--before", str(checkpoint_folder)]
    monkeypatch.setattr(
        sys, "argv", ["atlas", "--checkpoint", str(checkpoint_folder), *files, *sizes]
    )
    assert not main()
    found = load_atlas(tmp_path)
    assert len(found) == 9
    assert not set(found.texts) & {pair.source for pair in pairs[20:]}
    assert found.about.loss_pieces > 0
    assert np.isfinite(found.loss("cross")).all()
    assert found.stages is not None
    assert len(found.stages) == 9
    assert found.before is not None  # here it is the same model
    assert found.steps_before == 0
    assert {one.moved for one in changes(found.before, found)} == {0}
    said = capsys.readouterr().out
    assert "9 sentences" in said
    assert all(f"| {role} |" in said for roles in ROLES.values() for role in roles)
    monkeypatch.setattr(atlas, "LARGEST", 1000)
    assert main() != 0
    assert "take fewer --sentences" in capsys.readouterr().err
