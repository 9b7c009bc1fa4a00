"""Write the program as a static site, with its model, for any web host.

The attention explorer and the step decoder answer for any sentence: the model runs in the visitor's
browser. The heads being born are recorded. It is in every language, light and dark, and connects
to no other machine.
"""

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from model.command import called, command
from viz.compute import models, runs
from viz.server.arguments import name_models
from viz.site.site import write_site

DEFAULT = ("en-fr", "zh-en")
"""The models of a site if no model is named."""


@command
def main() -> None:
    """Write the site, and print where it is."""
    parser = argparse.ArgumentParser(called("viz.site"), description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder, or an empty one")
    parser.add_argument(
        "--checkpoint",
        nargs="+",
        metavar="NAME_OR_PATH",
        help=f"the models to choose from, each fetched when chosen; {' '.join(DEFAULT)} by default",
    )
    parser.add_argument(
        "--address",
        type=_address,
        help="where your students get the program, or find it running: https://...",
    )
    parser.add_argument(
        "--offline",
        action="store_true",
        help="keep the model in scripts, so that index.html opens from a disk, without a host",
    )
    options = parser.parse_args()
    logging.getLogger("streamlit").setLevel(logging.ERROR)  # it serves nothing
    names = named(options.checkpoint)
    for name in names:
        with models.using(name):
            runs.warm_up()
    size = write_site(
        options.folder,
        options.address or "",
        lambda name: print(name, file=sys.stderr),
        names=names,
        offline=options.offline,
    )
    print(f"{options.folder / 'index.html'} is the first page; {size / 1e6:.1f} MB in all.")


def named(asked: Sequence[str] | None) -> list[str]:
    """Return the names of the models that the arguments ask for, each of them once."""
    if asked is None and models.NAMED_AT_START not in os.environ:
        asked = DEFAULT
    if asked is None:
        return [models.default()]
    name_models([part for one in asked for part in ("--checkpoint", one)])
    return list(dict.fromkeys(models.name_at_start(one) for one in asked))


def _address(text: str) -> str:
    if urlsplit(text).scheme not in ("http", "https"):
        raise argparse.ArgumentTypeError(f"an address with https:// expected, not {text!r}")
    return text


if __name__ == "__main__":
    sys.exit(main())
