"""The program `headlight`: it starts the app, or translates on the command line.

headlight [--checkpoint NAME_OR_PATH]... [Streamlit's options, such as --server.port 8600]
headlight translate [--checkpoint NAME_OR_PATH] SENTENCE
"""

import argparse
import sys
from collections.abc import Sequence

from model.home import HOME

TRANSLATE = "translate"


def main() -> int:
    """Run the program; return its exit status."""
    arguments = sys.argv[1:]
    if arguments[:1] == [TRANSLATE]:
        from model.__main__ import main as translate  # torch takes a second to import

        sys.argv = [f"headlight {TRANSLATE}", *arguments[1:]]
        return translate()
    from streamlit.web.cli import main as streamlit

    sys.argv = ["headlight", *started(arguments)]
    return streamlit(prog_name="headlight", standalone_mode=True)


def started(arguments: Sequence[str]) -> list[str]:
    """Return what Streamlit is told to start the app with these arguments."""
    parser = argparse.ArgumentParser(
        "headlight",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    parser.add_argument("--checkpoint", action="append", default=[], metavar="NAME_OR_PATH")
    found, others = parser.parse_known_args(arguments)
    named = [part for name in found.checkpoint for part in ("--checkpoint", name)]
    return ["run", str(HOME / "app.py"), *others, "--", *named]
