"""The drawing times of lessons in headless Chromium: `python -m benchmarks.scenes [LESSON ...]`.

A time runs from the press of the right arrow, in presenter mode at 1280 x 720, to the frame after
the page of the scene has been drawn, even below the screen, except for figures there, which follow
later. The server and the browser are on one machine. The goal is at most 1 s for every scene. The
server opens the next scenes while a class looks at a scene, so every scene is looked at for a few
seconds first, and the server is left alone for a minute after its start, in which it measures the
examples.
"""

import argparse
import os
import statistics

from playwright.sync_api import Page

from benchmarks import table
from browser.app import app_in_chromium
from browser.waiting import limited
from viz.shell.lessons.format import Lesson
from viz.shell.lessons.shelf import read_shelf

LOOKED_AT = 5_000
"""The milliseconds that a class looks at a scene before the next."""
STARTING = 60_000
"""The milliseconds after the start in which the server measures the examples."""
GOAL = 1.0

# A component's nodes are in shadow roots, which querySelector does not enter.
WATCH = """(scene) => {
  const hosts = () => document.querySelectorAll(".stBidiComponent, .stBidiComponent *");
  const shown = () => [...hosts()].map((host) => host.shadowRoot?.querySelector("nav.bar"))
    .find(Boolean)?.dataset.scene === String(scene);
  const ended = () => document.querySelector('[data-test-script-state="notRunning"]') !== null;
  const started = performance.now();  // the key is pressed next
  window.drawn = new Promise((done) => {
    const look = () => {
      if (!ended() || !shown()) return setTimeout(look, 10);
      requestAnimationFrame(() => setTimeout(() => done((performance.now() - started) / 1000)));
    };
    look();
  });
}"""


def times(page: Page, address: str, lesson: Lesson) -> list[float]:
    """Go through a lesson, and return the seconds until each scene after the first is drawn."""
    page.goto(f"{address}/?lesson={lesson.name}&scene=1&present=1")
    page.locator("nav.bar").wait_for(timeout=60_000)
    seconds: list[float] = []
    for number in range(2, len(lesson.scenes) + 1):
        page.wait_for_timeout(LOOKED_AT)
        page.evaluate(WATCH, number)
        page.keyboard.press("ArrowRight")
        drawn = limited("() => window.drawn", f"scene {number} of {lesson.name}")
        seconds.append(float(page.evaluate(drawn)))
    return seconds


def main() -> None:
    """Start the app, go through the lessons and print the table."""
    lessons = {lesson.name: lesson for lesson in read_shelf("en").lessons}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scenes", description=__doc__)
    parser.add_argument("lessons", nargs="*", choices=[*lessons, []], help="only these lessons")
    names = parser.parse_args().lessons or list(lessons)
    rows: list[tuple[object, ...]] = []
    with app_in_chromium() as (address, browser):
        browser.new_page().wait_for_timeout(STARTING)
        for name in names:
            page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
            seconds = times(page, address, lessons[name])
            page.context.close()
            slow = [
                f"{number + 2}: {time:.2f}" for number, time in enumerate(seconds) if time > GOAL
            ]
            middle = f"{statistics.median(seconds):.2f}"
            rows.append(
                (name, len(seconds), middle, f"{max(seconds):.2f}", ", ".join(slow) or "none")
            )
    title = f"Seconds until a scene is drawn, on {os.cpu_count()} cores"
    table(title, ("lesson", "scenes", "median", "most", f"over {GOAL:.0f} s"), rows)


if __name__ == "__main__":
    main()
