"""The views of the encoding of positions: some dimensions as curves, and the whole table."""

import numpy as np
import streamlit as st

from model.recording.recording import Recording
from model.results import Run
from model.transformer.config import ModelConfig
from viz.figures.figure import show_figure
from viz.figures.labels import Number
from viz.language.text import _
from viz.link import address
from viz.pages.positions import formulas
from viz.pages.positions.clocks import clocks, pack
from viz.pages.positions.heatmap import table_heatmap
from viz.pages.positions.settings import BASES, LAYOUTS, Settings, facts, settings
from viz.pages.positions.table import (
    layout_differences,
    sinusoids,
    wavelengths,
)
from viz.shell import state
from viz.shell.finding import say

MOST_CURVES, BLOCK = 8, 16


def choose_dimensions(width: int) -> list[int]:
    """Draw the choice of dimensions, limited to this width; return the chosen dimensions."""
    options = [str(number) for number in range(width)]
    pair = width // 16
    default = [str(2 * pair * number + extra) for number in (0, 1, 3) for extra in (0, 1)]
    held = st.session_state.get("dimensions", default)
    if not set(held) <= set(options):
        held = [dimension for dimension in held if dimension in options] or default
        st.session_state["dimensions"] = held
        default = None  # Streamlit accepts only one of value and default
    with st.container(key="choices curves"):
        picked = st.multiselect(
            _("Dimensions"),
            options,
            default,
            key="dimensions",
            bind=address.BOUND,
            max_selections=MOST_CURVES,
        )
    return [int(dimension) for dimension in picked]


def show_curves(run: Run) -> None:
    """Draw some pairs of dimensions as curves over the positions, and as hands of clocks."""
    picture = st.container()  # the picture comes first; its choices are below it
    chosen = settings(run)
    dimensions = choose_dimensions(chosen.width)
    used = min(chosen.length, len(run.recording.source_tokens))
    with picture:
        say(
            _(
                "Each position has a vector of its own: {count} pairs turn like hands of "
                "clocks, fast and slow."
            ).format(count=chosen.width // 2)
        )
        added = _adds(run.recording, chosen)
        clocks(pack(dimensions, chosen, run.recording.source_tokens, added=added))
    facts(chosen)
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "The encoder's attention looks at a set: without help it cannot tell the first "
                "piece from the last. (The decoder's mask alone carries some order: a later "
                "position sees more.) So every position gets a vector of sines and cosines, some "
                "fast, some slow, like the hands of many clocks. The grey part marks the first "
                "{count} positions, which the sentence uses. With these settings:"
            ).format(count=used)
        )
        st.latex(formulas.encoding(chosen.width, chosen.base, chosen.layout))
        st.latex(
            formulas.example(chosen.width, chosen.base, chosen.layout, used - 1, chosen.width // 8)
        )
        st.markdown(_of_the_base(chosen.width) + " " + of_the_model(run.recording.config))


def _adds(recording: Recording, chosen: Settings) -> bool:
    """Return True if the model adds the rows of this table to the pieces that it reads."""
    positions = recording["encoder.positions"][: chosen.length]
    table = chosen.table()[: len(positions)]
    return table.shape == positions.shape and np.allclose(positions, table, atol=1e-4)


def _of_the_base(width: int) -> str:
    """Say what the smallest base on offer does to the clocks of an encoding of this width."""
    return _(
        "A smaller **base** makes every clock but the first faster: with {base} even the slowest "
        "comes round after {longest:.0f} positions."
    ).format(base=BASES[0], longest=wavelengths(width, BASES[0])[-1])


def of_the_model(config: ModelConfig) -> str:
    """Say which encoding the model in force has."""
    sentence = {
        "sinusoid": _("The model on these pages uses 10000, {width} dimensions, {layout}."),
        "joined": _(
            "The model on these pages has sines and cosines in {own} of its {width} dimensions, "
            "and its embeddings in the others."
        ),
        "learned": _("The model on these pages has learned a vector for each position instead."),
        "rotary": _("The model on these pages turns its queries and keys by such angles instead."),
    }[config.positions]
    own = config.d_model - config.d_embedding
    return sentence.format(width=config.d_model, own=own, layout=_(config.variant.layout))


def show_heatmap(run: Run) -> None:
    """Draw the whole table, in one layout or in both."""
    chosen = settings(run)
    both = st.toggle(_("Both layouts side by side"), key="both", bind=address.BOUND)
    shown = LAYOUTS if both else (chosen.layout,)
    tables = [
        sinusoids(np.arange(chosen.length), chosen.width, chosen.base, layout) for layout in shown
    ]
    sentence = len(run.recording.source_tokens)
    titles = [_(layout) for layout in shown]
    show_figure(table_heatmap(tables, titles, sentence, state.current_theme()), "table-picture")
    facts(chosen)
    same, products = layout_differences(chosen.length, chosen.width, chosen.base)
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "Each row is the encoding of a position: {rows} × {columns} numbers from "
                "\u22121 to 1."
            ).format(rows=chosen.length, columns=chosen.width)
            + " "
            + (
                _("The sentence reaches down to the dashed line.")
                if sentence < chosen.length
                else _("The sentence reaches over all of them.")
            )
        )
        st.latex(formulas.encoding(chosen.width, chosen.base, chosen.layout))
        st.markdown(
            _(
                "The paper **interleaves** sines and cosines. Other libraries (tensor2tensor, "
                "Marian) put all sines in the first half and all cosines in the second: the same "
                "columns in another order (largest difference after sorting: {same:.0e}; of the "
                "dot products: {products:.0e}). Weights learnt with one layout do not fit the "
                "other; whether training does as well with either was not tested here."
            ).format(same=Number(same), products=Number(products))
        )
