import re

import numpy as np

from viz.pages.learning.rows import (
    MOST_ROWS,
    ExampleRows,
    FedLine,
    bar,
    chip,
    example_table,
    fed_table,
)

HOSTILE = "<img src=x onerror=alert(1)>"


def rows(count: int, token: str = "▁a") -> ExampleRows:
    return ExampleRows(
        ["<s>", *[token] * (count - 1)],
        [token] * count,
        [token, *["▁b"] * (count - 1)],
        np.tril(np.ones((count, count), bool)),
        np.full(count, 0.25),
        np.full(count, 1.386),
    )


def lines_of(table: str) -> list[str]:
    return re.findall(r"<tr class.*?</tr>", table, re.DOTALL)


def test_each_row_sees_itself_and_what_came_before_and_not_its_answer() -> None:
    for row, line in enumerate(lines_of(example_table(rows(4), chosen=2))):
        assert line.count('class="see"') == row
        assert line.count('class="self"') == 1
        assert line.count("✕") == (row < 3)
        assert "25.0%" in line
        assert "1.39" in line
        assert ("✓" in line) == (row == 0)
        assert ('class="chosen"' in line) == (row == 2)


def test_without_the_diagonal_no_cell_is_its_own() -> None:
    without = rows(3)
    masked = ExampleRows(
        without.given,
        without.wanted,
        without.said,
        without.mask & ~np.eye(3, dtype=bool),
        without.probabilities,
        without.losses,
    )
    table = example_table(masked, 0)
    assert 'class="self"' not in table
    assert lines_of(table)[0].count('class="see"') == 0


def test_a_strangers_token_stays_text() -> None:
    assert "<img" not in example_table(rows(3, HOSTILE), 0)
    line = FedLine(HOSTILE, HOSTILE, 1.0, HOSTILE, True, 2.0, HOSTILE, HOSTILE)
    assert "<img" not in fed_table([line], 0)
    assert "&lt;img" in chip(HOSTILE)


def test_long_tables_are_cut() -> None:
    assert len(lines_of(example_table(rows(MOST_ROWS + 9), 0))) == MOST_ROWS


def test_bars_are_in_proportion_and_never_longer_than_whole() -> None:
    assert "width:50px" in bar(0.5, "red", 100)
    assert "width:100px" in bar(7.0, "red", 100)
    assert "width:1px" in bar(0.0, "red", 100)


def test_the_parting_row_is_marked_and_ended_rows_are_empty() -> None:
    some = [
        FedLine("▁a", "<s>", 1.0, "<s>", False, 1.0, "▁a", "▁b"),
        FedLine("▁c", "▁a", 0.5, "▁b", True, 4.0, "▁c", "</s>"),
        FedLine("</s>", "▁c", 0.5, None, False, 0.0, "", ""),
    ]
    first, second, third = lines_of(fed_table(some, 1))
    assert 'class="parts"' in second
    assert "parts" not in first + third
    assert 'class="chip own"' in second
    assert "own" not in first
    assert third.endswith("<td></td></tr>")
    assert "4.00" in second
