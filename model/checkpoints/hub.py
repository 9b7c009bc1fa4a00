"""Models of Hugging Face's hub: the folder names of its cache, and the snapshot to open."""

import os
import re
from pathlib import Path

_PREFIX, _SNAPSHOTS = "models--", "snapshots"
_ON_THE_HUB = re.compile(r"[\w.-]+/[\w.-]+")


def name_of(folder: Path) -> str:
    """Name a model by its folder; a snapshot in the cache gets the model's name, not its hash."""
    path = folder.absolute()
    cached = path.parents[1].name if path.parent.name == _SNAPSHOTS else ""
    return cached.rpartition("--")[2] if cached.startswith(_PREFIX) else path.name


def advice(name: str | Path) -> str:
    """Say what to give in place of a hub name or a folder above a snapshot; "" for other names."""
    folder, text = Path(name), str(name)
    if folder.is_dir():
        cached = folder.parent if folder.name == _SNAPSHOTS else folder
        snapshot = _snapshot(cached)
        return f"a model of the hub stands in a folder of it: give {snapshot}" if snapshot else ""
    if not _ON_THE_HUB.fullmatch(text):
        return ""
    if snapshot := _snapshot(_cache() / f"{_PREFIX}{text.replace('/', '--')}"):
        return f"the hub's cache on this machine has it: give {snapshot}"
    own = text.partition("/")[2]
    return (
        f"Headlight downloads nothing; `hf download {text} --local-dir {own}` fetches it if it is "
        f"a model of the hub, then give {own}"
    )


def _cache() -> Path:
    home = os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface"
    return Path(os.environ.get("HF_HUB_CACHE") or Path(home) / "hub")


def _snapshot(cached: Path) -> Path | None:
    """Return the current snapshot, or else the newest; None without a snapshot."""
    head = cached / "refs" / "main"
    if head.is_file():
        snapshot = cached / _SNAPSHOTS / head.read_text(encoding="utf-8").strip()
        if snapshot.is_dir():
            return snapshot
    folders = (cached / _SNAPSHOTS).glob("*/")
    return max(folders, key=lambda path: path.stat().st_mtime, default=None)
