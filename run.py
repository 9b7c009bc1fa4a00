"""Set Headlight up and start it, on any system.

python run.py [OPTIONS]         open the app in the browser; it takes what `headlight` takes
python run.py class             the same for a class: all devices of your network reach it
python run.py test [OPTIONS]    run the quick tests; it takes what pytest takes

The first time, this makes an environment in the folder .venv and installs the packages there, of
which torch is the largest. Nothing else on the machine changes; without that folder it begins anew.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL
from urllib.request import urlopen

from viz.server.supported import unsupported

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

DONE = ENVIRONMENT / "set-up.txt"
"""A copy of the installed requirements; if these change, the environment is set up again."""

SMALL_TORCH = "https://download.pytorch.org/whl/cpu"
"""The torch without 3 GB for graphics cards, which PyPI's has on Linux alone."""


def main(arguments: list[str]) -> int:
    """Set up what the arguments need, and start it; return the exit status."""
    if reason := unsupported(sys.version_info[:2]):
        print(reason, "Name another one, such as: python3.12 run.py (on Windows: py -3.12 run.py)")
        return 1
    os.chdir(ROOT)
    tests = arguments[:1] == ["test"]
    for words, command, optional in set_up("requirements-dev.txt" if tests else "requirements.txt"):
        print(f"\n{words} ...\n", flush=True)
        if subprocess.call(command) and not optional:
            print("\nHeadlight is not set up: the reason is above. Run this again to go on.")
            return 1
    program = ["pytest", *arguments[1:]] if tests else ["headlight", *arguments]
    try:
        return subprocess.call([str(PYTHON), "-m", *program])
    except KeyboardInterrupt:
        return 0


def set_up(requirements: str) -> Iterator[tuple[str, list[str], bool]]:
    """Yield the steps that are missing: what to say, the command, and whether it may fail."""
    names = dict.fromkeys(("requirements.txt", requirements))
    wanted = "".join((ROOT / name).read_text(encoding="utf-8") for name in names)
    if PYTHON.exists() and DONE.exists() and DONE.read_text(encoding="utf-8").startswith(wanted):
        return
    python = str(PYTHON)
    if not PYTHON.exists() or subprocess.call([python, "-m", "pip", "--version"], stdout=DEVNULL):
        venv = [sys.executable, "-m", "venv", str(ENVIRONMENT)]
        yield "1 of 3: an environment in the folder .venv", venv, False
    install = [python, "-m", "pip", "install"]
    if sys.platform == "linux" and answers(SMALL_TORCH):
        small = [*install, "torch", "-c", "requirements.txt", "--index-url", SMALL_TORCH]
        yield "2 of 3: torch, about 200 MB", small, True
    yield "3 of 3: all other packages", [*install, "-r", requirements], False
    DONE.write_text(wanted, encoding="utf-8")


def answers(host: str) -> bool:
    """Tell whether a host can be reached from here."""
    try:
        urlopen(f"{host}/torch/", timeout=10).close()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
