"""Learn the pieces of a new pair of languages before a run, for `--pieces`."""

import argparse
import re
import sys
from collections.abc import Collection
from pathlib import Path

from sentencepiece import sentencepiece_model_pb2 as proto

from model.checkpoints.checkpoint import write_whole
from model.command import command
from model.tokenizer import Tokenizer
from model.training.data.more_pieces import missing_signs, with_pieces
from model.training.data.pairs import learn_tokenizer, read_pairs
from model.words import WORD_START

NOUNS = 3
"""The characters from which on only nouns and names are one piece: 图书馆 is, 我爱你 is not."""

NUMBERS = ("m", "mq")
"""The tags of numbers, and of numbers with a classifier: 一个 is cut."""

_CHINESE = re.compile("[\u3400-\u9fff]")


@command
def main() -> None:
    """Write the tokenizer; raise ValueError when a file cannot be read or is too small."""
    parser = argparse.ArgumentParser(prog="python -m model.training.learn_pieces")
    parser.add_argument("pairs", type=Path, nargs="+", help="TSVs of sentence pairs (.gz or not)")
    parser.add_argument("--size", type=int, required=True, help="pieces before some are taken out")
    parser.add_argument("--out", type=Path, required=True, help="the tokenizer.model to write")
    parser.add_argument(
        "--words", type=Path, required=True, help="jieba's dict.txt: word, frequency, tag a line"
    )
    options = parser.parse_args()
    words = read_words(options.words)
    pairs = [pair for path in options.pairs for pair in read_pairs(path)]
    short = without_phrases(learn_tokenizer(pairs, options.size), words)
    signs = missing_signs(short)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(options.out, with_pieces(short, signs).serialized)
    print(
        f"{options.out}: {len(short)} pieces and {len(signs)} signs; "
        f"{options.size - len(short)} Chinese phrases left out"
    )


def read_words(path: Path) -> frozenset[str]:
    """Read the words that may be one piece; ValueError when the file is no such dictionary."""
    try:
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
        return frozenset(
            word
            for word, _frequency, tag in lines
            if tag.startswith("n") or (len(word) < NOUNS and tag not in NUMBERS)
        )
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: lines of word, frequency and tag expected: {error}") from error


def without_phrases(tokenizer: Tokenizer, words: Collection[str]) -> Tokenizer:
    """Return the tokenizer without pieces of several Chinese characters that are no word."""
    model = proto.ModelProto()  # pyrefly: ignore[missing-attribute]
    model.ParseFromString(tokenizer.serialized)
    kept = [
        piece
        for piece in model.pieces
        if len(_CHINESE.findall(piece.piece)) < 2 or piece.piece.removeprefix(WORD_START) in words
    ]
    del model.pieces[:]
    model.pieces.extend(kept)
    model.trainer_spec.vocab_size = len(kept)
    return Tokenizer(model.SerializeToString())


if __name__ == "__main__":
    sys.exit(main())
