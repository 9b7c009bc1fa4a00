"""The arguments after `streamlit run app.py --`: the models to open."""

import argparse
import os
from collections.abc import Sequence

CHECKPOINT = "HEADLIGHT_CHECKPOINT"
"""The variable that names the models for `viz.compute.models`: several in the form of PATH."""


def name_models(arguments: Sequence[str], *, ours: bool = True) -> None:
    """Put the models named by `--checkpoint` into their environment variable.

    Any other argument of ours ends the program with one sentence; others' are left alone.
    """
    parser = argparse.ArgumentParser("app.py", allow_abbrev=False, add_help=ours)
    parser.add_argument("--checkpoint", action="append", type=_name, metavar="NAME_OR_PATH")
    found = parser.parse_args(arguments) if ours else parser.parse_known_args(arguments)[0]
    if found.checkpoint:
        os.environ[CHECKPOINT] = os.pathsep.join(found.checkpoint)


def _name(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("a name or a path expected, found nothing")
    return text
