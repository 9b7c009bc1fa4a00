"""Waiting in the browser with an end: a promise that nobody keeps becomes an error that says so."""


def limited(work: str, what: str, seconds: float = 30) -> str:
    """Wrap a JavaScript function of one argument for Playwright's `evaluate`.

    It fails after so many seconds and says what was waited for.
    """
    complaint = f"waited {seconds} s for {what}".replace("\\", " ").replace('"', "'")
    return f"""(argument) => Promise.race([
      ({work})(argument),
      new Promise((done, fail) => setTimeout(() => fail(Error("{complaint}")), {1000 * seconds})),
    ])"""
