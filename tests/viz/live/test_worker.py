"""The model in a worker answers the page's questions, and stops when it is told so."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from model import load_translator
from model.checkpoints.checkpoint import CHECKPOINTS, CONFIG, TOKENIZER, WEIGHTS
from model.interventions import link_text
from tests.sentences import FIRST_SENTENCE
from viz.components.component import classic
from viz.compute.chances import step_chances

ROOT = Path(__file__).parents[3]
WORKER = ROOT / "viz" / "live" / "worker.js"
TEXT = "I love you."
TURN = "turn.e.13.9.6-4"
BEAM = {"name": "beam", "width": 2}

QUESTIONS = [
    {"id": 1, "ask": "translate", "text": TEXT, "edits": "zero.e.1.1_zero.e.99.1_nonsense"},
    {"id": 2, "ask": "steps", "text": TEXT},
    {"id": 3, "ask": "run", "text": TEXT, "strategy": BEAM, "edits": "hide.1_hide.30"},
    {"id": 4, "ask": "record", "text": TEXT, "target": [300, 301]},
    {"id": 5, "ask": "translate", "text": " "},
    {"id": 6, "ask": "translate", "text": TEXT, "strategy": {"name": "beam", "width": 51}},
    {"id": 7, "ask": "run", "text": FIRST_SENTENCE * 4},
    {"id": 8, "ask": "cancel", "of": 7},
    {"id": 9, "ask": "translate", "text": TEXT},
    {"id": 10, "ask": "chances", "text": FIRST_SENTENCE, "edits": TURN, "step": None},
    {"id": 11, "ask": "chances", "text": FIRST_SENTENCE, "edits": "", "step": 2},
]


@cache
def messages() -> list[dict[str, Any]]:
    """Return all messages of a worker that is asked these questions at once."""
    folder = CHECKPOINTS / "en-fr"
    given = {
        "script": classic(WORKER),
        "files": {
            "config": (folder / CONFIG).read_text(encoding="utf-8"),
            "weights": str(folder / WEIGHTS),
            "tokenizer": str(folder / TOKENIZER),
        },
        "questions": QUESTIONS,
    }
    command = ["node", str(Path(__file__).with_name("worker.mjs"))]
    done = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, timeout=300
    )
    assert (done.returncode in (0, 1), done.stderr) == (True, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def about(number: int) -> list[dict[str, Any]]:
    return [message for message in messages() if message.get("id") == number]


def answer(number: int) -> dict[str, Any]:
    return about(number)[-1]["answer"]


def test_the_files_are_taken_over_and_the_sizes_told() -> None:
    assert answer(0)["config"]["d_model"] == 256
    assert {"taken": True} in messages()


def test_nothing_is_answered_before_a_model_is_open() -> None:
    assert about(-1) == [{"id": -1, "error": "no model is open yet"}]


def test_a_translation_says_what_did_not_fit() -> None:
    found = answer(1)
    assert (found["refused"], found["leftOut"]) == (["zero.e.99.1", "nonsense"], "")
    assert found["translation"]["text"] == load_translator().translate(TEXT).text
    assert found["source"]["tokens"][-1] == "</s>"


def test_steps_come_one_by_one() -> None:
    *steps, last = about(2)
    assert [step["step"]["chosen"]["token"] for step in steps] == [
        step.chosen.token for step in load_translator().steps(TEXT)
    ]
    assert last["answer"]["leftOut"] == ""


def test_a_run_has_its_recording_its_tree_and_its_progress() -> None:
    *written, last = about(3)
    found = last["answer"]
    counts = [message["written"] for message in written]
    assert counts == sorted(set(counts) - {0})
    assert found["leftOut"] == "hide.30-30"
    assert found["tree"]["nodes"][0]["depth"] == 0
    pieces = len(found["source"]["ids"])
    assert found["recording"]["arrays"]["encoder.mask"]["shape"] == [pieces, pieces]
    assert found["recording"]["arrays"]["encoder.mask"]["values"] == [0, 1, 1]


def test_a_recording_has_every_site() -> None:
    found = answer(4)["recording"]
    assert set(found["arrays"]) == set(load_translator().config.sites())
    assert found["targetIds"] == [1, 300, 301]


def test_faults_are_said_in_a_sentence() -> None:
    assert about(5)[0]["error"] == "there is nothing to translate: the text is empty"
    assert about(6)[0]["error"] == "width must be at least 1 and at most 50, not 51"


def test_a_cancelled_question_has_no_answer_and_the_next_one_has() -> None:
    assert not any("answer" in message or "error" in message for message in about(7))
    assert len(about(7)) < 20
    assert answer(9)["translation"]["text"] == load_translator().translate(TEXT).text


@pytest.mark.parametrize(("number", "edits", "step"), [(10, TURN, None), (11, "", 2)])
def test_the_chances_of_a_step_are_those_of_the_app(
    number: int, edits: str, step: int | None
) -> None:
    own = step_chances(FIRST_SENTENCE, link_text.read(edits).interventions, step)
    told = answer(number)
    assert (told["step"], tuple(told["pieces"]), told["stays"]) == (own.step, own.pieces, own.stays)
    for name in ("before", "after"):
        assert told[name] == pytest.approx(getattr(own, name), abs=1e-5)


@pytest.mark.parametrize("name", ["document", "window", "localStorage", "fetch"])
def test_the_engine_asks_nothing_of_a_page_or_the_network(name: str) -> None:
    sources = list((ROOT / "viz" / "live").rglob("*.js"))
    assert len(sources) > 30
    assert [path.name for path in sources if f"{name}." in path.read_text("utf-8")] == []
