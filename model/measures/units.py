"""The triggers of every feed-forward unit: the tokens of many sentences on which it is largest."""

import io
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.recording.recording import Recording
from model.sites.sites import STACKS, Stack

UNITS = "units.npz"
TOP = 5
"""The number of tokens kept for each unit."""


@dataclass(frozen=True, eq=False)
class StackUnits:
    """The tokens of a stack, all sentences in a row, and the largest values of its units.

    `ids` (N,) are the pieces, `starts` (sentences + 1,) the beginnings of the sentences. For every
    layer and unit, `places` and `values` (L, F, TOP) give the tokens with the largest hidden
    numbers, largest first, and `fires` (L, F) is the share of tokens above zero.
    """

    ids: NDArray[np.int64]
    starts: NDArray[np.int64]
    places: NDArray[np.int64]
    values: NDArray[np.float32]
    fires: NDArray[np.float32]

    def sentence(self, place: int) -> tuple[NDArray[np.int64], int]:
        """Return the pieces of a token's sentence, and its place in it."""
        number = int(np.searchsorted(self.starts, place, side="right")) - 1
        start = int(self.starts[number])
        return self.ids[start : int(self.starts[number + 1])], place - start


@dataclass(frozen=True, eq=False)
class Units:
    """Both stacks, measured on the model whose weights have this sha256 in the card."""

    sides: dict[Stack, StackUnits]
    sentences: int
    sha256: str


def measure_units(recordings: Iterable[Recording], sha256: str) -> Units:
    """Measure every unit on recorded sentences, one after another; ValueError if there are none."""
    by_stack: dict[Stack, _Measured] = {}
    count = 0
    for recording in recordings:
        for stack in STACKS:
            shape = recording.config.layers(stack), recording.config.d_ff
            by_stack.setdefault(stack, _Measured(shape)).add(recording, stack)
        count += 1
    if not count:
        raise ValueError("there is no sentence to measure the units on")
    return Units({stack: measured.side() for stack, measured in by_stack.items()}, count, sha256)


class _Measured:
    """The largest numbers so far of one stack's units, and their places."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self._ids: list[int] = []
        self._starts = [0]
        self._places = np.zeros((*shape, TOP), dtype=np.int64)  # L F TOP
        self._values = np.full((*shape, TOP), -1, dtype=np.float32)
        self._fired = np.zeros(shape, dtype=np.int64)

    def add(self, recording: Recording, stack: Stack) -> None:
        """Add the values of one more sentence."""
        ids = recording.source_ids if stack == "encoder" else recording.target_ids
        numbers = len(self._ids) + np.arange(len(ids))  # n
        for layer, (places, values) in enumerate(zip(self._places, self._values, strict=True)):
            hidden = recording[f"{stack}.{layer}.ffn.hidden"].T  # F n
            all_values = np.concatenate([values, hidden], axis=1)
            all_places = np.concatenate([places, np.broadcast_to(numbers, hidden.shape)], axis=1)
            order = np.argsort(-all_values, axis=1, kind="stable")[:, :TOP]
            places[:] = np.take_along_axis(all_places, order, axis=1)
            values[:] = np.take_along_axis(all_values, order, axis=1)
            self._fired[layer] += (hidden > 0).sum(axis=1)
        self._ids += ids
        self._starts.append(len(self._ids))

    def side(self) -> StackUnits:
        """Return the stack's units."""
        fires = (self._fired / len(self._ids)).astype(np.float32)
        values = np.maximum(self._values, 0)
        return StackUnits(np.array(self._ids), np.array(self._starts), self._places, values, fires)


def pack_units(units: Units) -> bytes:
    """Write units as the bytes of units.npz; numbers are stored in half precision."""
    arrays: dict[str, NDArray[Any]] = {
        "sentences": np.array(units.sentences),
        "sha256": np.array(units.sha256),
    }
    for stack, side in units.sides.items():
        arrays[f"{stack}.ids"] = side.ids.astype(np.uint32)
        arrays[f"{stack}.starts"] = side.starts.astype(np.uint32)
        arrays[f"{stack}.places"] = side.places.astype(np.uint32)
        arrays[f"{stack}.values"] = side.values.astype(np.float16)
        arrays[f"{stack}.fires"] = side.fires.astype(np.float16)
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)  # pyrefly: ignore[bad-argument-type]
    return file.getvalue()


def load_units(folder: Path) -> Units:
    """Read the units of a checkpoint folder; ValueError names the file when it is damaged."""
    path = folder / UNITS
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            sides: dict[Stack, StackUnits] = {stack: _read_side(file, stack) for stack in STACKS}
            return Units(sides, int(file["sentences"]), str(file["sha256"]))
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{path}: not the units of a model ({error})") from error


def _read_side(file: Any, stack: Stack) -> StackUnits:  # noqa: ANN401
    ids, starts, places = (
        file[f"{stack}.{name}"].astype(np.int64) for name in ("ids", "starts", "places")
    )
    values, fires = (file[f"{stack}.{name}"].astype(np.float32) for name in ("values", "fires"))
    fits = places.shape == values.shape and places.shape[:2] == fires.shape
    if not fits or starts[-1:].tolist() != [len(ids)]:
        raise ValueError(f"{stack}: shapes {places.shape}, {values.shape}, {fires.shape}")
    if places.max(initial=0) >= len(ids):
        raise ValueError(f"{stack}: a token beyond the last")
    return StackUnits(ids, starts, places, values, fires)
