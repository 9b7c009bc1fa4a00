"""The Python versions that the app runs on, as pyproject.toml states them.

run.py imports this module, so older versions must be able to read it.
"""

from __future__ import annotations

OLDEST, BEYOND = (3, 11), (3, 15)
"""The first version that the pinned packages support, and the first that they no longer do."""


def unsupported(version: tuple[int, int]) -> str | None:
    """Say in one line that a Python version is not supported; None when it is."""
    if OLDEST <= version < BEYOND:
        return None
    oldest, newest = f"{OLDEST[0]}.{OLDEST[1]}", f"{BEYOND[0]}.{BEYOND[1] - 1}"
    return f"Headlight runs on Python {oldest} to {newest}; this is {version[0]}.{version[1]}."
