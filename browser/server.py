"""The app as a user starts it, on a free port."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent

START = 600
"""Seconds that a server may take to start, on a machine where much else runs."""


def free_port() -> int:
    """Return a port that no program listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_app(
    log: Path, seconds: float = START, watcher: Sequence[str] = (), cold: bool = False
) -> Iterator[str]:
    """Start `streamlit run app.py`, yield its address, and stop it; RuntimeError if it fails.

    It runs under the command `watcher`, if there is one. A `cold` one opens no page ahead.
    """
    with started(log, free_port(), seconds, watcher, cold=cold) as server:
        yield server.address


@dataclass(frozen=True)
class Server:
    """A running app: its address, and its process (or that of its watcher)."""

    address: str
    process: subprocess.Popen[bytes]


@contextmanager
def started(
    log: Path,
    port: int,
    seconds: float = START,
    watcher: Sequence[str] = (),
    below: str = "",
    cold: bool = False,
) -> Iterator[Server]:
    """Start the app on a port and stop it at the end; RuntimeError if it does not start.

    It lies `below` a path, "/course/x", if that is given; its address ends with it. A `cold` one
    opens no page ahead: it starts in half the time.
    """
    command = [*watcher, sys.executable, "-m", "streamlit", "run", "app.py"]
    options = ["--server.port", str(port), "--server.headless=1"]
    if below:
        options += ["--server.baseUrlPath", below.strip("/")]
    environment = os.environ | ({"HEADLIGHT_OPENS_AHEAD": "0"} if cold else {})
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, *options], cwd=ROOT, env=environment, stdout=output, stderr=output
        )
    address = f"http://127.0.0.1:{port}{below}"
    try:
        wait_for(f"{address}/_stcore/health", process, log, seconds)
        yield Server(address, process)
    finally:
        process.terminate()
        process.wait(timeout=60)


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path, seconds: float) -> None:
    """Wait until a server answers; RuntimeError with the end of its log when it does not."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    said = log.read_text(encoding="utf-8")
    raise RuntimeError(f"no answer of {url} in {seconds} s:\n{said[-3000:]}")
