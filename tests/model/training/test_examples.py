"""Candidates are tried, and those that a model is good for become its examples."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from model.checkpoints.examples import EXAMPLES, StoryPair, read_examples
from model.training import examples
from model.training.examples import Chosen, choose, try_story
from model.translator import Translator, load_translator
from model.words import find_word, words_of
from tests.tiny_zh import CANDIDATES, FIRST, KNOWN, SECOND, candidates, write_zh_en


@pytest.fixture(scope="module")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> Translator:
    return load_translator(write_zh_en(tmp_path_factory.mktemp("made")))


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["examples", *words])
    return examples.main()


def test_there_are_enough_candidates_of_every_kind() -> None:
    found = candidates()
    counts = {name: len(found[name]) for name in ("sentences", "stories", "meanings")}
    assert counts["sentences"] >= 30
    assert counts["stories"] >= 15
    assert counts["meanings"] >= 15
    texts = [one["text"] for one in found["sentences"]]
    assert len(set(texts)) == len(texts)


def test_a_story_is_measured_at_the_step_where_the_translations_part(chinese: Translator) -> None:
    tried = try_story(chinese, StoryPair(FIRST, SECOND, "去", ("昨天", "明天")))
    assert tried.words == ("went", "will")
    assert tried.works
    for text, chance in zip((FIRST, SECOND), tried.likely, strict=True):
        step = next(chinese.steps(text, forced=[chinese.tokenizer.id("▁I")]), None)
        assert step is not None
        second = list(chinese.steps(text, forced=[chinese.tokenizer.id("▁I")]))[1]
        assert second.chosen.probability == pytest.approx(chance, abs=1e-4)
    weights = chinese.record(FIRST, chinese.translate(FIRST)).attention(tried.swing.kind)
    place = find_word(words_of(chinese.source(FIRST).tokens), "昨天").first
    row = 1 if tried.swing.kind == "cross" else 2
    found = weights[tried.swing.layer, tried.swing.head, row, place]
    assert tried.swing.one[0] == pytest.approx(float(found), abs=1e-5)
    assert tried.swing.one[1] == tried.swing.other[0] == 0.0  # each stands in one sentence only


def test_sentences_that_are_translated_alike_tell_no_story(chinese: Translator) -> None:
    with pytest.raises(ValueError, match="the same"):
        try_story(chinese, StoryPair(FIRST, FIRST, "", ("昨天", "昨天")))


def test_what_works_is_written_and_read_as_the_model_s_examples(
    chinese: Translator,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, few = chinese.folder / EXAMPLES, tmp_path / "few.json"
    path.unlink()
    every = candidates()
    one = {name: every[name][:1] for name in ("sentences", "stories", "meanings")}
    few.write_text(json.dumps(every | one), encoding="utf-8")
    assert run(monkeypatch, str(few), "--checkpoint", str(chinese.folder)) == 0
    assert not path.exists()
    assert run(monkeypatch, str(CANDIDATES), "--checkpoint", str(chinese.folder), "--write") == 0
    said = capsys.readouterr().out
    assert "+ 我爱你。\tI love you." in said
    assert f"+ {FIRST} / {SECOND}" in said
    found = read_examples(chinese.folder)
    assert found is not None
    assert found.story is not None
    assert found.texts[:2] == (found.story.first, found.story.second)
    assert "我爱你。" in found.texts
    assert "你好！" not in found.texts  # it was not learned
    assert set(found.texts[2:]) <= {*KNOWN}
    assert found.rivals == (("he", "she"), ("him", "her"))
    assert "他画蛇添足。" in {spot.text for spot in found.weak_spots}


def test_a_weak_spot_that_comes_out_right_is_none(chinese: Translator) -> None:
    learned = {"what": "love", "text": "我爱你。", "right": "I love you."}
    other = {"what": "greetings", "text": "你好！", "right": "Hello!"}
    empty: dict[str, Any] = {"sentences": [], "stories": [], "meanings": []}
    found = choose(chinese, {**empty, "weak_spots": [learned, other]})
    assert found.to_dict(empty)["weak_spots"] == [{"what": "greetings", "text": "你好！"}]


def test_a_file_that_holds_no_candidates_is_one_line(
    chinese: Translator,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps({"sentences": [{"text": "我"}]}), encoding="utf-8")
    assert run(monkeypatch, str(path), "--checkpoint", str(chinese.folder)) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_pairs_are_named_by_what_differs_and_each_name_comes_once() -> None:
    pairs = [
        ("一个男人在跑。", "一个女人在跑。"),
        ("他来了。", "她来了。"),
        ("我喜欢他。", "我喜欢她。"),
        ("我喜欢它。", "我喜欢它们。"),
    ]
    stories = [(1.0 - n / 10, StoryPair(*both, "", ("x", "y"))) for n, both in enumerate(pairs)]
    spaced = StoryPair("I am tired.", "I am wide.", "", ("tired", "wide"))
    found = Chosen([], [*stories, (0.2, spaced)], []).to_dict({"source": "zh", "target": "en"})
    names = [(one["name"], one["first"]) for one in found["pairs"]]
    assert names == [
        ("男 / 女", "一个男人在跑。"),
        ("他 / 她", "他来了。"),
        ("它 / 它们", "我喜欢它。"),
        ("tired / wide", "I am tired."),
    ]
