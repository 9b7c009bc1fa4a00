"""The one focus of all pages: the head, the word and the step that somebody chose.

It is kept in the session and stands in the link: `kind`, `layer`, `head`, `word`, a piece of the
source, and `step`, a row of the decoder. All count from 1 there and from 0 in here. A lesson may
say `query`, which is the one or the other, as the kind has it; so does the last query that is
locked in the explorer, and the first of its `heads` is the head.
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
from viz.link import address
from viz.link.table import EXPLORER, parameter

EXPLORER_PAGE = "attention"
NAMES = ("kind", "layer", "head", "word", "step")

_REPORTED = ("kind", "layer", *EXPLORER)
_FOCUS, _REFUSED, _PIECES, _PAGE, _EXPLORER = (
    f"focus {name}" for name in ("chosen", "refused", "pieces", "page", "explorer")
)
Config = ModelConfig | RecurrentConfig


@dataclass(frozen=True)
class Focus:
    """What was chosen, 0-based; None where nobody chose.

    `word` is a piece of the source, `step` a row of the decoder: of those, the queries of the
    encoder and of the other kinds of attention.
    """

    kind: Kind | None = None
    layer: int | None = None
    head: int | None = None
    word: int | None = None
    step: int | None = None

    @property
    def names_head(self) -> bool:
        """Tell whether a head was chosen, or a part of its name."""
        return any(part is not None for part in (self.kind, self.layer, self.head))

    def query(self, kind: Kind) -> int | None:
        """Return the chosen query of a kind of attention."""
        return self.word if kind == "encoder" else self.step

    def with_query(self, kind: Kind, place: int | None) -> "Focus":
        """Choose a query of a kind of attention."""
        return replace(self, word=place) if kind == "encoder" else replace(self, step=place)


@dataclass(frozen=True)
class Read:
    """What a link asks for; `refused` names what this model has not: a parameter, its text."""

    focus: Focus
    refused: tuple[tuple[str, str], ...] = ()


def read(parameters: Mapping[str, str], config: Config) -> Read:
    """Read a link to a model of these sizes; what makes no sense was not chosen."""
    locks = re.findall(r"q(\d+)", parameters.get("lock", ""))
    first, last = parameters.get("heads", "").partition("-")[0], locks[-1] if locks else ""
    explorer = {"head": first, "query": last}
    texts = {name: parameters.get(name) or explorer.get(name, "") for name in (*NAMES, "query")}
    found: dict[str, Any] = {name: parameter(name).sense(text) for name, text in texts.items()}
    kind: Kind = found["kind"] or "encoder"
    for name, count in (("layer", config.layers(kind)), ("head", config.heads)):
        if found[name] is not None and found[name] >= count:
            found[name] = None
    focus = Focus(*(found[name] for name in NAMES))
    if focus.query(kind) is None:
        focus = focus.with_query(kind, found["query"])
    head = ("kind", "layer", "head")
    refused = ((name, texts[name]) for name in head if texts[name] and found[name] is None)
    return Read(focus, tuple(refused))


def written(focus: Focus) -> dict[str, str]:
    """Write a focus as parameters; empty are those that shall not be in the link."""
    said = {name: parameter(name).said(getattr(focus, name)) for name in NAMES}
    return {**said, "query": "", "lock": ""}


def open_focus(sentence: str, page: str) -> None:
    """Read the focus of the link when it counts, and let the link of this page say it."""
    if address.counts(_FOCUS):
        found = read(address.parameters(), _config())
        st.session_state[_FOCUS], st.session_state[_REFUSED] = found.focus, found.refused
        if page == EXPLORER_PAGE:
            st.session_state[_EXPLORER] = address.parameters()
    elif st.session_state.get(_PIECES) != (sentence, models.in_force()):
        gone = (name for name in NAMES if parameter(name).reach == "this sentence")
        st.session_state[_FOCUS] = replace(current(), **dict.fromkeys(gone))
    st.session_state[_PIECES] = sentence, models.in_force()
    st.session_state[_PAGE] = page
    _write()


def _config() -> Config:
    """Return the sizes of the model in force; of one that cannot be opened, those of the paper."""
    try:
        return runs.translator().network.config
    except ValueError:
        return ModelConfig()


def current() -> Focus:
    """Return what was chosen."""
    return st.session_state.get(_FOCUS, Focus())


def choose(focus: Focus) -> None:
    """Choose this; the link says it at once."""
    st.session_state[_FOCUS], st.session_state[_REFUSED] = focus, ()
    _write()


def opening() -> Opening:
    """Return where to look while nothing is chosen; ValueError when there is no sentence."""
    return openings.opening(str(st.session_state[_PIECES][0]))


def refused() -> tuple[tuple[str, str], ...]:
    """Return what the link asked for and this model has not, by parameter; once."""
    return st.session_state.pop(_REFUSED, ())


def query(kind: Kind, count: int, otherwise: int | None = None) -> int:
    """Return the query of a kind of attention to show, of so many: the chosen one, if it exists.

    Else it is `otherwise`, or that at which the sentence opens.
    """
    chosen = current().query(kind)
    if chosen is not None and chosen < count:
        return chosen
    if otherwise is None:
        first = opening()
        otherwise = first.word if kind == "encoder" else first.step
    return min(otherwise, count - 1)  # a change may leave fewer queries


def take_explorer(reported: Mapping[str, str]) -> None:
    """Take what was chosen in the explorer, written as it stands in links."""
    found = read(reported, _config()).focus
    if found.kind and found.names_head:
        chosen = replace(current(), kind=found.kind, layer=found.layer, head=found.head)
        st.session_state[_EXPLORER] = {name: str(reported.get(name, "")) for name in _REPORTED}
        choose(chosen.with_query(found.kind, found.query(found.kind)))


def explorer_parameters(focus: Focus, view: Mapping[str, str]) -> dict[str, str]:
    """Return the explorer's own parameters for a focus, from those of its last view.

    The heads beside the chosen one stay as long as its layer does; so do all locked tokens, until
    another query is chosen.
    """
    own = {name: view.get(name, "") for name in EXPLORER}
    if not any(own.values()):
        return own
    now = written(focus)
    same_layer = (now["kind"], now["layer"]) == (view.get("kind"), view.get("layer"))
    if focus.names_head and not (same_layer and now["head"] in own["heads"].split("-")):
        own["heads"] = ""
    query, locks = focus.query(focus.kind or "cross"), own["lock"].split("-")
    if query is None:
        own["lock"] = "-".join(lock for lock in locks if not lock.startswith("q"))
    elif f"q{query + 1}" not in locks:
        own["lock"] = f"q{query + 1}"
    return own


def _write() -> None:
    """Let the link say what was chosen, in the words it has if they say it."""
    wanted: dict[str, str] = {}
    if read(address.parameters(), _config()).focus != current():
        wanted |= written(current())
    if st.session_state.get(_PAGE) == EXPLORER_PAGE:
        wanted |= explorer_parameters(current(), st.session_state.get(_EXPLORER, {}))
    address.put(wanted)
