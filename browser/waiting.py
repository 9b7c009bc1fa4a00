"""Waiting in the browser with a limit: a promise that never ends becomes an error."""


def limited(work: str, what: str, seconds: float = 30) -> str:
    """Wrap a JavaScript function of one argument for Playwright's `evaluate`.

    It fails after so many seconds and names what was waited for.
    """
    complaint = f"waited {seconds} s for {what}".replace("\\", " ").replace('"', "'")
    return f"""(argument) => Promise.race([
      ({work})(argument),
      new Promise((done, fail) => setTimeout(() => fail(Error("{complaint}")), {1000 * seconds})),
    ])"""
