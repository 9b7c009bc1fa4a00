"""Two servers behind a real nginx: visitors spread, stick, and move over when one server dies."""

import time
import urllib.error
import urllib.request
import zipfile
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Download, Locator, Page, TimeoutError, expect

from browser.hall import Hall, running_hall
from browser.waiting import LONG

SECONDS = 120  # where other tests run beside it; alone it is less than 5
"""In which a visitor's view is back on the other server."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with running_hall(tmp_path_factory.mktemp("hall"), cold=True) as running:
        yield running


def get(address: str, seat: str = "") -> tuple[bytes, str]:
    """Return the body of an answer and the seat it gives."""
    headers = {"Cookie": f"headlight_seat={seat}"} if seat else {}
    request = urllib.request.Request(address, headers=headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        cookie = answer.headers.get("Set-Cookie", "")
        given = next((part for part in cookie.split("; ") if "headlight_seat=" in part), "")
        return answer.read(), given.partition("=")[2]


def test_visitors_of_one_address_spread_and_each_sticks_to_one_server(hall: Hall) -> None:
    seats = [get(hall.address)[1] for _ in range(40)]
    assert len(set(seats)) == 40
    for seat in seats:
        for path in ("/", "/_stcore/health", "/explorer"):
            body, given = get(hall.address + path, seat)
            assert body
            assert given == ""
    servers = {seat: hall.servers_of(seat, 3) for seat in seats}
    assert {len(found) for found in servers.values()} == {1}
    spread = Counter(server for found in servers.values() for server in found)
    assert len(spread) == 2
    assert min(spread.values()) >= 4  # by chance fewer once in fifty million runs


def test_the_figures_of_the_servers_are_not_for_visitors(hall: Hall) -> None:
    with pytest.raises(urllib.error.HTTPError, match="403"):
        get(f"{hall.address}/_stcore/metrics")


def test_static_files_are_compressed_and_asked_for_once(hall: Hall) -> None:
    page, _ = get(hall.address)
    script = page.decode().split('src="./static/js/')[1].split('"')[0]
    request = urllib.request.Request(
        f"{hall.address}/static/js/{script}", headers={"Accept-Encoding": "gzip"}
    )
    for _ in range(3):
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert answer.headers["Content-Encoding"] == "gzip"
    asked = hall.lines((script,), 3)
    assert sum("127.0.0.1:" in line for line in asked) == 1


def painted(page: Page, address: str) -> None:
    page.goto(address)
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
    expect(app).to_have_attribute("data-test-script-state", "notRunning")


def seat_of(page: Page) -> str:
    cookies = page.context.cookies()
    return next(one.get("value", "") for one in cookies if one.get("name") == "headlight_seat")


def tab(browser: Browser) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(LONG)
    return page


def two_on_one_server(browser: Browser, hall: Hall) -> tuple[Page, Page, str]:
    """Return the pages of two visitors on the same server, and its address without http."""

    def server_of(seat: str) -> str:
        get(f"{hall.address}/_stcore/health", seat)
        (server,) = hall.servers_of(f"{seat} 127", 1)
        return server

    first, second = tab(browser), tab(browser)
    first.goto(hall.address)
    server = server_of(seat_of(first))
    seats = (get(hall.address)[1] for _ in range(40))
    seat = next(seat for seat in seats if server_of(seat) == server)
    second.context.add_cookies([{"name": "headlight_seat", "value": seat, "url": hall.address}])
    return first, second, server


def downloaded(page: Page, button: Locator, until: float) -> Download:
    """Press a button, again and again until a time, and return what it downloads."""
    while True:
        try:
            with page.expect_download(timeout=1000 * SECONDS / 4) as download:
                button.click()
            return download.value
        except TimeoutError:
            assert time.monotonic() < until, "no download"


def test_when_a_server_dies_its_visitors_find_their_view_on_the_other(
    browser: Browser, hall: Hall, tmp_path: Path
) -> None:
    """The last test here: nobody brings the server back."""
    stepping, explorer, server = two_on_one_server(browser, hall)
    dying, remaining = sorted(hall.servers, key=lambda one: not one.address.endswith(server))
    painted(stepping, f"{hall.address}/decoder?edits=zero.c.5.6&step=3")
    decoder = stepping.locator(".decoder")
    expect(decoder).to_have_attribute("data-step", "3")
    painted(explorer, f"{hall.address}/attention?sentence=The+cat+sleeps.&edits=lift.d")
    whole = explorer.get_by_role("button", name="Download the whole recording")
    expect(whole).to_be_visible()
    dying.process.kill()
    dying.process.wait(timeout=60)
    limit = 1000 * SECONDS
    killed = time.monotonic()
    other = remaining.address.removeprefix("http://")
    for page in (stepping, explorer):
        left = SECONDS - (time.monotonic() - killed)
        hall.lines((seat_of(page), other), 1, left)
        app = page.get_by_test_id("stApp")
        left = max(1, limit - 1000 * (time.monotonic() - killed))
        expect(app).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=left)
        expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=left)
    expect(decoder).to_have_attribute("data-step", "3", timeout=limit)
    expect(stepping.get_by_text("The model is changed")).to_be_visible(timeout=limit)
    stepping.get_by_role("button", name="Next").click()
    expect(decoder).to_have_attribute("data-step", "4", timeout=limit)
    expect(explorer.get_by_text("The model is changed")).to_be_visible(timeout=limit)
    # Pressed while the page comes back, it may still ask the dead server.
    downloaded(explorer, whole, killed + 6 * SECONDS).save_as(tmp_path / "recording.npz")
    content = BytesIO((tmp_path / "recording.npz").read_bytes())
    assert "decoder.logits.npy" in zipfile.ZipFile(content).namelist()
    for page in (stepping, explorer):
        page.context.close()
