"""A clock of the page that a test moves on, however few frames a busy machine draws."""

from playwright.sync_api import Page

STOPPED = """() => {
  let now = performance.now();
  const waiting = [];
  performance.now = () => now;
  window.requestAnimationFrame = (draw) => waiting.push(draw);
  window.pass = (milliseconds) => {
    now += milliseconds;
    for (const draw of waiting.splice(0)) draw(now);
  };
}"""


def stop_clock(page: Page) -> None:
    """Let no frame come, and no time pass for what moves by frames."""
    page.evaluate(STOPPED)


def pass_time(page: Page, milliseconds: int) -> None:
    """Draw one frame, so much later; a frame may be a little earlier than a click before it."""
    page.evaluate("(milliseconds) => pass(milliseconds)", milliseconds)
