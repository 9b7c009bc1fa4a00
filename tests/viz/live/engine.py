"""The model of viz/live in Node: tasks go in, results come out, all in one process."""

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.checkpoints.checkpoint import CHECKPOINTS, CONFIG, TOKENIZER, WEIGHTS

DRIVER = Path(__file__).with_suffix(".mjs")

SHIPPED = CHECKPOINTS / "en-fr", True, None


class EngineError(Exception):
    """What the model in the page says when it refuses a task."""


class Engine:
    """A process of Node that works on tasks until it is closed."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._arrays = Path(self._folder.name) / "arrays"
        command = ["node", str(DRIVER), str(self._arrays)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8")
        self.opened: tuple[Path, bool, Path | None] | None = None

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=60)
        self._folder.cleanup()

    def ask(self, task: str, **given: Any) -> Any:  # noqa: ANN401
        """Return the result of a task; EngineError when it throws."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # Node reads a half of a pair as an escape, but not as bytes of UTF-8.
        self._process.stdin.write(json.dumps({"task": task, **given}) + "\n")
        self._process.stdin.flush()
        result = json.loads(self._process.stdout.readline())
        if "error" in result:
            raise EngineError(result["error"])
        return result["done"]

    def open(
        self,
        folder: Path = CHECKPOINTS / "en-fr",
        *,
        simd: bool = True,
        tokenizer: Path | None = None,
    ) -> None:
        """Open a checkpoint, perhaps with the tokenizer of another folder."""
        self.opened = None  # until it is open: a damaged one is refused
        self.ask(
            "open",
            config=(folder / CONFIG).read_text(encoding="utf-8"),
            weights=str(folder / WEIGHTS),
            tokenizer=str((tokenizer or folder) / TOKENIZER),
            simd=simd,
        )
        self.opened = folder, simd, tokenizer

    def open_files(self, contents: Mapping[str, tuple[str, bytes]]) -> None:
        """Open a checkpoint from its files, as the site has them: viz/site/engine.py."""
        self.opened = None
        given: dict[str, str] = {}
        for part, (name, content) in contents.items():
            path = Path(self._folder.name) / name
            path.write_bytes(content)
            given[part] = content.decode() if name.endswith(".json") else str(path)
        self.ask("open", **given)

    def arrays(self, entries: Mapping[str, Mapping[str, Any]]) -> dict[str, NDArray[Any]]:
        """Read the arrays of a recording."""
        found = {}
        for site, entry in entries.items():
            count = int(np.prod(entry["shape"]))
            array = np.fromfile(self._arrays, entry["type"], count, offset=entry["at"])
            found[site] = array.reshape(entry["shape"])
        return found


def assert_alike(
    found: Mapping[str, NDArray[Any]],
    expected: Mapping[str, NDArray[Any]],
    tolerance: float = 1e-4,
) -> None:
    """Compare every site of two recordings."""
    assert list(found) == list(expected)
    for site, array in expected.items():
        assert found[site].shape == array.shape, site
        np.testing.assert_allclose(
            found[site].astype(np.float64), array, rtol=1e-4, atol=tolerance, err_msg=site
        )


def part(items: Sequence[Any], count: int) -> Sequence[Any]:
    """Return about so many items from all over a sequence."""
    step = max(1, len(items) // count)
    return items[::step][:count]
