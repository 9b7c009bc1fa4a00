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
    """Return name, licence and note of the data in files of these names.

    A name that is not in `sources.tsv` stands for itself. `embedding` is the checkpoint with the
    pieces and embedding of the model, if they are not its own. `generated` tells whether the data
    include generated pairs.
    """
    with Path(__file__).with_name("sources.tsv").open(encoding="utf-8", newline="") as table:
        known = list(csv.DictReader(table, delimiter="\t", strict=True))
    found = [_known(name, known) for name in files]
    licences = dict.fromkeys(licence for _, licence in found)
    return {
        "name": "; ".join(what for what, _ in found),
        "licence": "; ".join(licences),
        "note": NOTE
        + (GENERATED if generated else "")
        + (f"; pieces and embedding are those of the checkpoint {embedding}" if embedding else ""),
    }


def _known(name: str, known: Sequence[dict[str, str]]) -> tuple[str, str]:
    for row in known:
        if row["part of the file name"] in name:
            return row["what"], row["licence"]
    return name, UNKNOWN
