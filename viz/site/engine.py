"""The model of a site: its checkpoint's own files, deflated, and the worker's script.

Numbers of two bytes deflate better with their first bytes and their second bytes apart: 24 MB of
weights instead of 26.
"""

import base64
import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path

from model.checkpoints.checkpoint import CONFIG, TOKENIZER, WEIGHTS
from model.transformer.config import PAPER
from viz.components.component import classic
from viz.compute import models, runs
from viz.site.messages import script_json

SCRIPT, FOLDER, MODELS = "assets/live.js", "model/", "models/"
"""The places of the worker's script in a site, of a model's files beside its pages, and of the
pages of models other than the first.
"""

KEEPER = "service-worker.js"
"""The script that keeps the pages for visits without a network; it serves the folder it lies in."""

ENDING = ".z"
"""What follows the name of a deflated file."""

_WORKER = Path(__file__).parent.parent / "live" / "worker.js"
_KEEPER = Path(__file__).parent / "assets" / "service_worker.js"
_PARTS = {"config": CONFIG, "weights": WEIGHTS, "tokenizer": TOKENIZER}
_SCRIPT_BYTES = 3_000_000
"""The bytes in each of the scripts that hold a file; a multiple of 3, so that base64 fills up."""


def script(*, offline: bool = False) -> str:
    """Return the worker's script; for pages that are files, as a text that they can take in."""
    code = f"{classic(_WORKER)}headlight().serve(self);\n"
    return _taken("live", code) if offline else code


def keeper(files: Mapping[str, bytes]) -> str:
    """Return the script that keeps the pages of a site: those of its first model at once."""
    whole = hashlib.sha256()
    for place, content in sorted(files.items()):
        whole.update(f"{place} {len(content)} ".encode() + content)
    kept = [place for place in files if not place.startswith((FOLDER, MODELS))]
    told = {"version": whole.hexdigest()[:12], "files": sorted(kept), "models": FOLDER}
    return f"{classic(_KEEPER)}headlight().servePages(self, {script_json(told)});\n"


def files(*, offline: bool = False) -> dict[str, bytes]:
    """Return the files of the model in force by their place, as scripts if `offline`.

    Raises ValueError when the checkpoint lacks one.
    """
    packed = {f"{path.name}{ENDING}": _packed(path) for path in _paths().values()}
    if not offline:
        return {f"{FOLDER}{name}": content for name, content in packed.items()}
    return {
        f"{FOLDER}{name}-{number}.js": _taken(
            f"{name}-{number}", base64.b64encode(part).decode()
        ).encode()
        for name, content in packed.items()
        for number, part in enumerate(_cut(content))
    }


def told(*, offline: bool = False) -> dict[str, object]:
    """Describe each file: its name, its bytes, those of its packed form, its scripts, and a mark.

    The mark changes with the content. The number of scripts is 0 for files that are fetched. Every
    second byte lies `apart`, at the end, in the weights.
    """
    return {part: _told(path, offline) for part, path in _paths().items()}


def unlike_ours() -> list[str]:
    """Return what the model in force computes in a way that the model in the page does not know."""
    own = runs.translator().config.variant
    return [
        f"{field.name} {getattr(own, field.name)}"
        for field in fields(PAPER)
        if getattr(own, field.name) != getattr(PAPER, field.name)
    ]


def _paths() -> dict[str, Path]:
    name = models.in_force()
    paths = {part: models.folder_of(name) / file for part, file in _PARTS.items()}
    if missing := [path.name for path in paths.values() if not path.is_file()]:
        raise ValueError(f"{name} does not run in a browser: it has no {missing[0]}")
    return paths


def _told(path: Path, offline: bool) -> dict[str, object]:
    content, packed = path.read_bytes(), _packed(path)
    return {
        "name": f"{path.name}{ENDING}",
        "bytes": len(content),
        "packed": len(packed),
        "scripts": len(_cut(packed)) if offline else 0,
        "apart": _is_apart(path),
        "mark": hashlib.sha256(content).hexdigest()[:12],
    }


@cache
def _packed(path: Path) -> bytes:
    content = path.read_bytes()
    return zlib.compress(content[0::2] + content[1::2] if _is_apart(path) else content)


def _is_apart(path: Path) -> bool:
    return path.name == WEIGHTS


def _cut(content: bytes) -> list[bytes]:
    return [content[at : at + _SCRIPT_BYTES] for at in range(0, len(content), _SCRIPT_BYTES)]


def _taken(name: str, text: str) -> str:
    return f'headlightTake("{name}", {script_json(text)});\n'
