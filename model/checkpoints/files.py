"""Reading what stands beside the weights of a checkpoint."""

import json
from pathlib import Path
from typing import Any

LONGEST_JSON = 10_000_000
"""Bytes."""


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object; ValueError names the file when it is none, or too long or too deep."""
    try:
        if path.stat().st_size > LONGEST_JSON:
            raise ValueError(f"longer than {LONGEST_JSON:,} bytes")
        values = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise ValueError(f"{path}: nested too deep") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error
    if not isinstance(values, dict):
        raise ValueError(f"{path}: an object expected, found {type(values).__name__}")
    return values
