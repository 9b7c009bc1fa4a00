"""Run all tests: `python -m tests`. Finds what they drive, installs what is missing, runs pytest.

That is a Chromium (`HEADLIGHT_CHROMIUM` names another), nginx, Redis, Node, wabt, strace where
there is Linux, and on Debian a font for Chinese.
Arguments go on to pytest, after `ALL`; `-n 0` runs everything in this process, for a debugger.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from browser.chromium import find_chromium
from viz.handout.chromium import VARIABLE

ALL = ("-m", "", "-n", "2", "--dist", "worksteal", "--durations", "40")
"""All marks, on two workers: who has done one half of the tests takes what is left of the other.

The summary names what took longest.
"""

CHROMIUM = "chromium-headless-shell"

PACKAGES = {
    "nginx": "nginx-light",
    "node": "nodejs",
    "redis-server": "redis-server",
    "strace": "strace",
    "wat2wasm": "wabt",
}
"""Debian's packages of the programs that the tests drive: a server's, and those for JavaScript."""


def missing() -> list[str]:
    """List the Debian packages of what the tests drive and this machine lacks."""
    # Debian has nginx where only root looks for programs.
    path = os.environ["PATH"] = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/sbin"
    lacking = [] if find_chromium() else [CHROMIUM]
    if Path("/usr/bin/apt-get").exists() and not any(Path("/usr/share/fonts").rglob("*CJK*")):
        lacking.append("fonts-noto-cjk")
    found = [package for name, package in PACKAGES.items() if not shutil.which(name, path=path)]
    return lacking + [one for one in found if one != "strace" or sys.platform == "linux"]


def install(packages: list[str]) -> None:
    """Install Debian's packages as root; anybody else can have Playwright's own Chromium."""
    if Path("/usr/bin/apt-get").exists() and os.geteuid() == 0:
        subprocess.run(["apt-get", "update", "-q"], check=True, timeout=600)
        command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(command, check=True, env=quiet, timeout=1800)
    elif CHROMIUM in packages:
        command = [sys.executable, "-m", "playwright", "install", "chromium"]
        subprocess.run(command, check=True, timeout=1800)


def main() -> int:
    """Return pytest's exit status."""
    if packages := missing():
        install(packages)
    if packages := missing():
        hint = f"; {VARIABLE} names a Chromium" if CHROMIUM in packages else ""
        print(f"Not found or installed: {', '.join(packages)}{hint}.", file=sys.stderr)
        return 1
    os.environ[VARIABLE] = str(find_chromium())
    return pytest.main([*ALL, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
