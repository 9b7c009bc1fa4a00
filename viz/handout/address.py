"""The address of a teacher's server, as an argument of a command."""

import argparse
from urllib.parse import urlsplit


def web_address(text: str) -> str:
    """Return a text that is an address with http:// or https://; else raise ArgumentTypeError."""
    if urlsplit(text).scheme not in ("http", "https"):
        raise argparse.ArgumentTypeError(f"an address with https:// expected, not {text!r}")
    return text
