"""The tables of the generated sentences: TSV files beside this one."""

import csv
from pathlib import Path


def rows(name: str) -> list[dict[str, str]]:
    """Read a table: a dict for each row; the first line has the names."""
    with (Path(__file__).parent / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", strict=True))
