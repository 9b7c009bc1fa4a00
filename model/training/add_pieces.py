"""Add pieces for signs, emoji and capitals to a checkpoint's tokenizer, for `--pieces`."""

import argparse
import sys
from collections import Counter
from pathlib import Path

from model.checkpoints.checkpoint import load_checkpoint, write_whole
from model.command import command
from model.training.data.more_pieces import more_pieces, with_pieces
from model.training.data.pairs import read_pairs


@command
def main() -> None:
    """Write the longer tokenizer; raise ValueError when a file cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m model.training.add_pieces")
    parser.add_argument("checkpoint", help="whose pieces come first, such as en-fr")
    parser.add_argument("--pairs", type=Path, nargs="+", required=True, help="ordinary sentences")
    parser.add_argument("--out", type=Path, required=True, help="the tokenizer.model to write")
    options = parser.parse_args()
    tokenizer = load_checkpoint(options.checkpoint).tokenizer
    pairs = [pair for path in options.pairs for pair in read_pairs(path)]
    sentences = (text for pair in pairs for text in (pair.source, pair.target))
    added = more_pieces(tokenizer, sentences)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(options.out, with_pieces(tokenizer, added).serialized)
    kinds = Counter(piece.kind for piece in added)
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    print(f"{options.out}: {len(tokenizer)} pieces and {len(added)} more ({counts})")


if __name__ == "__main__":
    sys.exit(main())
