"""The changes in the model: stored in the session, and in the link as `edits`.

A change that names pieces, such as "hide.3-4", is followed by "of.3fa94c": some digits of its
sentence's hash. A link without such digits, for example one written by hand, is about the sentence
beside it.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st

from model.interventions import link_text
from model.interventions.base import Intervention
from model.interventions.heads import MODES, AblateHead
from model.sites.sites import Head
from viz.link import address

Change = TypeVar("Change", bound=Intervention)

_TIE, _DIGITS = "_of.", 6
_EDITS = "edits"
_REFUSED, _SENTENCE, _DROPPED = "refused edits", "sentence of the edits", "dropped edits"


@dataclass(frozen=True)
class TiedParsed:
    """The interventions of a text for a sentence, and its pieces that make no sense.

    `dropped` is True if some were left out because they name pieces of another sentence.
    """

    interventions: tuple[Intervention, ...]
    refused: tuple[str, ...]
    dropped: bool


def write(interventions: Sequence[Intervention], sentence: str) -> str:
    """Write interventions as text, tied to this sentence if they name its pieces."""
    written_text = link_text.write(interventions)
    tied = any(intervention.names_pieces for intervention in interventions)
    return f"{written_text}{_TIE}{_digest(sentence)}" if tied else written_text


def read(text: str, sentence: str) -> TiedParsed:
    """Read a text for a sentence."""
    body, tie, digest = text.rpartition(_TIE)
    parsed = link_text.read(body if tie else text)
    fitting = parsed.interventions
    if tie and digest != _digest(sentence):
        fitting = tuple(intervention for intervention in fitting if not intervention.names_pieces)
    return TiedParsed(fitting, parsed.refused, len(fitting) < len(parsed.interventions))


def _digest(sentence: str) -> str:
    return hashlib.sha256(sentence.encode("utf-8", "replace")).hexdigest()[:_DIGITS]


def leave_to_link() -> None:
    """Forget the changes after a step through the history: the link counts until it is read.

    Call this first in the script. If another run takes this one's place before it has read the
    link, that run would otherwise write the changes that Back undoes into the link again.
    """
    if address.walked():
        st.session_state.pop(_EDITS, None)


def open_edits(sentence: str) -> None:
    """Read the changes where the link counts; drop changes that name pieces of another sentence."""
    if address.counts(_EDITS):
        parsed = read(address.parameters().get(_EDITS, ""), sentence)
        st.session_state[_EDITS], st.session_state[_REFUSED] = parsed.interventions, parsed.refused
        st.session_state[_DROPPED] = parsed.dropped
    elif st.session_state.get(_SENTENCE) != sentence:
        changes = interventions()
        staying = tuple(change for change in changes if not change.names_pieces)
        st.session_state[_EDITS], st.session_state[_DROPPED] = staying, len(staying) < len(changes)
    st.session_state[_SENTENCE] = sentence
    address.put({_EDITS: written()})


def interventions() -> tuple[Intervention, ...]:
    """Return the user's changes in the model."""
    return tuple(st.session_state.get(_EDITS, ()))


def written() -> str:
    """Return the changes in the model as text of the link."""
    return write(interventions(), str(st.session_state.get(_SENTENCE, "")))


def write_untied(changes: Sequence[Intervention]) -> str:
    """Write changes for a link that itself names their sentence, or stays on its page."""
    return link_text.write(changes)


def with_piece(piece: str) -> str:
    """Write the changes and another piece, which the browser may have to complete."""
    return "_".join(filter(None, (write_untied(interventions()), piece)))


def in_force(left_out: Iterable[Intervention]) -> tuple[Intervention, ...]:
    """Return the interventions that fit this model and sentence."""
    misfit = set(left_out)
    return tuple(intervention for intervention in interventions() if intervention not in misfit)


def is_off(head: Head) -> bool:
    """Return True if a head is switched off, in any mode."""
    numbers = head.kind, head.layer, head.head
    return any(AblateHead(*numbers, mode) in interventions() for mode in MODES)


def refused() -> tuple[str, ...]:
    """Return the pieces of the link that make no sense, until the next change."""
    return tuple(st.session_state.get(_REFUSED, ()))


def dropped() -> bool:
    """Return True, until the next change, if changes were dropped with the last sentence."""
    return bool(st.session_state.get(_DROPPED))


def set_interventions(changed: Iterable[Intervention]) -> None:
    """Replace the changes in the model; call it in a callback, which runs before the page."""
    st.session_state[_EDITS], st.session_state[_REFUSED] = tuple(dict.fromkeys(changed)), ()
    st.session_state[_DROPPED] = False


def of_kind(among: Iterable[Intervention], kind: type[Change], /, **values: object) -> list[Change]:
    """Return the interventions of a kind whose fields have these values."""
    return [
        change
        for change in among
        if isinstance(change, kind)
        and all(getattr(change, name) == value for name, value in values.items())
    ]


def replaced(
    among: Iterable[Intervention],
    kind: type[Intervention],
    new: Iterable[Intervention] = (),
    /,
    **values: object,
) -> tuple[Intervention, ...]:
    """Replace the interventions of a kind whose fields have these values by `new` ones.

    The new interventions come last.
    """
    among = tuple(among)
    old = set(of_kind(among, kind, **values))
    return (*(change for change in among if change not in old), *new)


def replace(kind: type[Change], new: Iterable[Intervention] = (), /, **values: object) -> None:
    """Replace the changes of a kind whose fields have these values; call it in a callback."""
    set_interventions(replaced(interventions(), kind, new, **values))


def remove_interventions(removed: Iterable[Intervention]) -> None:
    """Undo some of the changes."""
    gone = set(removed)
    set_interventions(intervention for intervention in interventions() if intervention not in gone)
