"""The app as a user starts it, on a free port."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_app(log: Path, seconds: float = 90) -> Iterator[str]:
    """Start `streamlit run app.py`, yield its address, and stop it; RuntimeError if it fails."""
    port = _free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    options = ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless=1"]
    with log.open("wb") as output:
        server = subprocess.Popen(
            [*command, *options], cwd=ROOT, stdout=output, stderr=output, env={**os.environ}
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(f"{address}/_stcore/health", server, log, time.monotonic() + seconds)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=20)


def _wait(url: str, server: subprocess.Popen[bytes], log: Path, deadline: float) -> None:
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"the app did not start:\n{log.read_text()[-3000:]}")
