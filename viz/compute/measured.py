"""What was measured on a model and lies in its folder, as JSON.

It counts only for the weights that it was measured with. A command writes it; where it is missing,
pages measure on their own.
"""

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from viz.compute import models


def read(name: str, file: str) -> dict[str, Any] | None:
    """Return the content of a file in a model's folder; None if there is none for its weights."""
    return _read(name, models.folder_of(name), file)


def write(name: str, file: str, content: object) -> None:
    """Keep content in the folder of its model."""
    kept = {"weights": _fingerprint(name), "numbers": content}
    text = json.dumps(kept, ensure_ascii=False, indent=1, sort_keys=True)
    (models.folder_of(name) / file).write_text(text + "\n", encoding="utf-8")
    _read.cache_clear()


def _fingerprint(name: str) -> str:
    """Return some digits that identify the weights of a model."""
    with (models.folder_of(name) / models.weights_file(name)[0]).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


@lru_cache(maxsize=32)
def _read(name: str, folder: Path, file: str) -> dict[str, Any] | None:
    try:
        kept = json.loads((folder / file).read_text(encoding="utf-8"))
        numbers: dict[str, Any] = kept["numbers"]
        return numbers if kept["weights"] == _fingerprint(name) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
