"""The folders model/ and viz/ as `headlight.model` and `headlight.viz`.

In this repository they import each other by their short names: `from model.words import clean`. In
somebody else's program these names belong to somebody else. So modules that are imported by their
long names get an import function of their own, which puts `headlight.` before the short ones.
"""

import builtins
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

_INSTALLED = Path(__file__).parent / "home"
HOME = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).parents[1]
"""The folder with app.py, model/, viz/ and checkpoints/: the repository, or its copy in a wheel."""

SHORT = ("model", "viz")
LONG = tuple(f"headlight.{name}" for name in SHORT)
MAPPED = (*LONG, "headlight.notebook")
"""The modules whose imports of short names mean ours."""


def offer() -> None:
    """Let Python find the folders by their long names."""
    sys.meta_path.insert(0, _Finder())


class _Finder:
    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not any(name == one or name.startswith(f"{one}.") for one in MAPPED):
            return None
        spec = PathFinder.find_spec(name, [str(HOME)] if name in LONG else path, target)
        if spec and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = _BUILTINS  # where the import statement finds its function
        super().exec_module(module)


def _import(
    name: str,
    globals: Mapping[str, object] | None = None,
    locals: Mapping[str, object] | None = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> Any:  # noqa: ANN401
    top = name.partition(".")[0]
    if level or top not in SHORT:
        return builtins.__import__(name, globals, locals, fromlist or (), level)
    module = import_module(f"headlight.{name}")
    if not fromlist:  # import model.words, which binds model
        return sys.modules[f"headlight.{top}"]
    return builtins.__import__(module.__name__, globals, locals, fromlist)


_BUILTINS = {**vars(builtins), "__import__": _import}
