"""The one name that others import: what is beside their code changes nothing, nor is changed."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import headlight
import model

ROOT = Path(__file__).parents[1]
SENTENCE = "The cat is sleeping."

LIBRARY = f"""
import pickle, sys
import model
from headlight import AblateHead, load_translator
from headlight.notebook import decoder, explorer, heatmap
assert model.OWN
translator = load_translator()
print(translator.translate({SENTENCE!r}, interventions=[AblateHead("encoder 1.1")]).text)
recording = translator.record({SENTENCE!r})
explorer(recording, translator).save("figure.html")
assert [name for name in sys.modules if name.partition(".")[0] in ("model", "viz")] == ["model"]
with open("recording.pickle", "wb") as file:
    pickle.dump(recording, file)
"""
"""A researcher's program, in a folder with modules of the names of our folders."""


def put_own_modules(folder: Path) -> None:
    """Put a model.py and a viz.py into a folder; only the first one may be imported."""
    (folder / "model.py").write_text("OWN = True\n", encoding="utf-8")
    (folder / "viz.py").write_text("raise RuntimeError\n", encoding="utf-8")


def run(command: Sequence[str | Path], folder: Path, path: Path) -> str:
    """Run a command in a folder, with one more folder to import from; return its output."""
    environment = os.environ | {"PYTHONPATH": str(path), "HOME": str(folder)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_model_and_a_viz_beside_the_notebook_change_nothing(tmp_path: Path) -> None:
    put_own_modules(tmp_path)
    assert run([sys.executable, "-c", LIBRARY], tmp_path, ROOT)
    said = run([sys.executable, "-m", "headlight", "translate", SENTENCE], tmp_path, ROOT)
    assert said.startswith("Le chat dort.\n")
    code = "import pickle; print(pickle.load(open('recording.pickle', 'rb')).source_tokens[1])"
    assert run([sys.executable, "-c", code], tmp_path, ROOT) == "▁cat\n"


def test_it_offers_the_names_of_the_model() -> None:
    assert set(dir(headlight)) == set(model.__all__)
    assert headlight.head("cross 5.6").layer == 4
    with pytest.raises(AttributeError, match="has no attribute 'Headlight'"):
        _ = headlight.Headlight
