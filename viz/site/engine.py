"""The model of a site: its checkpoint's own files, deflated, and the worker's script.

Numbers of two bytes deflate better with their first bytes and their second bytes apart: 24 MB of
weights instead of 26. Of a Marian model the site has what Python has read from its folder.
"""

import base64
import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from model.checkpoints.checkpoint import WEIGHTS
from viz.components.component import classic
from viz.compute import live, models
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
_SCRIPT_BYTES = 3_000_000
"""The bytes in each of the scripts that hold a file; a multiple of 3, so that base64 fills up."""


def script(*, offline: bool = False) -> str:
    """Return the worker's script; for pages that are files, as a text that they can take in."""
    code = f"{classic(_WORKER)}headlight().serve(self);\n"
    return _taken("live", code) if offline else code


def keeper(files: Mapping[str, bytes]) -> str:
    """Return the script that keeps the pages of a site: those of its first model at once."""
    whole = hashlib.sha256()
    for name, content in sorted(files.items()):
        whole.update(f"{name} {len(content)} ".encode() + content)
    kept = [name for name in files if not name.startswith((FOLDER, MODELS))]
    told = {"version": whole.hexdigest()[:12], "files": sorted(kept), "models": FOLDER}
    return f"{classic(_KEEPER)}headlight().servePages(self, {script_json(told)});\n"


@dataclass(frozen=True)
class Part:
    """A file of the model: its name, its bytes, its packed form, and a mark of its content.

    Every second byte lies `apart`, at the end, in the weights.
    """

    name: str
    size: int
    packed: bytes
    mark: str
    apart: bool


def files(*, offline: bool = False) -> dict[str, bytes]:
    """Return the files of the model in force by their place, as scripts if `offline`.

    Raises ValueError when the checkpoint lacks one, or is too large for a browser.
    """
    parts = _parts().values()
    if not offline:
        return {f"{FOLDER}{part.name}{ENDING}": part.packed for part in parts}
    return {
        f"{FOLDER}{part.name}{ENDING}-{number}.js": _taken(
            f"{part.name}{ENDING}-{number}", base64.b64encode(piece).decode()
        ).encode()
        for part in parts
        for number, piece in enumerate(_cut(part.packed))
    }


def told(*, offline: bool = False) -> dict[str, object]:
    """Describe each file: its name, its bytes, those of its packed form, its scripts, and a mark.

    The mark changes with the content. The number of scripts is 0 for files that are fetched.
    """
    return {
        name: {
            "name": f"{part.name}{ENDING}",
            "bytes": part.size,
            "packed": len(part.packed),
            "scripts": len(_cut(part.packed)) if offline else 0,
            "apart": part.apart,
            "mark": part.mark,
        }
        for name, part in _parts().items()
    }


def _parts() -> dict[str, Part]:
    name = models.in_force()
    return _packed_parts(name, models.folder_of(name))


@cache
def _packed_parts(_name: str, _folder: Path) -> dict[str, Part]:
    return {part: _packed(*own) for part, own in live.files().items()}


def _packed(name: str, content: bytes) -> Part:
    apart = name == WEIGHTS
    packed = zlib.compress(content[0::2] + content[1::2] if apart else content)
    mark = hashlib.sha256(content).hexdigest()[:12]
    return Part(name, len(content), packed, mark, apart)


def _cut(content: bytes) -> list[bytes]:
    return [content[at : at + _SCRIPT_BYTES] for at in range(0, len(content), _SCRIPT_BYTES)]


def _taken(name: str, text: str) -> str:
    return f'headlightTake("{name}", {script_json(text)});\n'
