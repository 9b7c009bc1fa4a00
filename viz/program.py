"""The program `headlight`: it starts the app, translates, or writes a tour for a course page.

headlight [--checkpoint NAME_OR_PATH]... [Streamlit's options, such as --server.port 8600]
headlight translate [--checkpoint NAME_OR_PATH] SENTENCE
headlight tour [--checkpoint NAME_OR_PATH] [--address ADDRESS] FOLDER
"""

import argparse
import sys
from collections.abc import Sequence

from model.home import HOME

TRANSLATE, TOUR = "translate", "tour"


def main() -> int:
    """Run the program; return its exit status."""
    arguments = sys.argv[1:]
    if arguments[:1] == [TRANSLATE]:
        from model.__main__ import main as translate  # torch takes a second to import

        sys.argv = [f"headlight {TRANSLATE}", *arguments[1:]]
        return translate()
    if arguments[:1] == [TOUR]:
        from viz.tour.__main__ import main as tour

        sys.argv = [f"headlight {TOUR}", *arguments[1:]]
        return tour()
    from streamlit.web.cli import main as streamlit

    sys.argv = ["headlight", *started(arguments)]
    return streamlit(prog_name="headlight", standalone_mode=True)


def started(arguments: Sequence[str]) -> list[str]:
    """Return Streamlit's arguments for starting the app with these arguments."""
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
