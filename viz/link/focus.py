"""The shared focus of all pages: the chosen head, word and step.

It is stored in the session and in the link: `kind`, `layer`, `head`, `word` (a piece of the source)
and `step` (a row of the decoder). All count from 1 in the link and from 0 in this module. A lesson
may say `query`, which means `word` or `step` by the kind. The last query that is locked in the
explorer means the same, and the first of the explorer's `heads` is the head.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from model.recurrent.config import RecurrentConfig
from model.sites.sites import Kind
from model.transformer.config import ModelConfig
from viz.compute import models, openings, runs
from viz.compute.openings import Opening
from viz.course.pages import named
from viz.link import address
from viz.link.table import parameter

EXPLORER_PAGE = "attention"
EXPLORER = tuple(one.name for one in named(EXPLORER_PAGE).parameters)
NAMES = ("kind", "layer", "head", "word", "step")

_REPORTED = ("kind", "layer", *EXPLORER)
_FOCUS, _REFUSED, _PIECES, _PAGE, _EXPLORER = (
    f"focus {name}" for name in ("chosen", "refused", "pieces", "page", "explorer")
)
Config = ModelConfig | RecurrentConfig


@dataclass(frozen=True)
class Focus:
    """The choices, 0-based; None where there is none.

    `word` is a piece of the source: the query in the encoder. `step` is a row of the decoder: the
    query in the other kinds of attention.
    """

    kind: Kind | None = None
    layer: int | None = None
    head: int | None = None
    word: int | None = None
    step: int | None = None

    @property
    def names_head(self) -> bool:
        """Return True if a head, or a part of its name, was chosen."""
        return any(part is not None for part in (self.kind, self.layer, self.head))

    def query(self, kind: Kind) -> int | None:
        """Return the chosen query of a kind of attention."""
        return self.word if kind == "encoder" else self.step

    def with_query(self, kind: Kind, place: int | None) -> "Focus":
        """Choose a query of a kind of attention."""
        return replace(self, word=place) if kind == "encoder" else replace(self, step=place)


@dataclass(frozen=True)
class Read:
    """The focus of a link; `refused` are the parameters, with values, that this model lacks."""

    focus: Focus
    refused: tuple[tuple[str, str], ...] = ()


def read(parameters: Mapping[str, str], config: Config) -> Read:
    """Read a link for a model of these sizes; parts without a sense count as not chosen."""
    locks = re.findall(r"q(\d+)", parameters.get("lock", ""))
    first_head, last = parameters.get("heads", "").partition("-")[0], locks[-1] if locks else ""
    explorer = {"head": first_head, "query": last}
    texts = {name: parameters.get(name) or explorer.get(name, "") for name in (*NAMES, "query")}
    values: dict[str, Any] = {name: parameter(name).sense(value) for name, value in texts.items()}
    kind: Kind = values["kind"] or "encoder"
    for name, count in (("layer", config.layers(kind)), ("head", config.heads)):
        if values[name] is not None and values[name] >= count:
            values[name] = None
    focus = Focus(*(values[name] for name in NAMES))
    if focus.query(kind) is None:
        focus = focus.with_query(kind, values["query"])
    head = ("kind", "layer", "head")
    refused = ((name, texts[name]) for name in head if texts[name] and values[name] is None)
    return Read(focus, tuple(refused))


def written(focus: Focus) -> dict[str, str]:
    """Write a focus as parameters; empty parameters must not be in the link."""
    texts = {name: parameter(name).said(getattr(focus, name)) for name in NAMES}
    return {**texts, "query": "", "lock": ""}


def open_focus(sentence: str, page: str) -> None:
    """Read the focus from the link when the link counts, and write it into this page's link."""
    if address.counts(_FOCUS):
        focus_read = read(address.parameters(), _config())
        st.session_state[_FOCUS], st.session_state[_REFUSED] = focus_read.focus, focus_read.refused
        if page == EXPLORER_PAGE:
            st.session_state[_EXPLORER] = address.parameters()
    elif st.session_state.get(_PIECES) != (sentence, models.in_force()):
        gone = (name for name in NAMES if parameter(name).reach == "this sentence")
        st.session_state[_FOCUS] = replace(current(), **dict.fromkeys(gone))
    st.session_state[_PIECES] = sentence, models.in_force()
    st.session_state[_PAGE] = page
    _write()


def _config() -> Config:
    """Return the sizes of the model in force, or those of the paper if it cannot be opened."""
    try:
        return runs.translator().network.config
    except ValueError:
        return ModelConfig()


def current() -> Focus:
    """Return the chosen focus."""
    return st.session_state.get(_FOCUS, Focus())


def choose(focus: Focus) -> None:
    """Choose this focus, and write it into the link at once."""
    st.session_state[_FOCUS], st.session_state[_REFUSED] = focus, ()
    _write()


def opening() -> Opening:
    """Return the focus for a page without a choice; ValueError when there is no sentence."""
    return openings.opening(str(st.session_state[_PIECES][0]))


def refused() -> tuple[tuple[str, str], ...]:
    """Return, once, the parts of the link that this model lacks, by parameter."""
    return st.session_state.pop(_REFUSED, ())


def query(kind: Kind, count: int, otherwise: int | None = None) -> int:
    """Return the query of a kind of attention to show: the chosen query, if below `count`.

    Otherwise it is `otherwise`, or the query at which the sentence opens.
    """
    chosen_query = current().query(kind)
    if chosen_query is not None and chosen_query < count:
        return chosen_query
    if otherwise is None:
        opening_focus = opening()
        otherwise = opening_focus.word if kind == "encoder" else opening_focus.step
    return min(otherwise, count - 1)  # a change may leave fewer queries


def take_explorer(reported: Mapping[str, str]) -> None:
    """Take over the explorer's choice, written as in links."""
    reported_focus = read(reported, _config()).focus
    if reported_focus.kind and reported_focus.names_head:
        choice = replace(
            current(),
            kind=reported_focus.kind,
            layer=reported_focus.layer,
            head=reported_focus.head,
        )
        st.session_state[_EXPLORER] = {name: str(reported.get(name, "")) for name in _REPORTED}
        choose(choice.with_query(reported_focus.kind, reported_focus.query(reported_focus.kind)))


def explorer_parameters(focus: Focus, view: Mapping[str, str]) -> dict[str, str]:
    """Return the explorer's own parameters for a focus, from those of its last view.

    The heads beside the chosen head stay while its layer stays. All locked tokens stay until
    another query is chosen.
    """
    of_explorer = {name: view.get(name, "") for name in EXPLORER}
    if not any(of_explorer.values()):
        return of_explorer
    of_focus = written(focus)
    same_layer = (of_focus["kind"], of_focus["layer"]) == (view.get("kind"), view.get("layer"))
    if focus.names_head and not (
        same_layer and of_focus["head"] in of_explorer["heads"].split("-")
    ):
        of_explorer["heads"] = ""
    query, locks = focus.query(focus.kind or "cross"), of_explorer["lock"].split("-")
    if query is None:
        of_explorer["lock"] = "-".join(lock for lock in locks if not lock.startswith("q"))
    elif f"q{query + 1}" not in locks:
        of_explorer["lock"] = f"q{query + 1}"
    return of_explorer


def _write() -> None:
    """Write the choice into the link; a text there that means the same is kept."""
    parameters: dict[str, str] = {}
    if read(address.parameters(), _config()).focus != current():
        parameters |= written(current())
    if st.session_state.get(_PAGE) == EXPLORER_PAGE:
        parameters |= explorer_parameters(current(), st.session_state.get(_EXPLORER, {}))
    address.put(parameters)
