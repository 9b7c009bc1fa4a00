"""The examples of the model in force: its own, or those of the Transformer beside it.

Any other model, such as a model made elsewhere, gets the shipped examples, as its languages are not
known and most people try English first.
"""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from model.checkpoints.checkpoint import CHECKPOINTS
from model.checkpoints.examples import EXAMPLES, Examples, read_examples
from viz.compute import models

SHIPPED = CHECKPOINTS / "en-fr"
NONE = Examples("", "", ())


def current() -> Examples:
    """Return the examples of the model in force."""
    return of(models.in_force())


def of(name: str) -> Examples:
    """Return the examples of a model; unknown languages are ""."""
    for folder in _own(name):
        if isinstance(shipped := _read(folder), Examples):
            return shipped
    shipped = _read(SHIPPED)
    return replace(shipped, source="", target="") if isinstance(shipped, Examples) else NONE


def problem() -> str:
    """Describe the fault in the examples of the model in force; "" if there is none."""
    read = [_read(folder) for folder in _own(models.in_force())]
    return next((examples for examples in read if isinstance(examples, str)), "")


def languages() -> tuple[str, str] | None:
    """Return the language codes of the model in force; None where they are not known."""
    examples = current()
    return (examples.source, examples.target) if examples.source else None


def foreign_to(name: str) -> frozenset[str]:
    """Return the texts that are examples of other models but not of this model."""
    foreign = {text for name_ in models.folders() for text in _texts(of(name_))}
    return frozenset(foreign - _texts(of(name)))


def _texts(examples: Examples) -> set[str]:
    return {
        *examples.texts,
        *(text for pair in examples.pairs for text in (pair.first, pair.second)),
    }


def _own(name: str) -> list[Path]:
    family = models.family(name)
    names = dict.fromkeys((name, family))
    return [models.folders()[one] for one in names if one in models.folders()]


def _read(folder: Path) -> Examples | str | None:
    """Read the examples of a folder, or return a description of the fault in them."""
    path = folder / EXAMPLES
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return None
    return _read_once(folder, changed)


@lru_cache(maxsize=64)
def _read_once(folder: Path, _changed: int) -> Examples | str | None:
    try:
        return read_examples(folder)
    except ValueError as error:
        return str(error).replace(f"{folder}/", "")
