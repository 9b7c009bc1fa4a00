"""Who imports whom: the arrows between the folders, and no other."""

import ast
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("model", "viz", "benchmarks")


@dataclass(frozen=True)
class Rule:
    """What a part may import beside the standard library, and what of that it may not."""

    allowed: tuple[str, ...]
    forbidden: tuple[str, ...] = ()


PAGE = Rule(
    (
        "numpy",
        "plotly.graph_objects.Figure",  # to pass one on, not to build one
        "streamlit",
        "viz.components",
        "viz.compute",
        "viz.decoder_scene",
        "viz.edit_link",
        "viz.edit_words",
        "viz.figures",
        "viz.header",
        "viz.lab",
        "viz.pairs",
        "viz.moved_positions",
        "viz.state",
        "viz.text",
        "viz.theme",
        "viz.whatif",
    )
)

# What a person can choose, and its form in the link: of the model, its frozen data alone.
STATE = Rule(
    (
        "model.transformer.config",
        "model.interventions",
        "model.recording.sites",
        "streamlit",
        "viz.edit_link",
        "viz.text",
        "viz.theme",
    )
)

# The longest name that fits a module decides.
RULES = {
    "model": Rule(("model", "numpy", "safetensors", "sentencepiece", "torch"), ("model.training",)),
    "model.decoding": Rule(("model.decoding", "torch")),
    "model.decoding.cached_scorer": Rule(("model.decoding", "model.transformer", "torch")),
    "model.decoding.edited_scorer": Rule(
        ("model.decoding", "model.recording.tap", "model.transformer", "torch")
    ),
    "model.training": Rule(
        ("model", "eflomal", "numpy", "sacrebleu", "sentencepiece", "torch", "tqdm")
    ),
    "viz": PAGE,
    "viz.compute": Rule(("model", "numpy", "streamlit", "torch"), ("model.training",)),
    "viz.state": STATE,
    "viz.edit_link": STATE,
    "viz.edit_words": STATE,
    "viz.lab": Rule((*PAGE.allowed, "model"), ("model.training",)),
    "viz.pairs": Rule(
        ("model", "numpy", "streamlit", "viz.compute", "viz.whatif"), ("model.training",)
    ),
    "viz.whatif": Rule(
        ("model", "numpy", "streamlit", "torch", "viz.compute"), ("model.training",)
    ),
    "viz.figures": Rule(("numpy", "plotly", "viz.figures", "viz.text", "viz.theme")),
    "viz.components": Rule(("numpy", "streamlit", "viz.components", "viz.text", "viz.theme")),
    "viz.theme": Rule(("plotly", "viz.text")),
    "viz.text": Rule(()),
    "benchmarks": Rule(("benchmarks", "model", "numpy", "plotly", "streamlit", "torch", "viz")),
    "benchmarks.explorer": Rule(("benchmarks", "playwright", "tests.browser", "tests.viz", "viz")),
    "benchmarks.pages": Rule(("benchmarks", "playwright", "tests.browser")),
    "benchmarks.decode": Rule(("benchmarks", "model", "playwright", "tests.browser", "torch")),
    "benchmarks.whatif": Rule(("benchmarks", "model", "playwright", "tests.browser", "torch")),
}


def imported(source: str, package: str) -> set[str]:
    """List the full names that a module of this package imports, wherever it does so."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            start = [*(parents if node.level else []), *([node.module] if node.module else [])]
            names |= {".".join([*start, alias.name]) for alias in node.names}
    return names


def within(name: str, parts: tuple[str, ...]) -> bool:
    return any(name == part or name.startswith(part + ".") for part in parts)


def forbidden_imports(module: str, source: str) -> list[str]:
    """List what a module imports against the rule of its part."""
    rule = RULES[max((part for part in RULES if within(module, (part,))), key=len)]
    return sorted(
        name
        for name in imported(source, package=module.rpartition(".")[0])
        if name.split(".")[0] not in sys.stdlib_module_names
        and (within(name, rule.forbidden) or not within(name, rule.allowed))
    )


def modules() -> list[str]:
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    return sorted(".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths)


@pytest.mark.parametrize("module", modules())
def test_a_module_imports_only_what_its_part_may(module: str) -> None:
    source = (ROOT / module.replace(".", "/")).with_suffix(".py").read_text(encoding="utf-8")
    assert forbidden_imports(module, source) == []


@pytest.mark.parametrize(
    ("module", "line", "named"),
    [
        ("model.transformer.layers", "import streamlit as st", "streamlit"),
        ("model.recording.recording", "from plotly import graph_objects", "plotly.graph_objects"),
        ("model.recording.sites", "from viz.text import _", "viz.text._"),
        ("model.translator", "from model.training.data import Pair", "model.training.data.Pair"),
        ("model.recording.tap", "def late():\n    import viz", "viz"),
        ("model.training.trainer", "from viz import theme", "viz.theme"),
        (
            "model.decoding.beam",
            "from model.tokenizer import Tokenizer",
            "model.tokenizer.Tokenizer",
        ),
        ("model.decoding.beam", "from .. import transformer", "model.transformer"),
        ("model.decoding.beam", "from ..tokenizer import Tokenizer", "model.tokenizer.Tokenizer"),
        ("viz.figures.attention", "import torch", "torch"),
        ("viz.figures.attention", "import streamlit", "streamlit"),
        ("viz.figures.attention", "from viz import compute", "viz.compute"),
        ("viz.figures.attention", "from model import Recording", "model.Recording"),
        ("viz.components.grid.start", "from viz.compute import Run", "viz.compute.Run"),
        ("viz.components.grid.start", "import plotly.graph_objects as go", "plotly.graph_objects"),
        ("viz.pages.recording", "from model import load_translator", "model.load_translator"),
        ("viz.pages.recording", "import torch.nn", "torch.nn"),
        ("viz.pages.recording", "import plotly.graph_objects as go", "plotly.graph_objects"),
        ("viz.pages.recording", "from viz.main import run", "viz.main.run"),
        ("viz.compute", "from viz import figures", "viz.figures"),
        ("viz.compute", "from model.training import evaluate", "model.training.evaluate"),
        ("viz.state", "from model.translator import Translator", "model.translator.Translator"),
        ("viz.text", "import numpy", "numpy"),
    ],
)
def test_a_forbidden_import_is_found(module: str, line: str, named: str) -> None:
    assert forbidden_imports(module, line) == [named]


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("model.decoding.beam", "import math\nfrom model.decoding.steps import Choice"),
        ("model.decoding.beam", "from .steps import Choice\nfrom torch import Tensor"),
        ("viz.pages.recording", "from viz import compute, state\nimport viz.figures.attention"),
        ("viz.compute", "from model import Recording"),
    ],
)
def test_an_allowed_import_is_left_alone(module: str, line: str) -> None:
    assert forbidden_imports(module, line) == []


def test_there_is_something_to_check() -> None:
    assert {"model.transformer.layers", "model.decoding.greedy", "viz.theme"} <= set(modules())
