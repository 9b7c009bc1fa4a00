"""The sentence in the box, the theme, and the head on screen.

Layers and heads count from 1 in widgets and links, and from 0 in `Head`.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.recording.recording import Recording
from model.sites.sites import Head, Kind
from model.transformer.config import ModelConfig
from viz.components.head_links import head_links
from viz.components.head_picker import Boards, Shares, head_picker
from viz.components.miniatures import Miniatures, miniatures
from viz.compute import examples
from viz.figures.labels import head_text
from viz.figures.theme import DARK, LIGHT, Theme
from viz.language.text import _
from viz.language.wording import escaped
from viz.link import edits, focus
from viz.link.focus import Config
from viz.link.offers import head_offers
from viz.shell.off_heads import off_heads

Looks = Mapping[Kind, NDArray[np.floating]]
"""The weights by kind of attention, each array of shape (layer, head, query, key)."""


def head_name(view: Head) -> str:
    """Return a head's name on screen: head 6 of layer 5 is "cross 5.6" in English."""
    return head_text(view.kind, view.layer, view.head)


def current_theme() -> Theme:
    """Return the theme that the browser shows."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def first_sentence() -> str:
    """Return the sentence of an untouched box: the model's first example, "" if it has none."""
    return next(iter(examples.current().texts), "")


def sentence() -> str:
    """Return the sentence in the box."""
    return str(st.session_state.get("sentence", first_sentence()) or "")


def open_page_state(page: str) -> None:
    """Read focus and interventions from the link when it counts, and keep the link up to date."""
    focus.open_focus(sentence(), page)
    edits.open_edits(sentence())


def shown_head(config: Config, first: Head | None = None) -> Head:
    """Return the chosen head, or else `first`, or else the one on which the sentence opens.

    A link may leave out the layer or the head; it is then the first one. The model must have
    attention of some kind.
    """
    chosen, kinds = focus.current(), config.kinds
    kind = chosen.kind or kinds[0]
    if chosen.names_head and kind in kinds:
        layer = min(chosen.layer or 0, config.layers(kind) - 1)
        return Head(kind, layer, min(chosen.head or 0, config.heads - 1))
    if first:
        return first
    opening = focus.opening()
    return Head(opening.kind, *opening.head(opening.kind))


def attention_controls(
    recording: Recording,
    first: Head | None = None,
    shares: Shares | None = None,
    folded: bool = True,
) -> Head:
    """Draw the boards on which a head is chosen, for a recording; see `head_controls`."""
    return head_controls(recording.made_by, attention_of(recording), first, shares, folded)


def attention_of(recording: Recording) -> Looks:
    """Return the weights of every kind of attention that a recording has."""
    return {kind: recording.attention(kind) for kind in recording.made_by.kinds}


def miniatures_of(recording: Recording) -> Miniatures:
    """Draw the miniatures of all heads of a recording."""
    return miniatures(attention_of(recording), current_theme().sequential)


def head_controls(
    config: Config,
    looks: Looks,
    first: Head | None = None,
    shares: Shares | None = None,
    folded: bool = True,
) -> Head:
    """Draw the boards on which a head is chosen, and return the chosen head; see `shown_head`.

    The picture of each head is drawn from its weights in `looks`; `shares` set the frames around
    the heads. `folded` boards take one line until they are opened; others are as wide as the page.
    """
    _say_refused()
    view = shown_head(config, first)

    def choose(kind: Kind, layer: int | None, head: int | None) -> None:
        """Take a pressed head, or kind: that keeps the layer and head if some are chosen."""
        if layer is not None and head is not None:
            show_head(Head(kind, layer, head))
        elif focus.current().names_head:
            layer = min(view.layer, config.layers(kind) - 1)
            show_head(Head(kind, layer, view.head))
        else:
            show_head(Head(kind, *focus.opening().head(kind)))

    layers: dict[Kind, int] = {kind: config.layers(kind) for kind in config.kinds}
    with st.container(
        horizontal=folded,
        gap="medium" if folded else "xsmall",
        vertical_alignment="center" if folded else "top",
        key="head choice",
    ):
        chosen = view.kind, view.layer, view.head
        boards = Boards(
            layers,
            config.heads,
            chosen,
            shares=shares,
            pictures=miniatures(looks, current_theme().sequential),
            folded=folded,
            off=off_heads(edits.interventions(), config)
            if isinstance(config, ModelConfig)
            else None,
        )
        head_picker(boards, choose)
        if isinstance(config, ModelConfig):
            head_links(view.kind, view.layer, view.head, head_offers())
    return view


def show_head(view: Head) -> None:
    """Choose a head on all pages; call it in a callback."""
    focus.choose(replace(focus.current(), kind=view.kind, layer=view.layer, head=view.head))


def _say_refused() -> None:
    """Say once which parts of the link's head this model does not have."""
    names = {"kind": _("attention"), "layer": _("layer"), "head": _("head")}
    for name, value in focus.refused():
        say_refused(names[name], value)


def say_refused(choice: str, asked: str) -> None:
    """Say that a link asks for something that this model does not have.

    `choice` is the name on screen of what is chosen, such as "layer"; `asked` is the link's value.
    """
    st.toast(
        _("This link asks for {choice} {asked}, which this model does not have.").format(
            choice=choice, asked=escaped(asked[:40])
        ),
        icon=":material/link_off:",
    )
