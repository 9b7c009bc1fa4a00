"""The command that writes a longer tokenizer."""

import sys
from pathlib import Path

import pytest

from model.checkpoints.checkpoint import load_checkpoint
from model.tokenizer import Tokenizer
from model.training import add_pieces


def test_a_longer_tokenizer_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs, out = tmp_path / "pairs.tsv", tmp_path / "new" / "tokenizer.model"
    pairs.write_text("The cat is here.\tLe chat est ici.\n")
    words = ["add_pieces", "en-fr", "--pairs", str(pairs), "--out", str(out)]
    monkeypatch.setattr(sys, "argv", words)
    assert add_pieces.main() == 0
    old, new = load_checkpoint("en-fr").tokenizer, Tokenizer.from_file(out)
    assert f"{len(old)} pieces and {len(new) - len(old)} more" in capsys.readouterr().out
    assert new.token(new.encode("CHAT")[0]) == "▁CHAT"
