"""The view of the same blocks under other masks: encoder only, decoder only, and both."""

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.results import Run
from viz.compute import prefixes
from viz.figures.figure import show_figure
from viz.figures.labels import Number
from viz.language.text import _
from viz.pages.layers.families import (
    FAMILIES,
    HIDDEN,
    Family,
    Masks,
    block_parameters,
    cells,
)
from viz.pages.layers.families_figure import families_figure
from viz.shell import state

FEWEST = 2
"""The fewest pieces that count as the beginning of a sentence."""


def masked_families(run: Run) -> None:
    """Draw the three masks over this sentence, with their costs and uses."""
    recording = run.recording
    st.markdown(
        _(
            "All three are built of the same parts; what differs is who may look at whom, and that "
            "the decoder of an encoder-decoder has cross-attention, too. Here the first is drawn "
            "over the pieces of this sentence, and the others over those of its translation, too."
        )
    )
    masks = Masks(
        recording["encoder.mask"], recording["decoder.mask"], recording["decoder.cross_mask"]
    )
    shown: dict[Family, NDArray[np.int64]] = {family: cells(family, masks) for family in FAMILIES}
    tokens = [*recording.source_tokens, *recording.target_tokens]
    figure = families_figure(shown, _names(), tokens, state.current_theme())
    show_figure(figure, "families", tools=False, wide=True)
    config = recording.config
    built = {
        "encoder": _("BERT, RoBERTa: read a text, do not write"),
        "decoder": _("GPT, Llama, Qwen: read and write one text"),
        "both": _("the paper, T5, BART, Marian, this model: read one text, write another"),
    }
    lines = [_("| | links seen in a layer | parameters a layer | used by |"), "|---|---|---|---|"]
    for family, name in _names().items():
        seen = int((shown[family] != HIDDEN).sum())
        parameters = block_parameters(family, config.d_model, config.d_ff)
        lines.append(f"| {name} | {seen:,} | {parameters:,} | {built[family]} |")
    st.markdown("\n".join(lines))
    _prefix(run)


def _names() -> dict[Family, str]:
    return {
        "encoder": _("encoder only"),
        "decoder": _("decoder only"),
        "both": _("encoder and decoder"),
    }


def _prefix(run: Run) -> None:
    """Write how far the vectors of a sentence's beginning move when its end is added."""
    first = max(FEWEST, len(run.source.ids) // 2)
    if first >= len(run.source.ids):
        return
    free, masked = prefixes.changes(run.source.text, first)
    st.markdown(
        _(
            "**Tried**: this model's encoder reads the first {first} pieces, then all {all}. Under "
            "its own mask the vectors of the first pieces move by **{free:.0%}** of their length; "
            "under a decoder's mask by **{masked}**. So a decoder can keep what it has computed "
            "when a piece is added, and an encoder reads everything anew."
        ).format(
            first=first,
            all=len(run.source.ids),
            free=free,
            masked=f"{Number(masked):.0e}" if masked else "0",
        )
    )
