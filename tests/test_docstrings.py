"""The examples in the docstrings of what people import run, and give what they say."""

import doctest
import sys
from types import ModuleType

import pytest

from model import translator as translators
from model.recording import recording as recordings
from model.recording.recording import Recording
from model.sites import sites
from model.translator import Translator, load_translator
from viz.notebook import bertviz, steps
from viz.notebook.explorer import Explorer
from viz.notebook.heatmap import heatmap

SHOWN = (sys.modules[one.__module__] for one in (Explorer, heatmap))
MODULES = [translators, recordings, sites, bertviz, steps, *SHOWN]


@pytest.fixture(scope="module")
def names() -> dict[str, Translator | Recording]:
    translator = load_translator()
    return {"translator": translator, "recording": translator.record("The cat is sleeping.")}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_hold(module: ModuleType, names: dict[str, Translator | Recording]) -> None:
    found = doctest.testmod(module, extraglobs=names, raise_on_error=False)
    assert found.attempted
    assert not found.failed
