"""The identity of visitors: an address, to count their guesses, and a random text for a person."""

import re
import secrets
from ipaddress import ip_address

COOKIE = "headlight_person"
"""The cookie in which a browser keeps its person's text for as long as a class may last."""


def address_of(peer: str | None, forwarded: str) -> str:
    """Return the visitor's address: the one that a proxy on this machine forwards, else the peer's.

    Proxies on other machines are not believed; otherwise each guess could claim a new address.
    """
    try:
        local = peer is None or ip_address(peer).is_loopback
    except ValueError:
        local = False
    named = forwarded.rpartition(",")[2].strip()[:45]
    return named if local and named else peer or "this machine"


def new_person() -> str:
    """Return a new random text that stands for a person."""
    return secrets.token_urlsafe(16)


def person_of(cookie: str) -> str:
    """Return the person of a cookie; "" if it is invalid."""
    return cookie if re.fullmatch(r"[\w-]{22}", cookie, re.ASCII) else ""
