"""Take pairs out of a training file for a test: `python -m model.training.hold_out FILE ...`.

The rule takes the English sentences with the lowest SHA-256 until there are enough pairs. It
depends only on the sentences, so it always takes the same pairs.
"""

import argparse
import gzip
import sys
from collections import defaultdict
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from model.checkpoints.checkpoint import write_whole
from model.command import command
from model.training.data.pairs import Pair, read_pairs


def hold_out(pairs: Sequence[Pair], count: int) -> tuple[list[Pair], list[Pair]]:
    """Hold out at least `count` pairs; return (remaining, held out), in their order.

    All pairs of an English sentence go to the same list. Raises ValueError when there are no more
    than `count` pairs.
    """
    if not 0 < count < len(pairs):
        raise ValueError(f"{count} pairs to take out of {len(pairs)}")
    by_sentence: dict[str, list[int]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        by_sentence[pair.source].append(number)
    gone: set[int] = set()
    for sentence in sorted(by_sentence, key=lambda text: sha256(text.encode()).digest()):
        if len(gone) >= count:
            break
        gone |= set(by_sentence[sentence])
    kept = [pair for number, pair in enumerate(pairs) if number not in gone]
    return kept, [pairs[number] for number in sorted(gone)]


def write_pairs(path: Path, pairs: Sequence[Pair]) -> None:
    """Write a TSV file, compressed when its name ends in .gz."""
    content = "".join(f"{pair.source}\t{pair.target}\n" for pair in pairs).encode()
    write_whole(path, gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


@command
def main() -> None:
    """Split a file in two."""
    parser = argparse.ArgumentParser(prog="python -m model.training.hold_out", description=__doc__)
    parser.add_argument("pairs", type=Path, help="TSV of pairs (.gz or not)")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--train", type=Path, required=True, help="file to write what stays")
    parser.add_argument("--test", type=Path, required=True, help="file to write what goes")
    options = parser.parse_args()
    kept, gone = hold_out(read_pairs(options.pairs), options.count)
    write_pairs(options.train, kept)
    write_pairs(options.test, gone)
    print(f"{len(kept)} pairs stay, {len(gone)} are held out")


if __name__ == "__main__":
    sys.exit(main())
