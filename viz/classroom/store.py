"""The methods of a store of classes, and the limits that all stores keep.

A class has a code and some named parts. A part holds texts under names, like a hash in Redis.
"""

from collections.abc import Mapping
from typing import Protocol

CLASSES = 50
"""The most classes at once."""

IDLE = 4 * 3600
"""The seconds after which a class is forgotten, if nobody moves or answers."""

BYTES = 20_000_000
"""The most bytes of all classes."""

TRIES, MINUTE = 10, 60
"""How many different wrong codes one address may try, and in how many seconds."""


class Full(Exception):
    """There is no space for one more class, person, question or byte."""


class Store(Protocol):
    """The place for classes that all servers share; threads and processes may use it together.

    Calls for a class that does not exist, or no longer does, do nothing.
    """

    def make(self, code: str, state: Mapping[str, str]) -> bool:
        """Begin a class with its part "state"; return False if the code exists already.

        Raises Full when there are as many classes as allowed.
        """
        ...

    def read(self, code: str, part: str) -> dict[str, str]:
        """Return the content of a part; empty where there is no such class or part."""
        ...

    def put(self, code: str, part: str, fields: Mapping[str, str]) -> None:
        """Write texts into a part, replacing those of the same names. Raises Full."""
        ...

    def add(self, code: str, part: str, name: str, text: str, most: int) -> bool:
        """Write one text if its name is free; tell whether it was written.

        Raises Full when the part holds `most` already.
        """
        ...

    def renew(self, code: str, part: str, name: str, text: str) -> None:
        """Replace one text that is there. This does not count as using the class."""
        ...

    def count(self, code: str, part: str) -> int:
        """Return the number of texts in a part."""
        ...

    def end(self, code: str) -> None:
        """Forget a class, with all its parts."""
        ...

    def forget_idle(self) -> None:
        """Forget all classes that are idle, where the store does not do so by itself."""
        ...

    def tried(self, address: str, wrong: str = "") -> int:
        """Return how many different wrong codes an address tried in the last minute, after `wrong`.

        Somebody who guesses tries another code each time. A class that shares an address types the
        same old code again and again, which counts once.
        """
        ...
