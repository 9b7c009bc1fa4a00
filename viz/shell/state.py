"""The view state: what the user chose, its widgets' keys and its form in the link.

Widgets bound to query parameters keep their value in the link and across pages. Layers and
heads are 1-based in widgets and links and 0-based in `View`.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitAPIException

from model.interventions.base import Intervention
from model.recording.sites import Kind, heads_of, kinds_of, layers_of
from model.recurrent.config import RecurrentConfig
from model.transformer.config import ModelConfig
from viz.shared.text import _
from viz.shared.theme import DARK, LIGHT, Theme
from viz.shared.wording import escaped
from viz.shell import intervention_link

EXAMPLES = {
    "too tired": "The animal didn't cross the street because it was too tired.",
    "too wide": "The animal didn't cross the street because it was too wide.",
    "the bank": "I arrived at the bank after crossing the river.",
    "the quick fox": "The quick brown fox jumps over the lazy dog.",
    "thinking machines": "Thinking machines",
}
"""The sentences everybody tries first, by a few words that name them."""

LINK = "query-params"
"""What binds a widget to the link: its value is read there and written there."""

_PLACE = "place"
_EDITS, _REFUSED = "edits", "refused edits"
_SENTENCE, _DROPPED = "sentence of the edits", "dropped edits"

FIRST_SENTENCE = EXAMPLES["too tired"]


@dataclass(frozen=True)
class View:
    """Which attention is on screen; layer and head are 0-based."""

    kind: Kind
    layer: int
    head: int


def kind_names() -> dict[Kind, str]:
    """Name the kinds of attention as users read them."""
    return {"encoder": _("Encoder"), "decoder": _("Decoder"), "cross": _("Cross")}


def head_name(view: View) -> str:
    """Name a head in short: "Cross 5.6" is head 6 of layer 5."""
    return f"{kind_names()[view.kind]} {view.layer + 1}.{view.head + 1}"


def place(view: View) -> str:
    """Name layer and head in words."""
    return _("layer {layer}, head {head}").format(layer=view.layer + 1, head=view.head + 1)


def head_title(view: View) -> str:
    """Name a head in full, for a title."""
    kind = _("{kind} attention").format(kind=kind_names()[view.kind])
    return f"{kind}, {place(view)}"


def on_screen(number: int) -> str:
    """Write a 0-based layer or head as users read it, from 1."""
    return str(number + 1)


def arrive(place: str, parameters: Iterable[tuple[str, str]] = ()) -> None:
    """Open a place whose link says everything, such as a scene; earlier choices are forgotten.

    Streamlit drops from a link what widgets of the page before had bound, although the new page may
    have the same: what is missing of `parameters` is put back, and the script begins again.
    """
    if not place or st.session_state.get(_PLACE) == place:
        st.session_state[_PLACE] = place
        return
    st.session_state.clear()
    st.session_state[_PLACE] = place
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


def sentence() -> str:
    """Return the sentence in the box."""
    return str(st.session_state.get("sentence", FIRST_SENTENCE) or "")


def open_interventions() -> None:
    """Read the interventions of the link when a session begins, and keep the link up to date.

    A rerun may carry the link of a moment ago, so only the first one counts. What names pieces of
    a sentence goes with it.
    """
    if _EDITS not in st.session_state:
        parsed = intervention_link.read(st.query_params.get(_EDITS, ""))
        st.session_state[_EDITS], st.session_state[_REFUSED] = (
            parsed.interventions,
            parsed.refused,
        )
    elif st.session_state.get(_SENTENCE) != sentence():
        _drop_places()
    st.session_state[_SENTENCE] = sentence()
    write_interventions()


def write_interventions() -> None:
    """Let the link say what is changed in the model."""
    text = intervention_link.write(interventions())
    if text:
        if st.query_params.get(_EDITS) != text:
            st.query_params[_EDITS] = text
    elif _EDITS in st.query_params:
        del st.query_params[_EDITS]


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


def attention_controls(config: ModelConfig | RecurrentConfig) -> View:
    """Draw the choice of kind, layer and head in one row and return it.

    The model must have attention of some kind: see `kinds_of`.
    """
    row = st.container(horizontal=True, gap="medium")
    kinds: dict[str, Kind] = {str(kind): kind for kind in kinds_of(config)}
    kind = kinds[_choice(row, _("Attention"), list(kinds), "kind")]
    layers = [on_screen(layer) for layer in range(layers_of(kind, config))]
    heads = [on_screen(head) for head in range(heads_of(config))]
    layer = _choice(row, _("Layer"), layers, "layer")
    head = _choice(row, _("Head"), heads, "head")
    return View(kind, int(layer) - 1, int(head) - 1)


def show_head(view: View) -> None:
    """Choose what `attention_controls` shows; for callbacks."""
    st.session_state["kind"] = str(view.kind)
    st.session_state["layer"] = on_screen(view.layer)
    st.session_state["head"] = on_screen(view.head)


def start_at(view: View, place: str) -> None:
    """Show a head when a place is first seen, unless the link names one."""
    key = f"started {place}"
    if not st.session_state.get(key) and not {"kind", "layer", "head"} & set(st.query_params):
        show_head(view)
    st.session_state[key] = True


def _choice(row: DeltaGenerator, label: str, options: list[str], key: str) -> str:
    """Draw one choice. Its options stand in the link as they are, whatever the language."""
    asked = st.query_params.get(key, options[0])
    if st.session_state.get(key, options[0]) not in options:  # another model's
        del st.session_state[key]
    if asked not in options:
        st.toast(
            _("This link asks for {choice} {asked}, which this model does not have.").format(
                choice=label.lower(), asked=escaped(asked[:40])
            ),
            icon=":material/link_off:",
        )
    return row.segmented_control(
        label, options, default=options[0], required=True, key=key, bind=LINK
    )
