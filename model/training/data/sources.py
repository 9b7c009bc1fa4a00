"""The training data of a run, for the card: names and licences of known files."""

import csv
from collections.abc import Sequence
from pathlib import Path

UNKNOWN = "licence not known to this program"
NOTE = (
    "without the pairs of the Tatoeba Challenge test set (v2021-08-07), without sentences that "
    "hold both 'animal' and 'street', and without what is held out for measuring"
)
GENERATED = "; generated pairs were added, new ones in every round (model/training/generated)"


def describe(
    files: Sequence[str], embedding: str | None = None, generated: bool = True
) -> dict[str, str]:
    """Return the name, licence and note of the data in files of these names.

    A file that is not in `sources.tsv` keeps its own name. `embedding` is the checkpoint that the
    pieces and the embedding were taken from, if any. `generated` is True if the data include
    generated pairs.
    """
    with Path(__file__).with_name("sources.tsv").open(encoding="utf-8", newline="") as table:
        table_rows = list(csv.DictReader(table, delimiter="\t", strict=True))
    sources = [_known(name, table_rows) for name in files]
    licences = dict.fromkeys(licence for _, licence in sources)
    return {
        "name": "; ".join(dict.fromkeys(source for source, _ in sources)),
        "licence": "; ".join(licences),
        "note": NOTE
        + (GENERATED if generated else "")
        + (f"; pieces and embedding are those of the checkpoint {embedding}" if embedding else ""),
    }


def _known(name: str, table_rows: Sequence[dict[str, str]]) -> tuple[str, str]:
    for row in table_rows:
        if row["part of the file name"] in name:
            return row["what"], row["licence"]
    return name, UNKNOWN
