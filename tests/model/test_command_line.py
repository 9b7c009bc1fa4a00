"""`python -m model`, in this process but with its own command line."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from model.__main__ import main
from model.command import READER_LEFT
from model.translator import Translator

ROOT = Path(__file__).parents[2]


@pytest.fixture
def arguments(checkpoint_folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command line, to be added to."""
    given = ["model", "--checkpoint", str(checkpoint_folder)]
    monkeypatch.setattr(sys, "argv", given)
    return given


def test_it_prints_the_translation_and_the_pieces_of_both_sides(
    arguments: list[str], translator: Translator, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments.append("The cat sleeps.")
    assert main() == 0
    lines = capsys.readouterr().out.splitlines()
    translation = translator.translate("The cat sleeps.")
    assert lines[0] == translation.text
    assert lines[1] == f"log-probability {translation.log_prob:.3f}"
    source = lines.index("source: The cat sleeps.")
    pieces = translator.tokenizer.pieces("The cat sleeps.")
    assert [line.split()[:2] for line in lines[source + 1 : source + 1 + len(pieces)]] == [
        [str(piece.id), piece.token] for piece in pieces
    ]
    target = lines.index(f"target: {translation.text}")
    assert [line.split()[:2] for line in lines[target + 1 :]] == [
        [str(id_), token] for id_, token in zip(translation.ids, translation.tokens, strict=True)
    ]


def test_empty_text_is_one_sentence_and_an_exit_code(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments.append("  ")
    assert main() == 1
    captured = capsys.readouterr()
    assert captured.err == "there is nothing to translate: the text is empty\n"
    assert not captured.out


def test_an_unknown_checkpoint_is_one_sentence_and_an_exit_code(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments[2:] = ["nowhere", "The cat sleeps."]
    assert main() == 1
    assert capsys.readouterr().err.startswith("no checkpoint 'nowhere'; there are: ")


def test_a_cut_sentence_is_noted(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    arguments.append("The cat sleeps. " * 100)
    assert main() == 0
    assert "The sentence was cut at 64 pieces." in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_standard_input_is_translated_line_by_line(
    arguments: list[str],
    translator: Translator,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    encoding: str,
) -> None:
    """A line of nothing visible, such as control characters, gives an empty one."""
    arguments.append("-")
    lines = "The caf\u00e9 sleeps.\n\n\x00\u200b \nMy sister loves summer."
    typed = io.TextIOWrapper(
        io.BufferedReader(io.BytesIO(lines.encode(encoding))), encoding="utf-8"
    )
    monkeypatch.setattr(sys, "stdin", typed)
    assert main() == 0
    texts = ("The caf\u00e9 sleeps.", "My sister loves summer.")
    first, last = (translator.translate(text).text for text in texts)
    assert capsys.readouterr().out.splitlines() == [first, "", "", last]


def test_a_sentence_may_come_without_quotes(
    arguments: list[str], translator: Translator, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments += ["The", "cat", "sleeps."]
    assert main() == 0
    text = translator.translate("The cat sleeps.").text
    assert capsys.readouterr().out.startswith(f"{text}\nlog-probability ")


def run(checkpoint: Path, **variables: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "model", "--checkpoint", str(checkpoint), "The \u732b sleeps."]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=os.environ | variables, cwd=ROOT, **pipes)


def test_a_reader_that_leaves_ends_it_without_a_word(checkpoint_folder: Path) -> None:
    with run(checkpoint_folder) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(60) == READER_LEFT


def test_an_output_without_accents_gets_their_codes(checkpoint_folder: Path) -> None:
    out, err = run(checkpoint_folder, PYTHONIOENCODING="ascii").communicate(timeout=300)
    assert err == b""
    assert b"source: The \\u732b sleeps." in out
