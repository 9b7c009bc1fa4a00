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

HELD = """{
  const { setInterval, clearInterval } = window;
  window.setInterval = (act, ms, ...more) => {
    if (ms !== EVERY) return setInterval(act, ms, ...more);
    window.tick = act;
    return -1;
  };
  window.clearInterval = (timer) => {
    if (timer === -1) delete window.tick;
    clearInterval(timer);
  };
}"""
"""What comes every so many milliseconds comes when the test says `tick`."""


def stop_clock(page: Page) -> None:
    """Let no frame come, and no time pass for what moves by frames."""
    page.evaluate(STOPPED)


def pass_time(page: Page, milliseconds: int) -> None:
    """Draw one frame, so much later; a frame may be a little earlier than a click before it."""
    page.evaluate("(milliseconds) => pass(milliseconds)", milliseconds)


def hold_clock(page: Page, every: int) -> None:
    """Let nothing that comes every so many milliseconds come by itself; call it before a page."""
    page.add_init_script(HELD.replace("EVERY", str(every)))


def tick(page: Page) -> None:
    """Let it come once; an error if it has been stopped."""
    page.evaluate("window.tick()")
