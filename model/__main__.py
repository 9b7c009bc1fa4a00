"""Translate a sentence on the command line: `python -m model "The cat sleeps."`."""

import argparse
import sys

from model.command import command
from model.translator import load_translator


@command
def main() -> None:
    """Print the translation, then the pieces of both sides: ids, and what the source's cover."""
    parser = argparse.ArgumentParser(prog="python -m model", description=__doc__)
    parser.add_argument("sentence")
    parser.add_argument("--checkpoint", default="en-fr", help="a name under checkpoints/ or a path")
    options = parser.parse_args()
    translator = load_translator(options.checkpoint)
    source = translator.source(options.sentence)
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
