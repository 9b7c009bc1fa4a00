"""The address of this machine in its network, for the devices of a class."""

import socket

_ELSEWHERE = ("192.0.2.1", 9)
"""An address that no machine has (RFC 5737); nothing is sent to it."""


def own_address() -> str | None:
    """Return the address at which other machines reach this one; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as towards:
        try:
            towards.connect(_ELSEWHERE)
        except OSError:
            return None
        return str(towards.getsockname()[0])
