"""What a store of classes does, and the bounds that all of them keep.

A class is a code and some named parts; a part holds texts under names, as a hash of Redis does.
"""

from collections.abc import Mapping
from typing import Protocol

CLASSES = 50
"""The most classes at once."""

IDLE = 4 * 3600
"""Seconds without a move or an answer after which a class is forgotten."""

BYTES = 20_000_000
"""The most that all classes take."""

TRIES, MINUTE = 10, 60
"""Wrong codes that one address may try, and the seconds in which it may."""


class Full(Exception):
    """There is no room: for one more class, one more person, one more question, one more byte."""


class Store(Protocol):
    """A place for classes that all servers share; safe for threads and processes.

    What is done to a class that does not exist, or no longer, does nothing.
    """

    def make(self, code: str, state: Mapping[str, str]) -> bool:
        """Begin a class with its part "state"; False if there is one of this code already.

        Raises Full when there are as many as there may be.
        """
        ...

    def read(self, code: str, part: str) -> dict[str, str]:
        """Return what a part holds; nothing where there is no such class or part."""
        ...

    def put(self, code: str, part: str, fields: Mapping[str, str]) -> None:
        """Write texts into a part, over those that stand there. Raises Full."""
        ...

    def add(self, code: str, part: str, name: str, text: str, most: int) -> bool:
        """Write one text where none stands under its name; tell whether it was written.

        Raises Full when the part holds `most` already.
        """
        ...

    def count(self, code: str, part: str) -> int:
        """Return how many texts a part holds."""
        ...

    def end(self, code: str) -> None:
        """Forget a class, with all that it holds."""
        ...

    def forget_idle(self) -> None:
        """Forget all classes that are idle, where the store does not do so by itself."""
        ...

    def tried(self, address: str, wrong: bool) -> int:
        """Return how many wrong codes came from an address in a minute, now one more if `wrong`."""
        ...
