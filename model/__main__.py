"""Translate a sentence on the command line: `python -m model "The cat sleeps."`.

With -, it reads standard input and translates each line to one line.
"""

import argparse
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from io import BufferedReader, TextIOWrapper
from typing import BinaryIO

from model.command import called, command
from model.translator import Translator, load_translator
from model.words import clean


@command
def main() -> None:
    """Print the translation and the pieces of both sides: their ids and the text they cover."""
    parser = argparse.ArgumentParser(prog=called("model"), description=__doc__)
    parser.add_argument("sentence", nargs="+", help="a sentence, or - for lines of standard input")
    parser.add_argument("--checkpoint", default="en-fr", help="a name under checkpoints/ or a path")
    options = parser.parse_args()
    translator = load_translator(options.checkpoint)
    sentence = " ".join(options.sentence)  # it may come without quotes
    if sentence == "-":
        translate_lines(translator, sys.stdin.buffer)
    else:
        translate_one(translator, sentence)


def translate_lines(translator: Translator, file: BinaryIO) -> None:
    """Print one line for each line of UTF-8 or UTF-16; one without visible text stays empty."""
    assert isinstance(file, BufferedReader)  # as standard input is
    marked = file.peek(2)[:2] in (BOM_UTF16_LE, BOM_UTF16_BE)
    encoding = "utf-16" if marked else "utf-8-sig"
    for line in TextIOWrapper(file, encoding, errors="replace"):
        print(translator.translate(line).text if clean(line) else "", flush=True)


def translate_one(translator: Translator, sentence: str) -> None:
    """Print the translation of a sentence and the pieces of both sides."""
    source = translator.source(sentence)
    translation = translator.translate(source)
    print(translation.text)
    print(f"log-probability {translation.log_prob:.3f}")
    print(f"\nsource: {source.text}")
    for piece in translator.tokenizer.pieces(source.text):
        print(f"  {piece.id:>5}  {piece.token:<16} [{piece.start}:{piece.end}]")
    print(f"\ntarget: {translation.text}")
    for id_, token in zip(translation.ids, translation.tokens, strict=True):
        print(f"  {id_:>5}  {token}")
    if source.cut:
        print(f"\nThe sentence was cut at {translator.max_tokens} pieces.", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
