"""The model of a site: its checkpoint's own files, and the script of the worker that runs them."""

import hashlib
from pathlib import Path

from model.checkpoints.checkpoint import CONFIG, TOKENIZER, WEIGHTS
from viz.components.component import classic
from viz.compute import models

SCRIPT, FOLDER = "assets/live.js", "model/"
"""The places of the worker's script and of the files."""

_WORKER = Path(__file__).parent.parent / "live" / "worker.js"
_PARTS = {"config": CONFIG, "weights": WEIGHTS, "tokenizer": TOKENIZER}


def script() -> str:
    """Return the script of the worker."""
    return f"{classic(_WORKER)}headlight().serve(self);\n"


def files() -> dict[str, Path]:
    """Return the files of the model in force by their place; ValueError when one is missing."""
    name = models.in_force()
    found = {f"{FOLDER}{part}": models.folder_of(name) / part for part in _PARTS.values()}
    if missing := [path.name for path in found.values() if not path.is_file()]:
        raise ValueError(f"{name} does not run in a browser: it has no {missing[0]}")
    return found


def told() -> dict[str, object]:
    """Return the name and bytes of each file, and a mark that changes with its content."""
    found = files()
    return {part: _told(found[f"{FOLDER}{name}"]) for part, name in _PARTS.items()}


def _told(path: Path) -> dict[str, object]:
    content = path.read_bytes()
    mark = hashlib.sha256(content).hexdigest()[:12]
    return {"name": path.name, "bytes": len(content), "mark": mark}
