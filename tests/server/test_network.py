"""The server listens on this machine only and asks nobody for anything."""

import json
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.server.conftest import Watched, reached, strace
from viz.server.guard import ASKED, refusal


def stream(address: str) -> str:
    return address.replace("http", "ws", 1) + "/_stcore/stream"


@pytest.mark.usefixtures("first_answers")
def test_the_server_connects_to_nobody_whoever_visits_it(watched: Watched) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        connect(stream(watched.address), origin=Origin("http://elsewhere.test"), proxy=None)
    assert watched.asked_for() == []


def test_the_server_listens_on_this_machine_only(watched: Watched) -> None:
    bound = [line for line in watched.calls.read_text().splitlines() if "bind(" in line]
    assert len(bound) == 1
    assert 'inet_addr("127.0.0.1")' in bound[0]


def test_the_watcher_notices_who_asks_for_an_address(tmp_path: Path) -> None:
    calls = tmp_path / "calls.txt"
    ask = "import socket; socket.socket(type=socket.SOCK_DGRAM).connect(('127.0.0.1', 9))"
    subprocess.run([*strace(calls), sys.executable, "-c", ask], check=True, timeout=60)
    assert len(reached(calls.read_text())) == 1


def test_a_page_of_the_own_host_may_connect(watched: Watched) -> None:
    with connect(stream(watched.address), origin=Origin(watched.address), proxy=None) as own:
        assert own.response is not None
        assert own.response.status_code == 101


def test_a_name_that_is_not_ours_is_refused_even_when_it_leads_here(watched: Watched) -> None:
    """A stranger's page whose name is made to lead to 127.0.0.1 has that name as its host."""
    port = urlsplit(watched.address).port
    there = socket.create_connection(("127.0.0.1", port), timeout=60)
    with there, pytest.raises(InvalidStatus, match="403"):
        connect(f"ws://elsewhere.test:{port}/_stcore/stream", sock=there, proxy=None)


@pytest.mark.parametrize(
    ("host", "headers", "allowed"),
    [
        ("127.0.0.1", {}, True),
        ("::1", {}, True),
        ("192.0.2.7", {}, False),
        ("2001:db8::7", {}, False),
        ("testclient", {}, False),
        ("127.0.0.1", {"x-forwarded-for": "192.0.2.7"}, False),
        ("127.0.0.1", {"forwarded": "for=192.0.2.7"}, False),
    ],
)
def test_the_figures_of_the_server_are_for_who_asked_for_them_on_its_own_machine(
    monkeypatch: pytest.MonkeyPatch, host: str, headers: dict[str, str], allowed: bool
) -> None:
    scope: dict[str, Any] = {
        "type": "http",
        "path": "/_stcore/metrics",
        "client": (host, 50_000),
        "headers": [
            (name.encode(), value.encode())
            for name, value in {"host": "localhost:8501", **headers}.items()
        ],
    }
    assert ASKED in (refusal(scope) or "")
    monkeypatch.setenv(ASKED, "1")
    assert (refusal(scope) is None) is allowed


@pytest.mark.parametrize("path", ["/", "/attention", "/_stcore/metrics", "/first_picture.js"])
def test_a_name_that_is_not_ours_gets_no_page_and_is_told_why(watched: Watched, path: str) -> None:
    asked = urllib.request.Request(watched.address + path, headers={"Host": "elsewhere.test:80"})
    with pytest.raises(urllib.error.HTTPError, match="403") as refused:
        urllib.request.urlopen(asked, timeout=60)
    assert "--server.allowedHosts elsewhere.test" in refused.value.read().decode()


def test_a_probe_may_call_the_server_by_any_name(watched: Watched) -> None:
    health = f"{watched.address}/_stcore/health"
    asked = urllib.request.Request(health, headers={"Host": "10.2.3.4:8501"})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        assert answer.status == 200


def test_the_address_is_printed_once_the_app_is_there(watched: Watched) -> None:
    log = watched.calls.with_name("log.txt").read_text()
    assert f"Headlight: http://localhost:{urlsplit(watched.address).port}\n" in log
    assert "You can now view" not in log


def test_nobody_reads_the_figures_of_a_server_that_was_not_asked_to_tell_them(
    watched: Watched,
) -> None:
    with pytest.raises(urllib.error.HTTPError, match="403") as refused:
        urllib.request.urlopen(f"{watched.address}/_stcore/metrics", timeout=60)
    assert ASKED in refused.value.read().decode()


def test_no_page_of_another_site_may_steer_the_app(watched: Watched) -> None:
    with urllib.request.urlopen(f"{watched.address}/_stcore/host-config", timeout=60) as answer:
        assert json.loads(answer.read())["allowedOrigins"] == []
