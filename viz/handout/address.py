"""The address of a teacher's server, as an argument of a command."""

import argparse
from urllib.parse import urlsplit


def web_address(text: str) -> str:
    """Return an address with http:// or https://; ArgumentTypeError for anything else."""
    if urlsplit(text).scheme not in ("http", "https"):
        raise argparse.ArgumentTypeError(f"an address with https:// expected, not {text!r}")
    return text
