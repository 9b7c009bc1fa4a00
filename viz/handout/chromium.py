"""Where Chromium is on this machine, and how it prints a page."""

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

VARIABLE = "HEADLIGHT_CHROMIUM"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "msedge")
"""Names of programs; the first has no windows of its own, and needs a quarter less CPU a visit."""

PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
"""The paths of browsers that are on no search path."""

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")
_LONGEST = 120


def installed() -> Path | None:
    """Return the path of the browser named in the environment, or of an installed one, or None."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    for name in NAMES:
        if place := shutil.which(name):
            return Path(place)
    return next((Path(place) for place in PLACES if Path(place).exists()), None)


def pdf(html: str) -> bytes:
    """Print a page and return the PDF; ValueError if there is no Chromium, or it prints nothing."""
    program = installed()
    if program is None:
        raise ValueError(
            "no Chromium, Chrome or Edge is found to make a PDF: write an .html file and print it "
            f"in any browser, or name the program in {VARIABLE}"
        )
    with TemporaryDirectory() as folder:
        page, printed = Path(folder) / "page.html", Path(folder) / "page.pdf"
        page.write_text(html, encoding="utf-8")
        own = (f"--user-data-dir={folder}/profile", "--no-pdf-header-footer")
        asked = [str(program), *FLAGS, *own, f"--print-to-pdf={printed}", page.as_uri()]
        try:
            subprocess.run(asked, capture_output=True, timeout=_LONGEST, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ValueError(f"{program} could not print the page: {error}") from None
        if not printed.exists():
            raise ValueError(f"{program} printed nothing: write an .html file and print that")
        return printed.read_bytes()
