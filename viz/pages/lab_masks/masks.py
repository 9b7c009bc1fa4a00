"""Masks: who may look at whom, read from the interventions, changed and measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from model.interventions.base import Intervention
from model.interventions.masks import BlockAttention, HideSource, InvertMask, LiftMask
from model.recording.recording import Recording
from model.sites.sites import Head, Kind, attention_site, mask_site
from model.words import Span, is_mute, words_of
from viz.compute.effects import Effect
from viz.language.text import _
from viz.link import edits
from viz.pages.lab_masks.mask_board import Links, Stroke

LookAhead = Literal["trained", "lifted", "inverted"]
"""What is done with the look-ahead mask: nothing, or one of its two changes."""


@dataclass(frozen=True)
class Word:
    """A word of the source; `span` holds its first and its last piece."""

    text: str
    span: Span


def words(tokens: Sequence[str]) -> list[Word]:
    """List the words and punctuation marks of a source, without special tokens."""
    return [
        Word(word.text, (word.first, word.last))
        for word in words_of(tokens)
        if not is_mute(tokens[word.first])
    ]


def look_ahead_names() -> dict[LookAhead, str]:
    """Return the texts of what can be done with the look-ahead mask."""
    return {"trained": _("as trained"), "lifted": _("lifted"), "inverted": _("turned round")}


def look_ahead(interventions: Sequence[Intervention]) -> LookAhead:
    """Return what is done with the look-ahead mask."""
    if InvertMask() in interventions:
        return "inverted"
    return "lifted" if LiftMask("decoder") in interventions else "trained"


def with_look_ahead(
    interventions: Sequence[Intervention], chosen: LookAhead
) -> tuple[Intervention, ...]:
    """Return the interventions with only this done to the look-ahead mask."""
    lift, invert = LiftMask("decoder"), InvertMask()
    others = tuple(one for one in interventions if one not in (lift, invert))
    return (*others, *{"trained": (), "lifted": (lift,), "inverted": (invert,)}[chosen])


def hidden_words(interventions: Sequence[Intervention], all_words: Sequence[Word]) -> list[int]:
    """Return the places of the words that are masked out."""
    spans = {(hide.first, hide.last) for hide in edits.of_kind(interventions, HideSource)}
    return [number for number, word in enumerate(all_words) if word.span in spans]


def links_of(recording: Recording, view: Head, interventions: Sequence[Intervention]) -> Links:
    """Return the links of a head in a recording, with the links that the user forbids."""
    queries, keys = recording.tokens(view.kind)
    weights = recording[attention_site(view.kind, view.layer, "weights")][view.head]
    forbidden = np.zeros(weights.shape, dtype=np.bool_)
    for link in edits.of_kind(interventions, BlockAttention):
        inside = link.query < len(queries) and link.key < len(keys)
        if inside and _concerns(link, view):
            forbidden[link.query, link.key] = True
    return Links(view.kind, queries, keys, weights, ~recording[mask_site(view.kind)], forbidden)


def hidden_now(effect: Effect, kind: Kind) -> NDArray[np.bool_] | None:
    """Return the links (query, key) of a kind that a change hides; None if it hides none.

    A padded sentence has other links: they do not compare.
    """
    before, after = effect.before.recording[mask_site(kind)], effect.forced[mask_site(kind)]
    hidden = before & ~after if before.shape == after.shape else np.zeros(0, dtype=np.bool_)
    return hidden if hidden.any() else None


def draw(
    interventions: Sequence[Intervention], stroke: Stroke, view: Head, scope: str
) -> tuple[Intervention, ...]:
    """Forbid the links of a stroke, or allow them again.

    The `scope` of a forbidden link is this "head", all heads of its "layer", or "all" layers.
    """
    if stroke.forbid:
        layer = None if scope == "all" else view.layer
        head = view.head if scope == "head" else None
        drawn = [BlockAttention(view.kind, *cell, layer, head) for cell in stroke.cells]
        return tuple(dict.fromkeys((*interventions, *drawn)))
    cells = set(stroke.cells)
    return tuple(
        one
        for one in interventions
        if not (
            isinstance(one, BlockAttention)
            and _concerns(one, view)
            and (one.query, one.key) in cells
        )
    )


def _concerns(one: BlockAttention, view: Head) -> bool:
    return (
        one.kind == view.kind and one.layer in (None, view.layer) and one.head in (None, view.head)
    )


def on_padding(recording: Recording, kind: Kind, pieces: int) -> NDArray[np.float64]:
    """Return the share of its attention that each head (L, H) gives to padding.

    `pieces` is the length of the source without padding. Queries that are padding do not count.
    """
    weights = recording.attention(kind).astype(np.float64)  # L H T S
    queries = pieces if kind == "encoder" else weights.shape[-2]
    return weights[:, :, :queries, pieces:].sum(axis=-1).mean(axis=-1)
