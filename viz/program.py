"""The program `headlight`: it starts the app, translates, or writes what a course needs.

headlight [--checkpoint NAME_OR_PATH]... [Streamlit's options, such as --server.port 8600]
headlight class [the same options]      for all devices of this machine's network
headlight translate [--checkpoint NAME_OR_PATH] SENTENCE
headlight site FOLDER [--checkpoint NAME_OR_PATH...] [--address ADDRESS] [--offline]
headlight lesson [LESSON] [--worksheet FILE.html|.pdf] [--quiz FILE.xml|.gift|.zip]
headlight check FILE...
headlight grade [ASSIGNMENT [LINKS.csv]]
headlight slides [--language zh] [--address ADDRESS] FOLDER
"""

import argparse
import sys
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from importlib import import_module, metadata

from model.home import HOME
from viz.classroom.network import own_address

PROGRAMS = {
    "translate": "model.__main__",
    "site": "viz.site.__main__",
    "lesson": "viz.handout.__main__",
    "check": "viz.handout.check",
    "grade": "viz.handout.grade",
    "slides": "viz.handout.slides",
}
"""The modules of the programs that start no server, by the word that calls them."""

CLASS = "class"
"""The word that starts the app for a network."""


def main() -> int:
    """Run the program; return its exit status."""
    arguments = sys.argv[1:]
    if module := PROGRAMS.get("".join(arguments[:1])):
        sys.argv = [f"headlight {arguments[0]}", *arguments[1:]]
        return import_module(module).main()  # only the one that is asked for: torch takes a second
    if arguments[:1] == [CLASS]:
        if not (address := own_address()):
            print("This machine is in no network that a class could reach.", file=sys.stderr)
            return 1
        arguments = [*for_class(address), *arguments[1:]]
    from streamlit.web.cli import main as streamlit

    sys.argv = ["headlight", *started(arguments)]
    return streamlit(prog_name="headlight", standalone_mode=True)


def for_class(address: str) -> list[str]:
    """Return Streamlit's options for a server that a network reaches at this address."""
    names = [part for name in (address, "localhost") for part in ("--server.allowedHosts", name)]
    return ["--server.address", "0.0.0.0", *names, "--browser.serverAddress", address]


def started(arguments: Sequence[str]) -> list[str]:
    """Return Streamlit's arguments for starting the app with these arguments.

    Ends the program with one sentence when an argument is none of ours and none of Streamlit's.
    """
    parser = argparse.ArgumentParser(
        "headlight",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    parser.add_argument("--checkpoint", action="append", default=[], metavar="NAME_OR_PATH")
    parser.add_argument("--version", action="version", version=f"Headlight {version()}")
    options, others = parser.parse_known_args(arguments)
    if reason := unknown(others):
        parser.exit(2, f"headlight: {reason}\n")
    named = [part for name in options.checkpoint for part in ("--checkpoint", name)]
    return ["run", str(HOME / "app.py"), *others, "--", *named]


def unknown(arguments: Sequence[str]) -> str | None:
    """Say which argument is none of Streamlit's options or their values; None when all are."""
    # Reading the configuration itself would make Streamlit tell of a change when it starts.
    from streamlit.config import _config_options_template

    options = {f"--{name}" for name in _config_options_template}
    expected = False
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        if name in options:
            expected = not equals
        elif expected:
            expected = False
        else:
            said = _what(argument) + (_meant(name, options) or ".")
            return f"{said} headlight --help lists what there is"
    return None


def _what(argument: str) -> str:
    if " " in argument.strip():
        return f"to translate a sentence: headlight translate {argument!r}; it is not a command"
    kind = "option" if argument.startswith("-") else "command"
    return f"there is no {kind} {argument!r}"


def _meant(name: str, options: Collection[str]) -> str:
    near = get_close_matches(name, [*options, *PROGRAMS, CLASS, "--checkpoint", "--version"], 1)
    return f"; did you mean {near[0]}?" if near else ""


def version() -> str:
    """Return the version of the installed package, or say that this is the repository."""
    try:
        return metadata.version("headlight")
    except metadata.PackageNotFoundError:
        return f"of the repository in {HOME}"
