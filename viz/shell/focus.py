"""The one focus of all pages: the head, the word and the step that somebody chose.

It is kept in the session and stands in the link: `kind`, `layer`, `head`, `word`, a piece of the
source, and `step`, a row of the decoder. All count from 1 there and from 0 in here. A lesson may
say `query`, which is the one or the other, as the kind has it; so does the last query that is
locked in the explorer, and the first of its `heads` is the head.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from model.recording.sites import KINDS, Kind, heads_of, layers_of
from model.recurrent.config import RecurrentConfig
from model.transformer.config import ModelConfig
from viz.compute import models, openings, runs
from viz.compute.openings import Opening
from viz.shell import link

MOST = 9999
"""No sentence has more pieces; whether one has so many is seen when it is shown."""

EXPLORER_PAGE = "attention"
EXPLORER = ("heads", "view", "lock", "aids", "order", "beside")
"""The parameters of the explorer alone: which heads beside the one, and how they are drawn."""

_REPORTED = ("kind", "layer", *EXPLORER)
_FOCUS, _REFUSED, _PIECES, _PAGE, _EXPLORER = (
    f"focus {name}" for name in ("chosen", "refused", "pieces", "page", "explorer")
)
KIND_NAMES: dict[str, Kind] = {str(kind): kind for kind in KINDS}
"""The kinds of attention by their names in links."""

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
    asked = parameters.get("kind", "")
    kind = KIND_NAMES.get(asked)
    refused = [("kind", asked)] if asked and not kind else []
    heads = parameters.get("heads", "").partition("-")[0]
    texts = {"layer": parameters.get("layer", ""), "head": parameters.get("head") or heads}
    sizes = {"layer": layers_of(kind or "encoder", config), "head": heads_of(config)}
    found = {name: _place(text, sizes[name]) for name, text in texts.items()}
    refused += [(name, text) for name, text in texts.items() if text and found[name] is None]
    word, step = (_place(parameters.get(name, ""), MOST) for name in ("word", "step"))
    focus = Focus(kind, found["layer"], found["head"], word, step)
    locks = re.findall(r"q(\d+)", parameters.get("lock", ""))
    query = parameters.get("query") or (locks[-1] if locks else "")
    if query and focus.query(kind or "encoder") is None:
        focus = focus.with_query(kind or "encoder", _place(query, MOST))
    return Read(focus, tuple(refused))


def written(focus: Focus) -> dict[str, str]:
    """Write a focus as parameters; empty are those that shall not be in the link."""
    places = {name: getattr(focus, name) for name in ("layer", "head", "word", "step")}
    said = {name: _text(place) for name, place in places.items()}
    return {"kind": focus.kind or "", **said, "query": "", "lock": ""}


def _place(text: str, count: int) -> int | None:
    """Read a number from 1 to `count` as one from 0."""
    number = int(text) if re.fullmatch(r"\d{1,4}", text, re.ASCII) else 0
    return number - 1 if 1 <= number <= count else None


def _text(place: int | None) -> str:
    return "" if place is None else str(place + 1)


def open_focus(sentence: str, page: str) -> None:
    """Read the focus of the link when it counts, and let the link of this page say it."""
    if _FOCUS not in st.session_state or link.walked():
        found = read(link.parameters(), _config())
        st.session_state[_FOCUS], st.session_state[_REFUSED] = found.focus, found.refused
        if page == EXPLORER_PAGE:
            st.session_state[_EXPLORER] = link.parameters()
    elif st.session_state.get(_PIECES) != (sentence, models.in_force()):
        st.session_state[_FOCUS] = replace(current(), word=None, step=None)
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


def query(kind: Kind, count: int) -> int:
    """Return the query of a kind of attention to show, of so many: the chosen one, if it exists."""
    chosen = current().query(kind)
    if chosen is not None and chosen < count:
        return chosen
    first = opening()
    return min(first.word if kind == "encoder" else first.step, count - 1)


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
    same_layer = (focus.kind or "", _text(focus.layer)) == (view.get("kind"), view.get("layer"))
    if focus.names_head and not (same_layer and _text(focus.head) in own["heads"].split("-")):
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
    if read(link.parameters(), _config()).focus != current():
        wanted |= written(current())
    if st.session_state.get(_PAGE) == EXPLORER_PAGE:
        wanted |= explorer_parameters(current(), st.session_state.get(_EXPLORER, {}))
    link.put(wanted)
