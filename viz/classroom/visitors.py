"""Who asks: the address that guesses are counted by, and the text by which a person is known."""

import re
import secrets
from ipaddress import ip_address

COOKIE = "headlight_person"
"""The cookie in which a browser keeps its person's text, as long as a class may last."""


def address_of(peer: str | None, forwarded: str) -> str:
    """Return the address of whoever asks, as a proxy on this machine forwards it, if one does.

    Nobody else is believed: else a guess would come from a new address each time.
    """
    try:
        local = peer is None or ip_address(peer).is_loopback
    except ValueError:
        local = False
    named = forwarded.rpartition(",")[2].strip()[:45]
    return named if local and named else peer or "this machine"


def new_person() -> str:
    """Make up the text of a person."""
    return secrets.token_urlsafe(16)


def person_of(cookie: str) -> str:
    """Return the person of a cookie; "" where it is none."""
    return cookie if re.fullmatch(r"[\w-]{22}", cookie, re.ASCII) else ""
