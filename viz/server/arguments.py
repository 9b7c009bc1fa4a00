"""The arguments after `streamlit run app.py --`: the models to open."""

import argparse
import os
from collections.abc import Sequence

CHECKPOINT = "HEADLIGHT_CHECKPOINT"
"""The variable that names the models, as `viz.compute.models` reads it: several as in PATH."""


def name_models(arguments: Sequence[str]) -> None:
    """Put the models named by `--checkpoint` into the variable that names them.

    Others' arguments are left alone.
    """
    parser = argparse.ArgumentParser("app.py", allow_abbrev=False, add_help=False)
    parser.add_argument("--checkpoint", action="append", metavar="NAME_OR_PATH")
    if named := parser.parse_known_args(arguments)[0].checkpoint:
        os.environ[CHECKPOINT] = os.pathsep.join(named)
