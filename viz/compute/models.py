"""The available models, and the visitor's choice.

Computations ask here for the model in force, and `kept` stores every result under its name.
"""

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from model.checkpoints.card import CARD
from model.checkpoints.checkpoint import (
    BORROWED,
    CHECKPOINTS,
    CONFIG,
    find_folder,
    holds_npz,
    stored_in,
)
from model.checkpoints.hub import name_of
from model.recurrent.config import ATTENDING, Attending
from viz.sharing.kept import Kept

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

NAMED_AT_START = "HEADLIGHT_CHECKPOINT"
"""The variable that names models, or their paths, in the form of PATH; the first is the default."""

CHOSEN = "model"
"""The name of the choice, in the session and in the link."""

_using: ContextVar[str | None] = ContextVar("model", default=None)


def folders() -> dict[str, Path]:
    """Return the models' folders by name: first the models named at start, then the others.

    Of two folders with one name, the second is called "NAME (2)". A page asks dozens of times, so
    the disk is read only once a second.
    """
    return _both()[0]


def twins() -> dict[str, Path]:
    """Return the folders of the shipped models that show one thing beside another model.

    They translate badly or not at all, so no menu offers them; they borrow the pieces of another
    folder. A twin that is named at start counts as an ordinary model.
    """
    return _both()[1]


def twin(name: str, what: str) -> str | None:
    """Return the model that shows this beside another, such as "en-fr-cheat", or None."""
    return twin_name if (twin_name := f"{name}-{what}") in twins() else None


def _both() -> tuple[dict[str, Path], dict[str, Path]]:
    now = int(time.monotonic())
    offered, hidden = _folders(os.environ.get(NAMED_AT_START, "en-fr"), CHECKPOINTS, now)
    return dict(offered), dict(hidden)


@lru_cache(maxsize=1)
def _folders(named: str, shipped: Path, _second: int) -> tuple[dict[str, Path], dict[str, Path]]:
    """Return the offered models and the hidden models, by name."""
    paths = [find_folder(one, shipped) for one in named.split(os.pathsep) if one]
    beside = [path for path in shipped.glob("*/") if (path / CONFIG).exists() or holds_npz(path)]
    hidden = {path.name: path for path in sorted(beside) if BORROWED in _written(path / CONFIG)}
    paths += sorted(path for path in beside if path.name not in hidden)
    by_name: dict[str, Path] = {}
    seen: set[Path] = set()
    for path in paths:
        if (resolved := path.resolve()) not in seen:
            by_name[_free(name_of(resolved), by_name)] = path
            seen.add(resolved)
    return by_name, {name: path for name, path in hidden.items() if path.resolve() not in seen}


def _free(name: str, taken: dict[str, Path]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    return free


def default() -> str:
    """Return the name of the model in force before any choice."""
    return next(iter(folders()))


def in_force() -> str:
    """Return the name of the model that computes now.

    It is the model of `using`, or else this visitor's choice. A choice that is not a model's name,
    such as a path, is ignored.
    """
    if name := _using.get():
        return name
    choice = st.session_state.get(CHOSEN) if get_script_run_ctx(suppress_warning=True) else ""
    return str(choice) if choice in folders() else default()


def kept(function: Callable[Parameters, Result]) -> Kept[Parameters, Result]:
    """Share a function's results among all visitors, by model; results must not be None."""
    return Kept(function, in_force)


@contextmanager
def using(name: str) -> Iterator[None]:
    """Compute with this model inside the block; ValueError if there is no such name."""
    folder_of(name)
    token = _using.set(name)
    try:
        yield
    finally:
        _using.reset(token)


def is_recurrent(name: str) -> bool:
    """Return True for a recurrent model, without loading it."""
    return kind_of(name) is not None


def kind_of(name: str) -> Attending | None:
    """Return the kind of attention of a recurrent model, without loading it; None for others."""
    return _kind(folder_of(name) / CONFIG)


def family(name: str) -> str:
    """Return the name of a model's family: "en-fr" for "en-fr-dot"; a Transformer's own name."""
    return name.removesuffix(f"-{kind_of(name)}")


def transformer_beside(name: str) -> str:
    """Return the name of a recurrent model's Transformer: "en-fr" for "en-fr-dot".

    A Transformer is beside itself. Without a Transformer of this name, it is the first of all.
    """
    all_folders = folders()
    if not is_recurrent(name):
        return name
    family_name = family(name)
    others = [name_ for name_ in all_folders if not is_recurrent(name_)]
    return family_name if family_name in others else next(iter(others), name)


def folder_of(name: str) -> Path:
    """Return the folder of a model; ValueError if there is no such name."""
    all_folders = folders()
    if folder := all_folders.get(name) or twins().get(name):
        return folder
    raise ValueError(f"there is no model {name!r}; there are: {', '.join(all_folders)}")


def name_at_start(asked: str) -> str:
    """Return the name of a model that was named at start by its name or its path."""
    path = find_folder(asked, CHECKPOINTS).resolve()
    return next(name for name, folder in folders().items() if folder.resolve() == path)


def is_shipped(name: str) -> bool:
    """Return True if a model comes with this program; only such models have measures."""
    folder = folder_of(name).resolve()
    return folder.parent == CHECKPOINTS.resolve() and (folder / CARD).exists()


def weights_file(name: str) -> tuple[str, int]:
    """Return the name of the file with a model's weights, and its bytes; ValueError without."""
    path = stored_in(folder_of(name))
    return path.name, path.stat().st_size


def _kind(config: Path) -> Attending | None:
    """Read the kind of attention of a recurrent model; None for any other folder."""
    return next((kind for kind in ATTENDING if kind == _written(config).get("kind")), None)


@cache  # there are few folders, and the family of a model does not change
def _written(config: Path) -> dict[str, object]:
    """Read a model's config.json; empty where there is none, or no JSON object in it."""
    try:
        values = json.loads(config.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return values if isinstance(values, dict) else {}
