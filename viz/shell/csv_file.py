"""CSV files for spreadsheets."""

import csv
import io
from collections.abc import Iterable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV; a text that begins like a formula gets an apostrophe in front."""
    file = io.StringIO()
    writer = csv.writer(file)
    for row in rows:
        writer.writerow([_harmless(cell) for cell in row])
    return file.getvalue()


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
