import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from model.checkpoints.card import load_card
from model.checkpoints.checkpoint import CHECKPOINTS, Checkpoint
from model.training import card
from model.training.card import (
    data_of,
    pronoun_of,
    pronoun_score,
    pronouns,
    quality,
    write_card,
)
from model.training.data.samples import examples_of
from model.training.data.sources import describe
from model.training.generated.coreference import CoreferencePair
from model.training.generated.lexicon import adjectives
from model.translator import Translator


@pytest.mark.parametrize(
    ("french", "pronoun"),
    [
        ("L'animal n'a pas traversé la rue parce qu'il était trop fatigué.", "il"),
        ("Il n'a pas traversé la rue parce qu'elle était large.", "elle"),
        ("La ville est belle.", None),
    ],
)
def test_pronoun_is_the_last_il_or_elle(french: str, pronoun: str | None) -> None:
    assert pronoun_of(french) == pronoun


def test_pronouns_count_against_the_reference(translator: Translator) -> None:
    source = "The cat sleeps."
    given = translator.translate(source).text
    right = CoreferencePair(source, given, "f", "first", "cat", "cat", "m", "tired")
    wrong = CoreferencePair(source, "Elle dort.", "f", "first", "cat", "cat", "f", "tired")
    assert pronoun_of(given) != "elle"
    assert pronoun_score(translator, [right, wrong]) == {
        "sentences": 2,
        "right_pronoun": 50.0,
        "exact": 50.0,
    }


def test_the_known_frames_are_scored_whole_and_by_the_kind_of_unseen_word(
    translator: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored: list[Sequence[CoreferencePair]] = []

    def score(_: Translator, pairs: Sequence[CoreferencePair]) -> dict[str, int | float]:
        scored.append(pairs)
        return {"sentences": len(pairs)}

    monkeypatch.setattr(card, "pronoun_score", score)
    assert len(pronouns(translator)) == 4
    known, noun_alone, adjective, _ = scored
    assert sorted(pair.source for pair in known) == sorted(
        pair.source for pair in (*noun_alone, *adjective)
    )
    assert all(adjectives()[pair.adjective].held for pair in adjective)
    assert not any(adjectives()[pair.adjective].held for pair in noun_alone)


def test_quality_holds_greedy_and_beam(translator: Translator, tmp_path: Path) -> None:
    tsv = tmp_path / "pairs.tsv"
    tsv.write_text("The cat sleeps.\tLe chat dort.\n", encoding="utf-8")
    tables = quality(translator, tsv, beam=2)
    assert list(tables) == ["greedy", "beam 2"]
    assert tables["greedy"][0]["sentences"] == 1
    assert [row["words"] for row in tables["greedy"]] == ["all", "1-5"]


def test_card_is_written_beside_what_it_held_and_read_back(tmp_path: Path) -> None:
    basic = {"settings": {"steps": 3}, "steps": 3, "hours": 0.1, "machine": "m", "sha256": "s"}
    (tmp_path / "card.json").write_text(json.dumps(basic))
    with pytest.raises(ValueError, match=r"card\.json.*missing"):
        load_card(tmp_path)
    write_card(
        tmp_path,
        {
            "data": {"name": "n"},
            "parameters": 5,
            "quality": {"test": {"greedy": [{"words": "all", "bleu": 12.5}]}},
            "pronouns": {},
            "samples": [],
            "weak_spots": [],
        },
    )
    card = load_card(tmp_path)
    assert card.bleu("test") == 12.5
    assert card.heads is None
    assert card.training_log == []
    assert (card.goals, card.start) == ([], None)
    assert json.loads((tmp_path / "card.json").read_text())["sha256"] == "s"


FULL = {
    "data": {"name": "n"},
    "settings": {"steps": 3},
    "steps": 3,
    "hours": 0.5,
    "machine": "two cores",
    "parameters": 5,
    "quality": {"dev": {"greedy": [{"words": "all", "bleu": 9}]}},
    "pronouns": {"known": {"exact": 1.0}},
    "samples": [{"source": "s", "target": "t"}],
    "weak_spots": [{"what": "rare words"}],
    "goals": [{"name": "g", "figure": 1}],
    "start": {"name": "earlier"},
}


def test_everything_that_was_measured_is_read(tmp_path: Path) -> None:
    (tmp_path / "card.json").write_text(json.dumps(FULL), encoding="utf-8")
    (tmp_path / "heads.json").write_text('{"best": []}', encoding="utf-8")
    log = '{"step": 1, "name": "é"}\n{"step": 2}\n'
    (tmp_path / "training_log.jsonl").write_text(log, encoding="utf-8")
    card = load_card(tmp_path)
    assert {name: getattr(card, name) for name in FULL} == FULL
    assert card.heads == {"best": []}
    assert card.training_log == [{"step": 1, "name": "é"}, {"step": 2}]
    (tmp_path / "training_log.jsonl").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(ValueError, match=r"training_log\.jsonl: nested too deep"):
        load_card(tmp_path)


def test_the_data_is_described_by_the_names_of_its_files(translator: Translator) -> None:
    def described(data: dict[str, str], **settings: list[float]) -> dict[str, str]:
        card = {"data": data, "settings": settings}
        checkpoint = Checkpoint(translator.folder, translator.model, translator.tokenizer, card)
        return data_of(Translator(checkpoint))

    shipped = {"name": "n", "licence": "l", "note": "o"}
    assert described(shipped) == shipped
    files = "eng-fra.train.tsv.gz eng-fra.extra.tatoeba_more.tsv.gz mine.tsv"
    found = described({"train": files, "text": "eng.captions.txt.gz", "dev": "d"})
    assert found["name"].startswith("Tatoeba English-French pairs, in the selection of")
    assert found["name"].endswith("; mine.tsv; captions of photographs, English alone")
    assert found["licence"] == "CC BY 2.0 FR; licence not known to this program; research data"
    assert "animal" in found["note"]
    assert "generated pairs were added" in found["note"]
    chinese = {"train": "zho-eng.train.tsv.gz zho-eng.captions.tsv.gz fra-eng.train.tsv.gz"}
    found = described(chinese, generated=[0.0], phrases=[0.0])
    assert found["licence"] == "CC BY 2.0 FR; MIT"
    assert "generated" not in found["note"]
    assert describe(["a"], "en-fr")["note"].endswith("embedding are those of the checkpoint en-fr")


def test_weak_spots_come_with_the_examples() -> None:
    assert len(examples_of(CHECKPOINTS / "en-fr").weak_spots) >= 6


def test_the_steps_of_all_runs_are_counted_and_the_last_dev_loss_is_found() -> None:
    whole = load_card(CHECKPOINTS / "en-fr")
    logged: list[dict[str, float]] = [{"step": 1, "dev_loss": 3.5}, {"step": 2, "dev_loss": 2.5}]
    went_on = replace(
        whole, steps=7, start={"name": "a", "steps": 4}, training_log=[*logged, {"loss": 1.0}]
    )
    assert went_on.dev_loss == whole.measured_loss
    went_on = replace(went_on, measured_loss=None)
    assert (went_on.steps_before, went_on.steps_in_all, went_on.dev_loss) == (4, 11, 2.5)
    for start in (None, {"name": "a"}):
        alone = replace(whole, steps=7, start=start, training_log=[], measured_loss=None)
        assert (alone.steps_before, alone.steps_in_all, alone.dev_loss) == (0, 7, None)
