"""The frame of all programs of this project: an error is one line and an exit status."""

import io
import os
import sys
from collections.abc import Callable
from functools import wraps

READER_LEFT = 141
"""The exit status when a reader such as `head` has left: 128 and the signal's number."""


def command(work: Callable[[], None]) -> Callable[[], int]:
    """Make a function the main function of a program, and return the exit status.

    A ValueError becomes one line on standard error and status 1. A character that an output cannot
    write, such as an accent in ASCII, is written as its code.
    """

    @wraps(work)
    def main() -> int:
        for output in (sys.stdout, sys.stderr):
            if isinstance(output, io.TextIOWrapper):
                output.reconfigure(errors="backslashreplace")
        try:
            work()
            sys.stdout.flush()
        except ValueError as error:
            print(error, file=sys.stderr)
            return 1
        except BrokenPipeError:
            # Python would flush once more at its end, and report the error.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return READER_LEFT
        return 0

    return main


def called(module: str) -> str:
    """Return the command that runs a module; for the program of the package, it is its name."""
    return f"python -m {module}" if sys.argv[0].endswith("__main__.py") else sys.argv[0]
