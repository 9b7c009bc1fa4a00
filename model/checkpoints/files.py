"""Reading the files beside the weights of a checkpoint."""

import json
from pathlib import Path
from typing import Any

LONGEST_JSON = 10_000_000
"""The most bytes of a JSON file."""


_POINTER = b"version https://git-lfs"


def check_whole(path: Path) -> None:
    """Raise ValueError when a file is only a Git LFS pointer.

    A file that cannot be read raises no error here; its reader reports it.
    """
    try:
        with path.open("rb") as file:
            is_pointer = file.read(len(_POINTER)) == _POINTER
    except OSError:
        return
    if is_pointer:
        raise ValueError(
            f"{path}: a pointer of Git LFS, not the file itself; `git lfs pull` fetches it"
        )


def missing(path: Path) -> ValueError:
    """Return the error that says of a file that it is not there, and what is beside it."""
    if path.is_symlink():
        return ValueError(f"{path}: a link to {path.readlink()}, where nothing is")
    beside = sorted(other.name for other in path.parent.glob("*"))
    return ValueError(f"{path}: there is no such file; found: {', '.join(beside[:8]) or 'nothing'}")


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object; ValueError names the file when it holds none, or is too long or deep."""
    try:
        if path.stat().st_size > LONGEST_JSON:
            raise ValueError(f"longer than {LONGEST_JSON:,} bytes")
        values = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise missing(path) from None
    except RecursionError:
        raise ValueError(f"{path}: nested too deep") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error
    if not isinstance(values, dict):
        raise ValueError(f"{path}: an object expected, found {type(values).__name__}")
    return values
