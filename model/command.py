"""What all programs of this project share: something wrong is one line and an exit status."""

import sys
from collections.abc import Callable
from functools import wraps


def command(work: Callable[[], None]) -> Callable[[], int]:
    """Make a function the main function of a program, which returns the exit status.

    A ValueError becomes one line on the error output and status 1.
    """

    @wraps(work)
    def main() -> int:
        try:
            work()
        except ValueError as error:
            print(error, file=sys.stderr)
            return 1
        return 0

    return main
