"""The view state: the sentence, what is changed in the model, and the head on screen.

Layers and heads are 1-based in widgets and links and 0-based in `View`.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.errors import StreamlitAPIException

from model.interventions.base import Intervention
from model.recording.sites import Kind, heads_of, kinds_of, layers_of
from model.transformer.config import ModelConfig
from viz.components.head_links import head_links
from viz.components.head_picker import Shares, head_picker
from viz.compute import examples, models
from viz.figures.labels import head_text
from viz.figures.theme import DARK, LIGHT, Theme
from viz.language.text import CHOSEN, _
from viz.language.wording import escaped
from viz.shell import focus, link, tied_link
from viz.shell.focus import Config

LINK = link.BOUND

_PLACE = "place"
_EDITS, _REFUSED = "edits", "refused edits"
_SENTENCE, _DROPPED = "sentence of the edits", "dropped edits"


@dataclass(frozen=True)
class View:
    """Which attention is on screen; layer and head are 0-based."""

    kind: Kind
    layer: int
    head: int


def head_name(view: View) -> str:
    """Name a head: "cross 5.6" is head 6 of layer 5."""
    return head_text(view.kind, view.layer, view.head)


def arrive(place: str, parameters: Iterable[tuple[str, str]] = ()) -> None:
    """Open a place whose link says everything, such as a scene; earlier choices are forgotten.

    The language and the model stay: they were read from the link already.

    Streamlit drops from a link what widgets of the page before had bound, although the new page may
    have the same: what is missing of `parameters` is put back, and the script begins again.
    """
    if not place or st.session_state.get(_PLACE) == place:
        st.session_state[_PLACE] = place
        return
    chosen = (CHOSEN, models.CHOSEN)
    kept = {name: st.session_state[name] for name in chosen if name in st.session_state}
    st.session_state.clear()
    st.session_state.update({**kept, _PLACE: place})
    missing = [each for each in parameters if each[0] not in st.query_params]
    for name, value in missing:
        # The sentence box is on all pages: its value is missing where it is the first sentence.
        with suppress(StreamlitAPIException):
            st.query_params[name] = value
    if any(name in st.query_params for name, _value in missing):
        st.rerun()


def arrival() -> str:
    """Return the place that was arrived at last: what reads the link once reads it again there."""
    return str(st.session_state.get(_PLACE, ""))


def current_theme() -> Theme:
    """Return the theme that the browser shows."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def first_sentence() -> str:
    """Return what stands in the box when nobody has typed: the model's first example."""
    return next(iter(examples.current().texts), "")


def sentence() -> str:
    """Return the sentence in the box."""
    return str(st.session_state.get("sentence", first_sentence()) or "")


def open_page_state(page: str) -> None:
    """Read what the link says when it counts, and keep the link of this page up to date.

    What names pieces of a sentence goes with it, and so do the word and the step of the focus.
    """
    focus.open_focus(sentence(), page)
    if _EDITS not in st.session_state or link.walked():
        found = tied_link.read(st.query_params.get(_EDITS, ""), sentence())
        st.session_state[_EDITS], st.session_state[_REFUSED] = found.interventions, found.refused
        st.session_state[_DROPPED] = found.dropped
    elif st.session_state.get(_SENTENCE) != sentence():
        _drop_places()
    st.session_state[_SENTENCE] = sentence()
    write_interventions()


def write_interventions() -> None:
    """Let the link say what is changed in the model."""
    link.put({_EDITS: written_interventions()})


def written_interventions() -> str:
    """Return what is changed in the model as the link says it."""
    return tied_link.write(interventions(), sentence())


def _drop_places() -> None:
    """Drop the changes that name pieces of the sentence that was there before."""
    changes = interventions()
    kept = tuple(one for one in changes if not one.names_pieces)
    st.session_state[_EDITS], st.session_state[_DROPPED] = kept, len(kept) < len(changes)


def places_dropped() -> bool:
    """Tell whether changes were dropped with the last sentence, until something is changed."""
    return bool(st.session_state.get(_DROPPED))


def interventions() -> tuple[Intervention, ...]:
    """Return what the user changed in the model."""
    return tuple(st.session_state.get(_EDITS, ()))


def in_force(left_out: Iterable[Intervention]) -> tuple[Intervention, ...]:
    """Return the interventions that fit this model and sentence."""
    misfit = set(left_out)
    return tuple(one for one in interventions() if one not in misfit)


def refused() -> tuple[str, ...]:
    """Return the pieces of the link that say nothing, until something is changed."""
    return tuple(st.session_state.get(_REFUSED, ()))


def set_interventions(changed: Iterable[Intervention]) -> None:
    """Replace what is changed in the model; for callbacks, which run before the page."""
    st.session_state[_EDITS], st.session_state[_REFUSED] = tuple(dict.fromkeys(changed)), ()
    st.session_state[_DROPPED] = False


def remove_interventions(removed: Iterable[Intervention]) -> None:
    """Undo some of the changes."""
    gone = set(removed)
    set_interventions(one for one in interventions() if one not in gone)


def shown_head(config: Config, first: View | None = None) -> View:
    """Return the chosen head, else `first`, else that on which the sentence opens.

    A link may name a head in part: what it leaves out is the first of its kind.
    The model must have attention of some kind: see `kinds_of`.
    """
    chosen, kinds = focus.current(), kinds_of(config)
    kind = chosen.kind or kinds[0]
    if chosen.names_head and kind in kinds:
        layer = min(chosen.layer or 0, layers_of(kind, config) - 1)
        return View(kind, layer, min(chosen.head or 0, heads_of(config) - 1))
    if first:
        return first
    opening = focus.opening()
    return View(opening.kind, *opening.head(opening.kind))


def attention_controls(
    config: Config, first: View | None = None, shares: Shares | None = None
) -> View:
    """Draw the boards on which a head is chosen and return the chosen one; see `shown_head`.

    `shares` colour the heads.
    """
    _say_refused()
    view = shown_head(config, first)

    def choose(kind: Kind, layer: int | None, head: int | None) -> None:
        """Take what was pressed; another kind begins where the sentence opens, until one is."""
        if layer is not None and head is not None:
            show_head(View(kind, layer, head))
        elif focus.current().names_head:
            layer = min(view.layer, layers_of(kind, config) - 1)
            show_head(View(kind, layer, view.head))
        else:
            show_head(View(kind, *focus.opening().head(kind)))

    layers: dict[Kind, int] = {kind: layers_of(kind, config) for kind in kinds_of(config)}
    with st.container(
        horizontal=True, gap="medium", vertical_alignment="center", key="head choice"
    ):
        chosen = view.kind, view.layer, view.head
        head_picker(layers, heads_of(config), chosen, choose, shares=shares)
        if isinstance(config, ModelConfig):
            head_links(view.kind, view.layer, view.head, written_interventions())
    return view


def show_head(view: View) -> None:
    """Choose a head on all pages; for callbacks."""
    focus.choose(replace(focus.current(), kind=view.kind, layer=view.layer, head=view.head))


def _say_refused() -> None:
    """Say once what the link asks for and this model has not."""
    names = {"kind": _("attention"), "layer": _("layer"), "head": _("head")}
    for name, text in focus.refused():
        say_refused(names[name], text)


def say_refused(choice: str, asked: str) -> None:
    """Say that this model does not have the choice (its name on screen) that a link asks for."""
    st.toast(
        _("This link asks for {choice} {asked}, which this model does not have.").format(
            choice=choice, asked=escaped(asked[:40])
        ),
        icon=":material/link_off:",
    )
