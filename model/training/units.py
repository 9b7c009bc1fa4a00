"""Measure what triggers each hidden unit: `python -m model.training.units --dev DEV.tsv.gz`.

The sentences and, for every unit, the tokens with its largest values are written to units.npz in
the checkpoint's folder. The file's card names the measured weights.
"""

import argparse
import random
import sys
from pathlib import Path

from model.checkpoints.checkpoint import write_whole
from model.measures.units import UNITS, measure_units, pack_units
from model.training.data.pairs import read_pairs
from model.translator import load_translator


def main() -> int:
    """Measure a checkpoint's units and write units.npz beside it."""
    parser = argparse.ArgumentParser(prog="python -m model.training.units")
    parser.add_argument("--dev", type=Path, required=True, help="TSV of pairs to measure on")
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument("--sentences", type=int, default=1000)
    options = parser.parse_args()
    try:
        pairs = read_pairs(options.dev)
        translator = load_translator(options.checkpoint)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    pairs = random.Random(0).sample(pairs, min(options.sentences, len(pairs)))
    recordings = (translator.record(pair.source, pair.target) for pair in pairs)
    units = measure_units(recordings, str(translator.card.get("sha256", "")))
    content = pack_units(units)
    write_whole(translator.folder / UNITS, content)
    print(f"{UNITS}: {units.sentences} sentences, {len(content):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
