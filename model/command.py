"""What all programs of this project share: something wrong is one line and an exit status."""

import io
import os
import sys
from collections.abc import Callable
from functools import wraps

READER_LEFT = 141
"""The status of a program whose reader, such as `head`, has left: 128 and the signal's number."""


def command(work: Callable[[], None]) -> Callable[[], int]:
    """Make a function the main function of a program, which returns the exit status.

    A ValueError becomes one line on the error output and status 1. What an output cannot write,
    such as an accent in ASCII, is written as its code.
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
            # Python would flush once more as it ends, and say so.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return READER_LEFT
        return 0

    return main


def called(module: str) -> str:
    """Return what was typed to run a module: the program of the package has a name of its own."""
    return f"python -m {module}" if sys.argv[0].endswith("__main__.py") else sys.argv[0]
