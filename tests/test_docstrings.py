"""The examples in the docstrings of what people import run, and give what they say."""

import doctest
import inspect
import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from types import ModuleType

import pytest

import model
from headlight import notebook
from model import loaded, results
from model import translator as translators
from model.recording import recording as recordings
from model.recording.recording import Recording
from model.sites import sites
from model.translator import Translator, load_translator
from viz.notebook import bertviz, steps
from viz.notebook.explorer import Explorer
from viz.notebook.heatmap import heatmap

PUBLIC = [getattr(model, name) for name in model.__all__]
OFFERED = {name: getattr(at, name) for at in (model, notebook) for name in at.__all__}
HOMES = {sys.modules[offered.__module__] for offered in PUBLIC if offered is not model.head}
SHOWN = {sys.modules[offered.__module__] for offered in (Explorer, heatmap)}
OTHERS = {translators, recordings, sites, results, loaded, bertviz, steps}
MODULES = sorted(HOMES | SHOWN | OTHERS, key=lambda module: module.__name__)


@pytest.fixture(scope="module")
def names() -> dict[str, Translator | Recording]:
    translator = load_translator()
    return {"translator": translator, "recording": translator.record("The cat is sleeping.")}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_hold(module: ModuleType, names: dict[str, Translator | Recording]) -> None:
    found = doctest.testmod(module, extraglobs=names, raise_on_error=False)
    assert found.attempted
    assert not found.failed


def arguments_of(offered: Callable[..., object]) -> list[str]:
    """List the arguments of a function, of a class, or of what makes a dataclass."""
    if is_dataclass(offered):
        return [field.name for field in fields(offered)]
    if inspect.isclass(offered) and offered.__init__ is object.__init__:
        return []
    return list(inspect.signature(offered).parameters)


@pytest.mark.parametrize("offered", OFFERED.values(), ids=OFFERED)
def test_every_public_name_says_what_it_takes_and_has_an_example(
    offered: Callable[..., object],
) -> None:
    said = inspect.getdoc(offered) or ""
    assert ">>> " in said
    assert [name for name in arguments_of(offered) if f"{name}:" not in said] == []
    assert "Returns:" in said or inspect.isclass(offered)
