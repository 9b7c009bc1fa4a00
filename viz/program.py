"""The program `headlight`: it starts the app, translates, or writes what a course needs.

headlight [--checkpoint NAME_OR_PATH]... [Streamlit's options, such as --server.port 8600]
headlight translate [--checkpoint NAME_OR_PATH] SENTENCE
headlight site [--checkpoint NAME_OR_PATH] [--address ADDRESS] FOLDER
headlight lesson [LESSON] [--worksheet FILE.html|.pdf] [--quiz FILE.xml|.gift|.zip]
headlight check FILE...
headlight grade [ASSIGNMENT [LINKS.csv]]
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from model.home import HOME

PROGRAMS = {
    "translate": "model.__main__",
    "site": "viz.site.__main__",
    "lesson": "viz.handout.__main__",
    "check": "viz.handout.check",
    "grade": "viz.handout.grade",
}
"""The modules of the programs that start no server, by the word that calls them."""


def main() -> int:
    """Run the program; return its exit status."""
    arguments = sys.argv[1:]
    if module := PROGRAMS.get("".join(arguments[:1])):
        sys.argv = [f"headlight {arguments[0]}", *arguments[1:]]
        return import_module(module).main()  # only the one that is asked for: torch takes a second
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
