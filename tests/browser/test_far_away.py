"""The app from far away: each message of the server comes 300 ms late."""

import re
from itertools import pairwise

from playwright.sync_api import Page, WebSocket, expect

from browser.explorer_file import explorer
from tests.browser.test_focus import BANK, settled

FAR = """
const { prototype } = WebSocket;
const { set } = Object.getOwnPropertyDescriptor(prototype, "onmessage");
Object.defineProperty(prototype, "onmessage", { set(take) {
  set.call(this, (event) => setTimeout(() => take(event), 300));
} });
const listen = prototype.addEventListener;
prototype.addEventListener = function (name, take, ...more) {
  const late = (event) => setTimeout(() => take.call(this, event), 300);
  listen.call(this, name, name === "message" ? late : take, ...more);
};
"""

HASH = rb": ([0-9a-f]{32})"
"""How a request names a message that the browser still has."""


def test_back_leads_to_the_page_before(page: Page, app: str) -> None:
    page.add_init_script(FAR)
    page.goto(f"{app}/attention?kind=encoder&sentence={BANK}")
    explorer(page)
    settled(page)
    page.locator(".queries li", has_text="bank").click()
    page.get_by_role("menuitem", name="Mask it").click()
    expect(page.get_by_role("button", name=re.compile("bank.*✕"))).to_be_visible()
    settled(page)
    page.go_back()
    explorer(page)
    expect(page).to_have_url(re.compile("/attention"))


def test_the_browser_keeps_the_messages_of_the_pages_before(page: Page, app: str) -> None:
    """One that forgets what it has told the server that it has is cut off for good."""
    told: list[set[bytes]] = []

    def hear(sent: bytes | str) -> None:
        if isinstance(sent, bytes):
            told.append(set(re.findall(HASH, sent)))

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", hear)

    page.on("websocket", listen)
    page.goto(f"{app}/attention")
    explorer(page)
    for name in ("One head", "By hand", "Why it looks there", "One block", "Writing French"):
        settled(page)
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    kept = [hashes for hashes in told if hashes]
    assert len(kept) >= 5
    for before, after in pairwise(kept):
        assert before <= after
