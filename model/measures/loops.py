"""Pieces that come again and again in a row, as a model writes them that cannot find an end."""

from collections.abc import Hashable, Sequence

LOOP = 4
"""How often something comes in a row that counts as a loop."""

LONGEST_LOOP = 6
"""The most pieces, or words, that repeat together."""


def has_loop(pieces: Sequence[Hashable]) -> bool:
    """Return True if one to six pieces come LOOP times in a row."""
    for width in range(1, LONGEST_LOOP + 1):
        run = 0
        for at in range(width, len(pieces)):
            run = run + 1 if pieces[at] == pieces[at - width] else 0
            if run == width * (LOOP - 1):
                return True
    return False
