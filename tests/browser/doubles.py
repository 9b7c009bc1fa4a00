"""Looks that bear with the moment in which Streamlit shows an element twice."""

import asyncio
from time import monotonic

from playwright._impl.assertions import FrameExpectOptions, FrameExpectResult, LocatorAssertions

TWO = "strict mode violation"
"""What Playwright says where one element is expected and two are there."""

_look = LocatorAssertions._call_expect


async def _look_again(
    self: LocatorAssertions, expression: str, expect_options: FrameExpectOptions, title: str | None
) -> FrameExpectResult:
    """Look again until there is one element, no longer than an expectation may take."""
    end = monotonic() + (expect_options["timeout"] or 0) / 1000
    while True:
        result = await _look(self, expression, expect_options, title)
        if TWO not in (result.get("errorMessage") or "") or monotonic() > end:
            return result
        await asyncio.sleep(0.1)


def bear_with_doubles() -> None:
    """Let `expect` wait while an element is there twice, as it waits for all else.

    While a page is drawn anew, the old figure stays below the new one for a moment. Playwright
    fails at once where a locator that should lead to one element leads to two of them.
    """
    LocatorAssertions._call_expect = _look_again
