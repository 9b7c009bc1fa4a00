"""Pack a folder into parts of limited size, and unpack it elsewhere.

`python -m model.training.parcel pack FOLDER PARTS` and `... unpack PARTS FOLDER`, for machines that
return only small files. A run's state.pt is packed without optimizer memory and with weights in
half precision: 27 MB instead of 130. A run resumed from a parcel does not continue bit for bit: the
optimizers start anew and the rate rises again over 50 steps. Later means lack the weights saved so
far (weights-*.pt are not packed).
"""

import argparse
import io
import sys
import tarfile
from pathlib import Path
from pickle import UnpicklingError

import torch

from model.checkpoints.checkpoint import write_whole
from model.command import command

PART = 15 * 2**20
"""The bytes of a part."""

STATE = "state.pt"
_LEFT_BEHIND = "weights-*.pt"


def small_state(content: bytes) -> bytes:
    """Return a run's state with weights in half precision and without the optimizers' memory."""
    state = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    halved = {
        part: {name: tensor.half() for name, tensor in state[part].items()}
        for part in ("weights", "side")
    }
    small = io.BytesIO()
    torch.save({**state, **halved, "optimizers": []}, small)
    return small.getvalue()


def pack(folder: Path, out: Path, size: int = PART) -> list[Path]:
    """Pack the folder's files into parts of at most `size` bytes; return their paths.

    Raises ValueError when there is no file, or state.pt is not a run's state.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    files = [path for path in files if not path.match(_LEFT_BEHIND)]
    if not files:
        raise ValueError(f"{folder}: there is nothing to pack")
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as archive:
        for path in files:
            content = path.read_bytes()
            if path.name == STATE:
                try:
                    content = small_state(content)
                except (RuntimeError, KeyError, EOFError, UnpicklingError) as error:
                    raise ValueError(f"{path}: not a state of a run ({error})") from error
            entry = tarfile.TarInfo(str(path.relative_to(folder)))
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("part-*.bin"):
        old.unlink()
    content = whole.getvalue()
    parts: list[Path] = []
    for number, start in enumerate(range(0, len(content), size)):
        parts.append(out / f"part-{number:02d}.bin")
        write_whole(parts[-1], content[start : start + size])
    return parts


def unpack(parts: Path, folder: Path) -> list[Path]:
    """Unpack files into a folder; return their paths.

    Raises ValueError when parts are missing or damaged.
    """
    content = b"".join(path.read_bytes() for path in sorted(parts.glob("part-*.bin")))
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
            names = archive.getnames()
            archive.extractall(folder, filter="data")
    except tarfile.TarError as error:
        raise ValueError(f"{parts}: no parts of a folder, or not all of them ({error})") from error
    return [folder / name for name in names]


@command
def main() -> None:
    """Pack or unpack as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m model.training.parcel")
    parser.add_argument("what", choices=("pack", "unpack"))
    parser.add_argument("given", type=Path, help="the folder to read")
    parser.add_argument("made", type=Path, help="the folder to write")
    options = parser.parse_args()
    work = pack if options.what == "pack" else unpack
    made = work(options.given, options.made)
    for path in made:
        print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    sys.exit(main())
