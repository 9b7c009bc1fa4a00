"""Run all tests: `python -m tests`. Finds a Chromium, installs one if there is none, runs pytest.

`HEADLIGHT_CHROMIUM` names another Chromium. Arguments go on to pytest.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from browser.chromium import VARIABLE, find_chromium


def install_chromium() -> None:
    """Install Debian's package as root, else Playwright's own download."""
    if os.geteuid() == 0 and Path("/usr/bin/apt-get").exists():
        subprocess.run(["apt-get", "update", "-q"], check=True)
        command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"]
        subprocess.run(command, check=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


def main() -> int:
    """Return pytest's exit status."""
    if find_chromium() is None:
        install_chromium()
    if (chromium := find_chromium()) is None:
        print(f"No Chromium found or installed; name one in {VARIABLE}.", file=sys.stderr)
        return 1
    os.environ[VARIABLE] = str(chromium)
    return pytest.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
