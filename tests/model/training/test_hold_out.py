import sys
from pathlib import Path

import pytest

from model.training import hold_out as command
from model.training.data.pairs import Pair, read_pairs
from model.training.hold_out import hold_out, write_pairs

PAIRS = [Pair(f"sentence {n // 2}", f"phrase {n}") for n in range(60)]


def test_what_is_held_out_shares_no_sentence_with_what_stays() -> None:
    kept, gone = hold_out(PAIRS, 11)
    assert len(gone) == 12  # two pairs of each sentence stay together
    assert not {pair.source for pair in kept} & {pair.source for pair in gone}
    assert sorted(map(str, [*kept, *gone])) == sorted(map(str, PAIRS))


def test_the_choice_depends_on_the_sentences_alone() -> None:
    gone = set(map(str, hold_out(PAIRS, 12)[1]))
    assert set(map(str, hold_out(PAIRS[::-1], 12)[1])) == gone
    fewer = set(map(str, hold_out(PAIRS, 6)[1]))
    assert fewer < gone


def test_a_file_is_split_in_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, train, test = (tmp_path / name for name in ("all.tsv.gz", "train.tsv.gz", "test.tsv"))
    write_pairs(whole, PAIRS)
    given = [str(whole), "--count=12", f"--train={train}", f"--test={test}"]
    monkeypatch.setattr(sys, "argv", ["hold_out", *given])
    assert command.main() == 0
    assert (read_pairs(train), read_pairs(test)) == hold_out(PAIRS, 12)
    assert "48 pairs stay, 12 are held out" in capsys.readouterr().out
    first = train.read_bytes()
    assert command.main() == 0
    assert train.read_bytes() == first
    monkeypatch.setattr(sys, "argv", ["hold_out", *given, "--count=60"])
    assert command.main() == 1
    assert "60 pairs to take out of 60" in capsys.readouterr().err
