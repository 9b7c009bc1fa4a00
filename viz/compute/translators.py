"""The translators in memory: few at a time, shared by all visitors."""

import streamlit as st

from model.recurrent.recurrent import Recurrent
from model.translator import Translator, load_translator
from viz.compute import models
from viz.sharing.kept import SHELF, of_namespace

SMALL = 18
"""The number of small models held: some 8 MB each, with one embedding for all recurrent models."""


def loaded(name: str) -> Translator:
    """Return the translator of a model.

    Two Transformers and all shipped small models (recurrent models and twins) are held, as one page
    shows eight of them. Beyond that, the model unused for longest is dropped with its kept results;
    a caller that is still using it can finish.
    Raises ValueError when there is no model of this name, or its folder is damaged.
    """
    folder = str(models.folder_of(name))
    small = models.is_recurrent(name) or name in models.twins()
    hold = _hold_small if small else _hold_large
    return hold(name, folder).translator


def is_held(name: str) -> bool:
    """Return True if a model is in memory, so that opening it takes no time."""
    return name in _HELD


def network_of(name: str) -> Recurrent:
    """Return a recurrent model's network; ValueError when the model is of another family."""
    network = loaded(name).network
    if not isinstance(network, Recurrent):
        raise ValueError(f"a recurrent model was expected, and {name!r} is none")
    return network


_HELD: set[str] = set()


class _Held:
    """A translator, and the name under which its results are kept."""

    def __init__(self, name: str, folder: str) -> None:
        self.name = name
        self.translator = load_translator(folder)
        _HELD.add(name)


def _forget(held: _Held) -> None:
    """Drop the kept results of a model, as recordings hold views of its weights."""
    SHELF.remove(of_namespace(held.name))
    _HELD.discard(held.name)


@st.cache_resource(show_spinner=False, max_entries=2, on_release=_forget)
def _hold_large(name: str, folder: str) -> _Held:
    return _Held(name, folder)


@st.cache_resource(show_spinner=False, max_entries=SMALL, on_release=_forget)
def _hold_small(name: str, folder: str) -> _Held:
    return _Held(name, folder)
