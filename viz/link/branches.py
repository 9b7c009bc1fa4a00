"""The what-if branches of the decoder as text: "1-2.3_4" keeps 1 2 and forces 3, then forces 4."""

import re
from dataclasses import dataclass

MAX_BRANCHES = 40
"""The most branches: enough for any lesson, and a limit on the work of a link."""

_IDS = r"\d{1,6}(-\d{1,6})*"


@dataclass(frozen=True)
class Forcing:
    """A what-if branch: it keeps another branch's `prefix` and continues with `forced`, in ids."""

    prefix: tuple[int, ...]
    forced: tuple[int, ...]

    @property
    def ids(self) -> tuple[int, ...]:
        """Return all forced ids."""
        return self.prefix + self.forced


def read_branches(text: str) -> tuple[Forcing, ...]:
    """Read branches; ValueError when they make no sense or there are too many."""
    branches = tuple(_forcing(part) for part in text.split("_"))
    if len(branches) > MAX_BRANCHES:
        raise ValueError(f"at most {MAX_BRANCHES} branches, not {len(branches)}")
    return branches


def write_branches(branches: tuple[Forcing, ...]) -> str:
    """Write branches in the form of `read_branches`."""
    return "_".join(
        f"{_text(branch.prefix)}.{_text(branch.forced)}" if branch.prefix else _text(branch.forced)
        for branch in branches
    )


def parse_prefix(text: str) -> tuple[int, ...]:
    """Read "1-2" as ids; a text that makes no sense is empty."""
    return _ids(text) if re.fullmatch(_IDS, text, re.ASCII) else ()


def _forcing(text: str) -> Forcing:
    if not re.fullmatch(rf"({_IDS}\.)?{_IDS}", text, re.ASCII):
        raise ValueError(f"ids expected, not {text!r}")
    prefix, _, forced = text.rpartition(".")
    return Forcing(_ids(prefix), _ids(forced))


def _ids(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("-")) if text else ()


def _text(ids: tuple[int, ...]) -> str:
    return "-".join(map(str, ids))
