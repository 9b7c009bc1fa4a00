"""The arguments after `streamlit run app.py --`: the models to open."""

import argparse
import os
from collections.abc import Sequence

CHECKPOINT = "HEADLIGHT_CHECKPOINT"
"""The variable that names the models for `viz.compute.models`, separated as in PATH."""


def name_models(arguments: Sequence[str], *, ours: bool = True) -> None:
    """Put the models named by `--checkpoint` into their environment variable.

    If the arguments are `ours`, any other argument ends the program with one sentence; else other
    arguments are left alone.
    """
    parser = argparse.ArgumentParser("app.py", allow_abbrev=False, add_help=ours)
    parser.add_argument("--checkpoint", action="append", type=_name, metavar="NAME_OR_PATH")
    options = parser.parse_args(arguments) if ours else parser.parse_known_args(arguments)[0]
    if options.checkpoint:
        os.environ[CHECKPOINT] = os.pathsep.join(options.checkpoint)


def _name(name: str) -> str:
    if not name:
        raise argparse.ArgumentTypeError("a name or a path expected, found nothing")
    return name
