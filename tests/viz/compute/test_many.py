"""Many sentences: how they are read, and what is measured of each."""

import numpy as np
import pytest

from model import AblateHead
from model.sites.sites import Head
from viz.compute import many, models, runs
from viz.compute.many import Line

HEAD = Head("cross", 4, 2)
LINES = [Line(f"I have {n} cats.", "J'ai des chats." if n % 2 else "") for n in range(7)]


def test_lines_are_sentences_with_or_without_a_reference() -> None:
    read = many.read_lines("\ufeff One.\t Eins. \r\n\n\tno source\nTwo.\n".encode())
    assert read.lines == (Line("One.", "Eins."), Line("Two."))
    assert read.dropped == 0
    long = many.read_lines(b"A line.\n" * (many.MOST + 3))
    assert (len(long.lines), long.dropped) == (many.MOST, 3)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no sentence"),
        (b" \n\t\n", "no sentence"),
        ("schön".encode("latin-1"), "UTF-8"),
        (b"PK\x03\x04\0\0", "not text"),
        (b"a" * (many.LONGEST_FILE + 1), "larger"),
    ],
)
def test_what_is_no_list_of_sentences_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        many.read_lines(content)


def test_the_table_grows_and_is_known_from_then_on() -> None:
    many.translated.clear()
    assert many.known(LINES, (), HEAD).rows == ()
    sizes = [len(table.rows) for table in many.fill(LINES, (), HEAD)]
    assert sizes == [many.CHUNK, len(LINES)]
    found = many.known(LINES, (), HEAD)
    assert [row.translation for row in found.rows] == [
        runs.run(line.text).translation.text for line in LINES
    ]


def test_a_row_is_measured_on_its_recording() -> None:
    off = AblateHead("cross", 4, 2)
    (row,) = many.translated(("The cat sleeps.",), (off,), HEAD)
    run = runs.run("The cat sleeps.", (off,))
    assert row.translation == run.translation.text
    assert row.likely == pytest.approx(
        run.translation.log_prob / (len(run.translation.ids) + 1), rel=1e-5
    )
    weights = run.recording.attention("cross")
    assert row.sharp == pytest.approx(weights[4, 2].max(-1).mean())
    strongest = set(weights.mean((0, 1)).argmax(-1).tolist())
    pieces = len(run.source.ids) - 1
    assert row.covered == pytest.approx(len(strongest & {*range(pieces)}) / pieces)
    assert row.words == 3


def test_a_model_without_such_a_head_has_no_sharpness_and_stands_beside() -> None:
    with models.using("en-fr-dot"):
        (there,) = many.translated(("Tom didn't see it.",), (), HEAD)
        said = runs.run("Tom didn't see it.").translation.text
    assert np.isnan(there.sharp)
    assert there.words == 4
    lines = [Line("Tom didn't see it.")]
    *_, table = many.fill(lines, (), HEAD, "en-fr-dot")
    assert [row.translation for row in table.beside] == [said]
    assert len(many.known(lines, (), HEAD, "en-fr-dot").beside) == 1
    assert "en-fr-dot" in many.others()
    assert "zh-en" not in many.others()


def test_only_what_has_a_reference_is_scored() -> None:
    lines = [Line("a", "Il est tard."), Line("b")]
    rows = [many.Row(said, 0, 0, 0, 0, 0) for said in ("Il est tard.", "Rien.")]
    found = many.scores(lines, rows)
    assert found
    assert (found.chrf, found.sentences) == (pytest.approx(100), 1)
    assert many.scores(lines[1:], rows[1:]) is None
