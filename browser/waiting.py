"""Waiting in the browser with a limit: a promise that never ends becomes an error."""

from playwright.sync_api import Page, expect

LONG = 120_000
"""Milliseconds that a page may take on a busy machine."""

QUIET = """async () => {
  const idle = () => new Promise((done) => requestIdleCallback(done, { timeout: 3000 }));
  const ends = ({ effect, playState }) =>
    playState === "running" && Number.isFinite(effect.getComputedTiming().endTime);
  await idle();
  do {
    await new Promise(requestAnimationFrame);
    await idle();
  } while (document.getAnimations().some(ends));
}"""
"""What slides or fades in is there, such as the sidebar of a window that grew.

What moves all the time leaves a slow machine no quiet moment.
"""


def limited(work: str, what: str, seconds: float = 90) -> str:
    """Wrap a JavaScript function of one argument for Playwright's `evaluate`.

    It fails after so many seconds and names what was waited for.
    """
    complaint = f"waited {seconds} s for {what}".replace("\\", " ").replace('"', "'")
    return f"""(argument) => Promise.race([
      ({work})(argument),
      new Promise((done, fail) => setTimeout(() => fail(Error("{complaint}")), {1000 * seconds})),
    ])"""


def rest(page: Page) -> None:
    """Wait until no script of the page runs, all is drawn, nothing slides and nothing is to do."""
    running = page.get_by_test_id("stApp")
    expect(page.get_by_test_id("stMainBlockContainer")).not_to_be_empty(timeout=LONG)
    expect(running).to_have_attribute("data-test-script-state", "notRunning", timeout=LONG)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=LONG)
    page.evaluate(limited(QUIET, "a quiet moment"))
