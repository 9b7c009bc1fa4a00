"""A model on a sentence, the choice of its head, and its alignment."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from model.recording.recording import Recording
from model.results import Run
from model.sites.sites import Head, Kind
from model.transformer.config import ModelConfig
from model.words import SPECIAL_TOKENS, words_changed
from viz.components.alignments import Panel
from viz.components.head_links import head_links
from viz.components.head_picker import Boards, head_picker
from viz.components.miniatures import miniatures
from viz.compute import ancestors, examples, models, runs
from viz.figures.theme import token_text
from viz.language.text import _, _n
from viz.language.wording import escaped, in_a_row
from viz.link import address, edits, focus
from viz.link.choice import choose_one
from viz.link.offers import head_offers, other_head_offers
from viz.link.table import parameter
from viz.pages.two_models.verdict import is_most, shares, verdict
from viz.shell import state
from viz.shell.chooser import no_attention, why_not
from viz.shell.heavy import shown
from viz.shell.model_names import model_name
from viz.shell.off_heads import off_heads

OWN, OTHER = "head_1", "head_2"
"""The parameters of both heads in a link; the first is left out while it is all pages' head."""

MOST_NAMED = 3
"""The most words of a difference between two translations that are named."""

_HEAD = parameter(OWN, "two_models")


@dataclass(frozen=True, eq=False)
class ModelRun:
    """A model's name and its run of the sentence."""

    name: str
    run: Run


def choose_other(name: str, row: DeltaGenerator) -> str | None:
    """Draw the choice of the other model in a row and return it; None if there is no other model.

    Models of other languages are left out, but models of unknown languages are offered.
    """
    own = examples.of(name)
    known = {other: examples.of(other) for other in models.folders() if other != name}
    same = (own.source, own.target), ("", "")
    others = [
        other for other, languages in known.items() if (languages.source, languages.target) in same
    ]
    if not own.source:
        others = list(known)
    if not others:
        return None
    label = _("{name}, beside it:").format(name=escaped(model_name(name)))
    names = {other: model_name(other) for other in others}
    return choose_one(label, names, "beside", row=row, menu=True, quoted=True)


def beside(name: str, sentence: str) -> ModelRun | None:
    """Run the other model; if it cannot be opened, say so on the page and return None."""
    with models.using(name):
        if why := why_not():
            st.info(why)
            return None
        with shown(_("Translating with the other model")):
            return ModelRun(name, runs.run(sentence))


def alignment_of(side: ModelRun, target: str | None, key: str) -> Panel:
    """Draw the choice of a head, and return its alignment.

    The rows are the model's own translation, or a given `target`.
    """
    with models.using(side.name):
        recording = side.run.recording
        if target is not None:
            recording = runs.recorded(side.run.source.text, target)
        config = recording.made_by
        best = ancestors.best_aligned()
    translation, name = side.run.translation.text, model_name(side.name)
    keys = recording.source_tokens
    tokens = recording.target_tokens, keys
    sizes = config.layers("cross"), config.heads
    if not sizes[0]:
        return Panel(name, translation, *tokens, None, no_attention())
    # A separate row: all of a layer's heads, and what the head offers, need the page's width.
    with st.container(
        horizontal=True, gap="medium", vertical_alignment="center", key=f"{key} choice"
    ):
        chosen = _choose_head(side.name, recording, best, key)
    looks = recording.attention("cross")
    weights = looks.mean(axis=(0, 1), dtype=np.float32) if chosen is None else looks[chosen]
    off = chosen is not None and key == OWN and edits.is_off(Head("cross", *chosen))
    note = _("Its best aligned head, as measured.") if chosen and chosen == best else ""
    if off:
        note = _("Switched off: what it looks at adds nothing.")
    if chosen and sizes != (1, 1):
        name = _("{name}, cross {head}").format(name=name, head=_HEAD.form.write(chosen))
    measured = _measured(weights, keys)
    return Panel(name, translation, *tokens, weights, note, measured, verdict(weights).column, off)


def _measured(weights: NDArray[np.floating], keys: Sequence[str]) -> str:
    """Say how much of a row lies on its best piece and on the end; "" without an end token."""
    if not _is_ended(keys):
        return ""
    best, end = shares(weights)
    return _("best piece {best} · {key} {end}").format(
        best=f"{best:.0%}", key=keys[-1], end=f"{end:.0%}"
    )


def finding(panels: Sequence[Panel]) -> str:
    """Say for each model, in a sentence of Markdown, where its rows look most."""
    return in_a_row(_pattern(panel) for panel in panels)


def written(first: Panel, second: Panel) -> str:
    """Say in which words two models' translations differ, or in how many if these are many."""
    if first.translation == second.translation:
        return _("Both write the same.")
    one, other = (panel.translation.rstrip(".").split() for panel in (first, second))
    parts = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    apart = [(one[a:b], other[c:d]) for tag, a, b, c, d in parts if tag != "equal"]
    sides = [[" ".join(words) for words in side] for side in zip(*apart, strict=True)]
    if all(all(side) and len(" ".join(side).split()) <= MOST_NAMED for side in sides):
        named = (escaped(" … ".join(side)) for side in sides)
        return _("Where one writes *{}*, the other writes *{}*.").format(*named)
    count = words_changed(first.translation, second.translation)
    return _n("They differ in {count} word.", "They differ in {count} words.", count).format(
        count=count
    )


def _pattern(panel: Panel) -> str:
    name = escaped(panel.title)
    if panel.weights is None:
        return _("**{name}**: no attention.").format(name=name)
    if panel.off:
        return _("**{name}**: switched off.").format(name=name)
    ended = _is_ended(panel.keys)
    judged = verdict(panel.weights, ended)
    named = panel.keys[-1 if judged.column is None else judged.column]
    if judged.pattern == "sharp":
        sentence = _("**{name}**: each row gives {share} to one piece.")
    elif judged.pattern == "end":
        sentence = _(
            "**{name}**: each row gives {share} to one piece, {end} to **{key}**, the end."
        )
    elif judged.pattern == "spread" and ended:
        sentence = _(
            "**{name}**: each row looks at several pieces (the best has {share}, {key} {end})."
        )
    elif judged.pattern == "spread":
        sentence = _("**{name}**: each row looks at several pieces (the best has {share}).")
    elif not is_most(judged.share):
        sentence = _("**{name}**: more for **{key}** ({share}) than for any other piece.")
    elif named == SPECIAL_TOKENS[2]:
        sentence = _("**{name}**: {share} for **{key}**, the end.")
    else:
        sentence = _("**{name}**: {share} for **{key}**.")
    return sentence.format(
        name=name,
        key=escaped(token_text(named)),
        share=f"{judged.share:.0%}",
        end=f"{panel.weights[:, -1].mean():.0%}",
    )


def _is_ended(keys: Sequence[str]) -> bool:
    return len(keys) > 1 and keys[-1] == SPECIAL_TOKENS[2]


def _choose_head(
    name: str, recording: Recording, best: tuple[int, int] | None, key: str
) -> tuple[int, int] | None:
    """Draw the heads of a named model; return the chosen layer and head, or None for the mean.

    At first it is the head of all pages (for the model in force), else the best aligned head, else
    the mean. The link holds another choice as `key`; if the model lacks it, a notice says so.
    """
    looks = recording.attention("cross")
    sizes: tuple[int, int] = looks.shape[0], looks.shape[1]
    if sizes == (1, 1):
        return 0, 0
    asked = address.held(key, lambda: address.parameters().get(key, ""))
    known, is_mean = _read(asked, sizes), asked == _HEAD.form.write(None)
    if asked and not known and not is_mean:
        state.say_refused(_("head"), asked)

    def choose(_kind: Kind, layer: int | None, head: int | None) -> None:
        if layer is None or head is None:
            st.session_state[key] = _HEAD.form.write(None)
        elif key == OWN:
            st.session_state[key] = ""
            state.show_head(Head("cross", layer, head))
        else:
            st.session_state[key] = _HEAD.form.write((layer, head))

    if known and key == OWN:
        choose("cross", *known)
    first = (key == OWN and _in_focus(sizes)) or best
    chosen = None if is_mean else known or first

    layer, head = chosen or (None, None)
    picked = ("cross", layer, head)
    pictures = miniatures({"cross": looks}, state.current_theme().sequential)
    boards = Boards(
        {"cross": sizes[0]},
        sizes[1],
        picked,
        mean=True,
        pictures=pictures,
        folded=True,
        label=model_name(name),
        off=off_heads(recording.interventions, recording.made_by)
        if isinstance(recording.made_by, ModelConfig)
        else None,
    )
    head_picker(boards, choose, f"{key} picker")
    if chosen and isinstance(recording.made_by, ModelConfig):
        offers = head_offers() if key == OWN else other_head_offers(name)
        head_links("cross", *chosen, offers, f"{key} links")
    st.session_state[key] = "" if chosen == first else _HEAD.form.write(chosen)
    address.put({key: st.session_state[key]})
    return chosen


def _in_focus(sizes: tuple[int, int]) -> tuple[int, int] | None:
    """Return the layer and head of cross-attention chosen on any page, if the model has them."""
    now = focus.current()
    if now.kind != "cross" or now.layer is None or now.head is None:
        return None
    return (now.layer, now.head) if now.layer < sizes[0] and now.head < sizes[1] else None


def _read(value: str, sizes: tuple[int, int]) -> tuple[int, int] | None:
    """Read "5.6" as a layer and head, from 0; None if the model has no such head."""
    head = _HEAD.sense(value)
    return head if head and head[0] < sizes[0] and head[1] < sizes[1] else None
