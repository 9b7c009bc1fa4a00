"""A cut over many sentences, together and one at a time: `python -m benchmarks.cuts PAIRS.tsv.gz`.

`--count` sentences of the file run together. One at a time takes long, so only every so many-th of
them runs so. The table has the processor's time for a sentence, which other programs do not change.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import process_time

from benchmarks import table
from model.interventions.base import Intervention
from model.interventions.heads import AblateHead
from model.sites.tap import Edit
from model.training.data.pairs import read_pairs
from model.translator import load_translator

CHANGES: dict[str, tuple[Sequence[Intervention], Mapping[str, Edit]]] = {
    "no change": ((), {}),
    "encoder 6.4 off": ((AblateHead("encoder 6.4"),), {}),
    "cross 5.6 off": ((AblateHead("cross 5.6"),), {}),
    "a function at encoder.3.ffn.out": ((), {"encoder.3.ffn.out": lambda out: 2 * out}),
    "a function at decoder.3.ffn.out": ((), {"decoder.3.ffn.out": lambda out: 2 * out}),
}


def main() -> None:
    """Print the time a sentence takes, in ms, for each change."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path, help="a file of sentence pairs")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--alone", type=int, default=60, help="sentences translated one at a time")
    options = parser.parse_args()
    translator = load_translator()
    texts = [pair.source for pair in read_pairs(options.pairs)][: options.count]
    chosen = texts[:: max(1, len(texts) // options.alone)]
    rows: list[list[str]] = []
    for name, (interventions, edits) in CHANGES.items():
        start = process_time()
        translator.translate_all(texts, interventions=interventions, edits=edits)
        together = 1000 * (process_time() - start) / len(texts)
        start = process_time()
        for text in chosen:
            translator.translate(text, None, interventions, edits=edits)
        alone = 1000 * (process_time() - start) / len(chosen)
        rows.append([name, f"{alone:.1f}", f"{together:.1f}", f"{alone / together:.1f} x"])
    columns = ["ms a sentence", "one at a time", "together", "faster"]
    table(f"{len(texts)} sentences, {len(chosen)} of them one at a time", columns, rows)


if __name__ == "__main__":
    main()
