"""The Python of the README runs as it stands there, one block after the other."""

import re
from pathlib import Path

import numpy as np
import pytest

README = Path(__file__).parent.parent / "README.md"

BROUGHT = """
source, target = ["It", "works"], ["\u00c7a", "marche"]
weights = np.full((1, 1, 2, 2), 0.5)  # L H T S
outputs = {"cross_attentions": [weights[0][None]]}
"""
"""What the README leaves to those who bring a model of their own."""


def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) >= 2
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"np": np}
    for block in (BROUGHT, *blocks):
        exec(block, names)
    assert (tmp_path / "figure.html").stat().st_size > 10_000
