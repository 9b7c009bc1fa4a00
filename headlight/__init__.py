"""Headlight in Python: `from headlight import load_translator, AblateHead`.

It offers the names of `model/__init__.py`, which it imports when one is first asked for, as torch
takes a second. `headlight.notebook` has what notebooks draw.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from headlight import folders

if TYPE_CHECKING:
    from model import *  # noqa: F403

folders.offer()


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Return a public name of the model; AttributeError when it has none."""
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    return getattr(import_module("headlight.model"), name)


def __dir__() -> list[str]:
    """List the public names, for completion."""
    return import_module("headlight.model").__all__
