import argparse
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from model.interventions.heads import AblateHead
from model.recording.history import CUTS
from model.training import goals as command
from model.training.causes import Pronouns
from model.training.data.pairs import Pair
from model.training.evaluate import score
from model.training.generated.coreference import held_out_known_frames
from model.training.goals import (
    DEMO,
    Goal,
    antecedent_goals,
    beam_goal,
    demo_weights,
    encoder_goal,
    translation_goals,
    turned_goals,
    unit_goals,
    with_encoder_heads_off,
)
from model.training.loop.vitals import Units, Watch
from model.training.turned import ALL_HEADS
from model.translator import Translator, load_translator
from tests.tiny_zh import KNOWN, write_zh_en


def test_a_goal_is_reached_from_its_own_side() -> None:
    assert Goal("a", 2.0, 2.0).reached
    assert not Goal("a", 2.0, 1.9).reached
    assert Goal("a", 2.0, 1.9, "at most").reached
    assert not Goal("a", 2.0, 2.1, "at most").reached
    assert Goal("a", 2.0, 1.23456).to_dict()["figure"] == 1.235


def test_units_are_judged_by_their_worst_layer_in_per_cent() -> None:
    units = Units(np.array([0.05, 0.019]), np.array([0.0, 0.03]), np.array([0.95, 1.0]))
    live, none, ever = unit_goals("encoder", units)
    assert (live.figure, live.reached, live.note) == (
        pytest.approx(1.9),
        False,
        "layers: 5.00, 1.90",
    )
    assert (none.figure, none.reached) == (pytest.approx(3.0), False)
    assert (ever.figure, ever.reached) == (pytest.approx(95.0), True)


def test_the_demo_asks_for_the_animal_when_tired_and_the_street_when_wide(
    translator: Translator,
) -> None:
    found = demo_weights(translator)
    by_hand = []
    for adjective, noun in (("tired", "animal"), ("wide", "street")):
        source = DEMO.format(adjective)
        recording = translator.record(source)
        words = [token.replace("▁", " ") for token in recording.source_tokens[:-1]]
        text, places = "".join(words), {}
        for name, word in (("it", " it "), ("noun", f" {noun} ")):
            start = text.rindex(word)
            ends = np.cumsum([len(w) for w in words])
            places[name] = [
                n
                for n, (end, w) in enumerate(zip(ends, words, strict=True))
                if end - len(w.lstrip()) >= start and end <= start + len(word) - 1 and w.strip()
            ]
        weights = recording.attention("encoder")[:, :, places["it"]][..., places["noun"]]
        by_hand.append(weights.sum(-1).mean(-1))
    assert found == pytest.approx(np.minimum(*by_hand), abs=1e-6)


def test_both_antecedent_goals_are_asked_of_the_same_head(
    translator: Translator, pairs: list[Pair]
) -> None:
    pronouns = held_out_known_frames()[:3]
    vitals = Watch(translator.tokenizer, pairs[:3], pronouns).measure(translator.model)
    scores = np.zeros_like(vitals.scores["antecedent"])
    demo = np.zeros_like(scores)
    scores[0, 1], demo[0, 1] = 0.9, 0.1  # the best of one
    scores[1, 2], demo[1, 2] = 0.3, 0.4  # the best of both
    vitals.scores["antecedent"] = scores
    first, second = antecedent_goals(vitals, demo)
    assert (first.figure, second.figure) == (0.3, 0.4)
    assert first.note == "encoder 2.3; best alone: encoder 1.2 with 0.90"


def test_files_are_scored_and_loops_counted(translator: Translator, corpus: Path) -> None:
    rows = translation_goals(translator, [("some", 50.0, corpus / "dev.tsv"), ("none", 1.0, None)])
    assert [row.what for row in rows] == ["BLEU, greedy: some", "translations with a loop"]
    assert rows[0].note.startswith("12 sentences, chrF ")
    assert 0 <= rows[1].figure <= 12


def test_heads_that_are_off_leave_the_memory_that_switching_each_off_leaves(
    translator: Translator,
) -> None:
    config = translator.config
    off = [
        AblateHead("encoder", n, h)
        for n in range(config.layers("encoder"))
        for h in range(config.heads)
    ]
    recording = translator.record("The cat is here.", interventions=off)
    source = torch.tensor([translator.source("The cat is here.").ids])
    with torch.no_grad():
        memory, _ = with_encoder_heads_off(translator.model).encode(source)
        whole, _ = translator.model.encode(source)
    np.testing.assert_allclose(memory[0].numpy(), recording["encoder.memory"], atol=1e-5)
    assert not torch.allclose(memory, whole, atol=1e-3)


def test_what_is_left_without_them_is_a_share_of_the_whole(
    translator: Translator, pairs: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    targets = [pair.target for pair in pairs]
    left = [target if n % 2 else "Non." for n, target in enumerate(targets)]
    said = {translator.model: targets}
    monkeypatch.setattr(command, "translate_all", lambda model, *_: said.get(model, left))
    goal = encoder_goal(translator, pairs)
    assert goal.figure == pytest.approx(score(left, targets, left)[0].bleu)
    assert 0 < goal.figure < 100
    assert goal.note == f"{goal.figure:.1f} of 100.0 on {len(pairs)} dev sentences"
    monkeypatch.setattr(command, "translate_all", lambda *_: ["Zzz"] * len(pairs))
    assert encoder_goal(translator, pairs).figure == 0


def test_the_beams_figure_is_that_of_the_card() -> None:
    rows = [{"words": "all", "bleu": 51.5}]
    assert beam_goal({}) == []
    (goal,) = beam_goal({"quality": {"test": {"beam 4": rows}}})  # pyrefly: ignore[bad-assignment]
    assert (goal.figure, goal.reached) == (51.5, True)


def test_the_command_prints_a_table_and_writes_the_card(
    checkpoint_folder: Path,
    corpus: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "tiny"
    shutil.copytree(checkpoint_folder, folder)
    monkeypatch.setattr(command, "held_out_known_frames", lambda: held_out_known_frames()[:4])
    monkeypatch.setattr(command, "held_out_frame", lambda: [])
    monkeypatch.setattr(command, "second_set", lambda: held_out_known_frames()[4:8])
    for name in ("VISITOR_SENTENCES", "VISITOR_SECOND_SET", "TYPED_SENTENCES"):
        monkeypatch.setattr(command, name, getattr(command, name)[:2])
    monkeypatch.setattr(command, "pronoun_score", _score)
    shares: dict[str, float] = {name: 0.5 for name in CUTS}
    counted: tuple[dict[str, float], ...] = (dict.fromkeys(CUTS, 0.1), dict.fromkeys(CUTS, 0.3))
    cut = {"known frames": Pronouns(8, shares, shares, 0.9, 1.0, shares, *counted)}
    monkeypatch.setattr(command, "held_out_pronouns", lambda _translator, _carrier: cut)
    data = [f"--dev={corpus / 'dev.tsv'}", f"--test={corpus / 'dev.tsv'}"]
    given = ["goals", f"--checkpoint={folder}", *data]
    monkeypatch.setattr(sys, "argv", [*given, "--print"])
    assert command.main() == 0
    table = capsys.readouterr().out.splitlines()
    assert "goals" not in json.loads((folder / "card.json").read_text())
    monkeypatch.setattr(sys, "argv", given)
    assert command.main() == 0
    written = json.loads((folder / "card.json").read_text())["goals"]
    assert len(written) == len(table) - 2
    assert {"what", "goal", "figure", "sense", "note", "reached"} == set(written[0])
    under_cuts = [goal for goal in written if goal["what"].startswith("right pronoun with")]
    assert {goal["figure"] for goal in under_cuts} == {40.0}  # 10 % and half of 60 % undecided
    assert all("60.0 % undecided" in goal["note"] for goal in under_cuts)
    assert all(goal["note"].endswith("in 50.0 %") for goal in under_cuts)
    monkeypatch.setattr(sys, "argv", [*given, "--long=gone.tsv"])
    assert command.main() == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_model_from_chinese_has_goals_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    translator = load_translator(write_zh_en(tmp_path))
    file = tmp_path / "some.tsv"
    file.write_text("".join(f"{text}\t{said}\n" for text, said in KNOWN.items()), "utf-8")
    first, second = command.TYPED_CHINESE[:2]
    monkeypatch.setattr(command, "TYPED_CHINESE", (first, second))
    monkeypatch.setattr(command, "is_right", lambda chinese, _: chinese == first)
    options = argparse.Namespace(dev=file, test=file, long=file, captions=None)
    rows = {row.what: row for row in command.all_goals(translator, options)}
    assert rows["BLEU, greedy: test"].goal == command.BLEU["zh"]["test"]
    assert rows["BLEU, greedy: test"].figure == pytest.approx(100)
    assert "BLEU, greedy: long sentences (NTREX)" in rows
    assert (rows["typed strings, right, %"].figure, rows["typed strings, right, %"].goal) == (
        50,
        75,
    )
    assert second in rows["typed strings, right, %"].note
    assert not any("pronoun" in name or "turned" in name or "antecedent" in name for name in rows)


def test_a_language_without_goals_is_one_line(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "languages_of", lambda _folder: ("de", "en"))
    options = argparse.Namespace(dev=corpus / "dev.tsv", test=None, long=None, captions=None)
    with pytest.raises(ValueError, match="no goals are set for a model from 'de'"):
        command.all_goals(load_translator("en-fr"), options)


def test_words_are_turned_in_all_heads_and_missing_ones_count_as_none() -> None:
    def row(name: str, heads: str, turned: float) -> dict[str, object]:
        return {"name": name, "heads": heads, "sentences": 42, "turned": turned}

    nouns, names, numbers = turned_goals(
        [
            row("a noun onto another", ALL_HEADS, 0.95),
            row("a noun onto another", "layer 5", 0.1),
            row("a name onto another", ALL_HEADS, 0.79),
            row("a verb onto another", ALL_HEADS, 1.0),
        ]
    )
    assert (nouns.figure, nouns.reached) == (95, True)
    assert (names.figure, names.reached) == (79, False)
    assert (numbers.figure, numbers.reached) == (0, False)


def _score(_: Translator, pairs: list[object]) -> dict[str, float]:
    return {"sentences": len(pairs), "right_pronoun": 50.0, "exact": 0.0}


def test_capitals_are_compared_with_the_usual_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [Pair("The cat is here today.", "Le chat est ici aujourd'hui.")]

    def in_small_letters(_model: object, _tokenizer: object, sources: list[str]) -> list[str]:
        return [pairs[0].target for _ in sources]

    def alike(_model: object, _tokenizer: object, sources: list[str]) -> list[str]:
        return [pairs[0].target.upper() if text.isupper() else pairs[0].target for text in sources]

    translator = load_translator("en-fr")
    monkeypatch.setattr(command, "translate_all", alike)
    assert command.capitals_goal(translator, pairs).figure == pytest.approx(100)
    monkeypatch.setattr(command, "translate_all", in_small_letters)
    assert command.capitals_goal(translator, pairs).figure < 50
