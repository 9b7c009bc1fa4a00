"""Learn the pieces of a new pair of languages before a run, for `--pieces`."""

import argparse
import re
import sys
from pathlib import Path

from sentencepiece import sentencepiece_model_pb2 as proto

from model.checkpoints.checkpoint import write_whole
from model.command import command
from model.tokenizer import Tokenizer
from model.training.data.more_pieces import missing_signs, with_pieces
from model.training.data.pairs import learn_tokenizer, read_pairs

LONGEST_CHINESE = 3
"""The most Chinese characters in a piece: a phrase such as 我不知道 is cut into its words."""

_CHINESE = re.compile("[\u3400-\u9fff]")


@command
def main() -> None:
    """Write the tokenizer; raise ValueError when a file cannot be read or is too small."""
    parser = argparse.ArgumentParser(prog="python -m model.training.learn_pieces")
    parser.add_argument("pairs", type=Path, nargs="+", help="TSVs of sentence pairs (.gz or not)")
    parser.add_argument("--size", type=int, required=True, help="pieces before some are taken out")
    parser.add_argument("--out", type=Path, required=True, help="the tokenizer.model to write")
    options = parser.parse_args()
    pairs = [pair for path in options.pairs for pair in read_pairs(path)]
    short = without_phrases(learn_tokenizer(pairs, options.size))
    signs = missing_signs(short)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(options.out, with_pieces(short, signs).serialized)
    print(
        f"{options.out}: {len(short)} pieces and {len(signs)} signs; "
        f"{options.size - len(short)} Chinese phrases left out"
    )


def without_phrases(tokenizer: Tokenizer) -> Tokenizer:
    """Return the tokenizer without pieces of more than LONGEST_CHINESE Chinese characters."""
    model = proto.ModelProto()  # pyrefly: ignore[missing-attribute]
    model.ParseFromString(tokenizer.serialized)
    short = [
        piece for piece in model.pieces if len(_CHINESE.findall(piece.piece)) <= LONGEST_CHINESE
    ]
    del model.pieces[:]
    model.pieces.extend(short)
    model.trainer_spec.vocab_size = len(short)
    return Tokenizer(model.SerializeToString())


if __name__ == "__main__":
    sys.exit(main())
