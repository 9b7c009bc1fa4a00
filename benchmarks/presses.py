"""A search for rare faults: `python -m benchmarks.presses [SEED ...] [--minutes N]`.

A visitor does whatever comes next, fast and without thinking: clicks on what is in view, keys, Back
and Forward, other sentences, fresh tabs of various widths. The seed decides what comes next; the
server's timing does not repeat, so the same seed meets other moments each time. Two of these
commands together keep a machine of two cores busy, which shows more faults.

It prints each fault with what was done before it, and at the end a row for each seed. The exit
status is 1 after a fault: an error of a script, on the page or in the server's log, what the page
may not load, an empty page, a run that does not end, or Streamlit's own dialog of an error.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from benchmarks import table
from browser.chromium import find_chromium
from browser.server import running_app
from viz.course.pages import COURSE
from viz.handout.chromium import FLAGS
from viz.shell.lessons.shelf import read_shelf

SCREENS = ((1280, 720), (1280, 720), (1920, 1080), (390, 844))
"""The widths and heights of a projector and a phone; the first size is the most usual."""
PAUSES = (0, 20, 80, 150, 300, 700, 1600)
"""The pauses after a press in milliseconds; an attentive visitor takes the longest."""
PRESSES = 6
"""The number of presses between two looks at the page."""
RUN = 90.0
"""The seconds in which a page must be drawn, on a machine where much else runs."""
TOLD = 14
"""The number of last presses that are printed with a fault."""

KEYS = (
    *("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "PageDown", "Home", "End"),
    *("Enter", " ", "Tab", "Escape", "1", "3", "8", "c", "g", "l", "m", "p"),
)

SENTENCES = (
    "",
    "We wait.",
    "The cat is here.",
    "🦊 你好",
    "She never drinks coffee because it is too strong.",
    "The animal didn't cross the street because it was too wide.",
)

PRESSABLE = """() => {
  const found = [];
  const wanted = `button, a[href], summary, select, label, canvas, input[type=range],
    [role=radio], [role=option], [role=menuitem], [role=tab], [role=slider],
    [tabindex="0"], .chip, .cell, li .token`;
  const away = /Download|Copy the link|Print|source|Rerun|Record/i;
  const walk = (root) => root.querySelectorAll("*").forEach((node) => {
    if (node.shadowRoot) walk(node.shadowRoot);
    if (!node.matches(wanted) || node.disabled) return;
    if (node.target === "_blank" || node.hasAttribute("download")) return;
    const name = (node.getAttribute("aria-label") || node.textContent || "").trim();
    if (node.tagName !== "CANVAS" && away.test(name)) return;
    const box = node.getBoundingClientRect();
    if (box.width < 4 || box.height < 4 || box.top < 0 || box.left < 0) return;
    if (box.bottom > innerHeight || box.right > innerWidth) return;
    if (!node.checkVisibility({ visibilityProperty: true })) return;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    found.push({ x, y, name: `${node.tagName.toLowerCase()} ${name}`.slice(0, 50) });
  });
  walk(document);
  return found;
}"""
"""What can be pressed in view, with its middle, unless it saves files or leaves the app."""

SEEN = """() => {
  const texts = (selector) => [...document.querySelectorAll(selector)]
    .map((node) => node.innerText.slice(0, 200));
  const main = document.querySelector(".stMain");
  return {
    running: document.querySelector("[data-testid=stApp]")?.dataset.testScriptState,
    empty: (main?.innerText ?? "").trim().length < 5,
    errors: [
      ...texts("[data-testid=stException], [data-testid=stAlertContentError]"),
      ...texts("[role=dialog]").filter((text) => /error/i.test(text)),
    ],
  };
}"""


class Presser:
    """A visitor who does what a seed says, in one tab at a time of a window."""

    def __init__(self, window: BrowserContext, address: str, seed: int) -> None:
        self.window, self.address, self.random = window, address, random.Random(seed)
        self.presses = 0
        self.errors: list[str] = []
        self.page = self.opened()

    def opened(self) -> Page:
        """Open a page, or a scene on stage, in a new tab, now and then in Chinese."""
        page = self.window.new_page()
        page.set_default_timeout(3_000)
        self.errors.clear()
        width, height = self.random.choice(SCREENS)
        page.set_viewport_size({"width": width, "height": height})
        page.on("pageerror", lambda error: self.errors.append(f"script: {error}"))
        page.on("crash", lambda _page: self.errors.append("the tab crashed"))
        page.on("dialog", lambda dialog: dialog.dismiss())
        page.on("console", lambda said: self.heard(said.text))
        link = self.random.choice([entry.link for entry in COURSE])
        if self.random.random() < 0.5:
            lesson = self.random.choice(read_shelf("en").lessons)
            scene = self.random.randint(1, len(lesson.scenes))
            link = f"?lesson={lesson.name}&scene={scene}&present=1"
        if self.random.random() < 0.2:
            link += f"{'&' if '?' in link else '?'}lang=zh"
        page.goto(f"{self.address}/{link}", timeout=1000 * RUN)
        self.done = [f"open /{link}, {width} wide"]
        return page

    def heard(self, said: str) -> None:
        """Keep the console's messages about what a page may not load."""
        if "Content Security Policy" in said:
            self.errors.append(said)

    def start_again(self) -> None:
        """Close the tab and open another."""
        self.page.close()
        self.page = self.opened()

    def press(self) -> None:
        """Do a random thing, and wait for a moment."""
        self.presses += 1
        works = (self.click, self.key, self.go_back, self.say, self.scroll, self.start_again)
        try:
            self.random.choices(works, (62, 18, 6, 5, 5, 4))[0]()
            self.page.wait_for_timeout(self.random.choice(PAUSES))
        except Error as error:  # the button is gone, or covered by something else
            self.done.append(f"({error.message.splitlines()[0][:60]})")
        if not self.page.url.startswith(self.address):
            self.start_again()

    def click(self) -> None:
        """Click on something in view."""
        if buttons := self.page.evaluate(PRESSABLE):
            button = self.random.choice(buttons)
            self.done.append(f"click {button['name']!r}")
            self.page.mouse.click(button["x"], button["y"])

    def key(self) -> None:
        """Press a key."""
        key = self.random.choice(KEYS)
        self.done.append(f"key {key!r}")
        self.page.keyboard.press(key)

    def go_back(self) -> None:
        """Go back, or now and then forward, without waiting for the page."""
        way = self.random.choices(("back", "forward"), (7, 3))[0]
        self.done.append(way)
        self.page.evaluate(f"history.{way}()")

    def say(self) -> None:
        """Ask for another sentence, where the page has one."""
        box = self.page.get_by_label("Sentence to translate")
        if box.count():
            sentence = self.random.choice(SENTENCES)
            self.done.append(f"sentence {sentence!r}")
            box.first.fill(sentence)
            box.first.press("Enter")

    def scroll(self) -> None:
        """Turn the wheel."""
        self.done.append("wheel")
        self.page.mouse.wheel(0, self.random.choice((-800, 600, 1500)))

    def fault(self) -> str | None:
        """Wait until the page is drawn; return what is wrong with it, if anything."""
        limit = time.monotonic() + RUN
        while (seen := self.seen())["running"] != "notRunning" and not self.errors:
            if time.monotonic() > limit:
                return f"not drawn in {RUN:.0f} s: {seen['running']}"
            self.page.wait_for_timeout(100)
        if not self.errors:
            self.page.wait_for_timeout(300)  # components draw a moment later
            seen = self.seen()
        if faults := [*self.errors, *seen["errors"]]:
            return str(faults[0])
        return "the page is empty" if seen["empty"] else None

    def seen(self) -> dict[str, Any]:
        """Return what is on the page, and whether the document is new."""
        try:
            return dict(self.page.evaluate(SEEN))
        except Error as error:
            return {"running": error.message, "empty": False, "errors": []}


def pressed(browser: Browser, address: str, seed: int, seconds: float) -> tuple[int, int]:
    """Press for `seconds`, print the faults, and return the numbers of presses and of faults."""
    window = browser.new_context()
    presser, faults, end = Presser(window, address, seed), 0, time.monotonic() + seconds
    while time.monotonic() < end:
        for _press in range(PRESSES):
            presser.press()
        if fault := presser.fault():
            faults += 1
            done = " | ".join(presser.done[-TOLD:])
            print(f"seed {seed}, press {presser.presses}: {fault}")
            print(f"  {presser.page.url}\n  {done}", flush=True)
            presser.start_again()
    window.close()
    return presser.presses, faults


def main() -> None:
    """Start the app, press, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.presses", description=__doc__)
    parser.add_argument("seeds", nargs="*", type=int, default=[1], metavar="SEED")
    parser.add_argument("--minutes", type=float, default=5, help="for each seed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        log = Path(folder) / "log.txt"
        with running_app(log) as address:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=[*FLAGS])
            rows = [
                (seed, *pressed(browser, address, seed, 60 * options.minutes))
                for seed in options.seeds
            ]
            browser.close()
        log_text = log.read_text(encoding="utf-8")
    table("Faults found", ("seed", "presses", "faults"), rows)
    if "Traceback" in log_text:
        print(f"The server's log:\n{log_text[log_text.index('Traceback') :]}")
    sys.exit("Traceback" in log_text or any(faults for _seed, _presses, faults in rows))


if __name__ == "__main__":
    main()
