"""Positions: the sinusoids, what one can do with them, and the model when they are changed."""

from dataclasses import dataclass

import numpy as np
import streamlit as st
from plotly.graph_objects import Figure

from viz.compute.runs import Run
from viz.pages.positions import formulas
from viz.pages.positions.combine import combine, combine_figure, sizes
from viz.pages.positions.curves import curves_figure
from viz.pages.positions.heatmap import table_heatmap
from viz.pages.positions.moved import show_model
from viz.pages.positions.products import products_figure
from viz.pages.positions.shift import shift_figure
from viz.pages.positions.table import (
    Array,
    Layout,
    closest,
    corner,
    layout_differences,
    residuals,
    shift_map,
    sinusoids,
    wavelengths,
)
from viz.shared.text import _
from viz.shell import state
from viz.shell.header import open_page

LINK = "query-params"
LAYOUTS: tuple[Layout, ...] = ("interleaved", "two halves")
WIDTHS, BASES = (8, 16, 32, 64, 128, 256, 512), (100, 1000, 10000, 100000)
MOST_CURVES, BLOCK = 8, 16


@dataclass(frozen=True)
class Settings:
    """What the table of positions is made of."""

    base: float
    length: int
    width: int
    layout: Layout

    def table(self) -> Array:
        """Compute the table (length, width)."""
        return sinusoids(np.arange(self.length), self.width, self.base, self.layout)


def plot(figure: Figure, name: str) -> None:
    """Draw a figure over the whole width; under its own name, so that views do not mix."""
    st.plotly_chart(figure, theme=None, config={"displaylogo": False}, key=f"{name}-picture")


def settings(run: Run) -> Settings:
    """Draw the choice of base, length, width and layout in one row."""
    own = run.recording.config.d_model
    widths = sorted({*WIDTHS, own})
    columns = st.columns([2, 2, 2, 3])
    base = columns[0].select_slider(_("Base"), BASES, 10000, key="base", bind=LINK)
    length = columns[1].slider(_("Length"), 8, 256, 64, 8, key="length", bind=LINK)
    width = columns[2].select_slider(_("d_model"), widths, own, key="width", bind=LINK)
    names: dict[str, Layout] = {layout: layout for layout in LAYOUTS}
    layout = columns[3].segmented_control(
        _("Layout"), list(names), default=LAYOUTS[0], required=True, key="layout", bind=LINK
    )
    return Settings(float(base), length, int(width), names[layout])


def facts(chosen: Settings) -> None:
    """Say in one line what the settings do."""
    waves = wavelengths(chosen.width, chosen.base)
    apart, distance = closest(chosen.width, chosen.base, chosen.length)
    st.caption(
        _(
            "Waves from {shortest:.1f} to {longest:,.0f} positions long; {turned} of {pairs} "
            "pairs turn at least once within {length} positions. The two most alike positions "
            "are {apart} apart: their encodings, {norm:.2f} long, differ by {distance:.2f}."
        ).format(
            shortest=waves[0],
            longest=waves[-1],
            turned=int((waves <= chosen.length).sum()),
            pairs=len(waves),
            length=chosen.length,
            apart=apart,
            distance=distance,
            norm=np.sqrt(chosen.width / 2),
        )
    )


def choose_dimensions(width: int) -> list[int]:
    """Draw the choice of dimensions; those that this width has not are dropped."""
    options = [str(number) for number in range(width)]
    pair = width // 16
    default = [str(2 * pair * number + extra) for number in (0, 1, 3) for extra in (0, 1)]
    kept = [one for one in st.session_state.get("dimensions", default) if one in options]
    st.session_state["dimensions"] = kept or default
    picked = st.multiselect(
        _("Dimensions"), options, key="dimensions", bind=LINK, max_selections=MOST_CURVES
    )
    return [int(one) for one in picked]


def show_curves(run: Run) -> None:
    """Show some dimensions as curves over the positions."""
    chosen = settings(run)
    dimensions = choose_dimensions(chosen.width)
    sentence = len(run.recording.source_tokens)
    shape = chosen.length, chosen.width, chosen.base, chosen.layout
    plot(curves_figure(dimensions, *shape, sentence, state.current_theme()), "curves")
    facts(chosen)
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "Attention looks at a set: without help it cannot tell the first piece from the "
                "last. So every position gets a vector of sines and cosines, some fast, some slow, "
                "like the hands of many clocks. The grey part marks the {count} positions that "
                "the English sentence uses. With these settings:"
            ).format(count=sentence)
        )
        st.latex(formulas.encoding(chosen.width, chosen.base, chosen.layout))
        st.latex(
            formulas.example(
                chosen.width, chosen.base, chosen.layout, sentence - 1, chosen.width // 8
            )
        )
        st.markdown(
            _(
                "A smaller **base** makes all clocks faster: with 100 even the slowest comes round "
                "after some 600 positions. The model on these pages uses 10000, {width} "
                "dimensions and the interleaved layout."
            ).format(width=run.recording.config.d_model)
        )


def show_heatmap(run: Run) -> None:
    """Show the whole table, in one layout or in both."""
    chosen = settings(run)
    both = st.toggle(_("Both layouts side by side"), key="both", bind=LINK)
    shown = LAYOUTS if both else (chosen.layout,)
    tables = [
        sinusoids(np.arange(chosen.length), chosen.width, chosen.base, layout) for layout in shown
    ]
    sentence = len(run.recording.source_tokens)
    plot(table_heatmap(tables, shown, sentence, state.current_theme()), "table")
    facts(chosen)
    same, products = layout_differences(chosen.length, chosen.width, chosen.base)
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "Each row is what is added to the piece at that position: {rows} x {columns} "
                "numbers from -1 to 1. The English sentence uses the rows above the dashed line."
            ).format(rows=chosen.length, columns=chosen.width)
        )
        st.latex(formulas.encoding(chosen.width, chosen.base, chosen.layout))
        st.markdown(
            _(
                "The paper **interleaves** sines and cosines. Other libraries (tensor2tensor, "
                "Marian) put all sines in the first half and all cosines in the second: the same "
                "columns in another order (largest difference after sorting: {same:.0e}; of the "
                "dot products: {products:.0e}). Training does as well with either, but "
                "weights learnt with one layout do not fit the other."
            ).format(same=same, products=products)
        )


def show_products(run: Run) -> None:
    """Show how alike a position is to those around it."""
    chosen = settings(run)
    position = st.slider(
        _("Position p"),
        0,
        chosen.length - 1,
        min(8, chosen.length - 1),
        key="p",
        bind=LINK,
        width=320,
    )
    figure = products_figure(
        chosen.table(), position, chosen.base, chosen.length - 1, state.current_theme()
    )
    plot(figure, "products")
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "The dot product of two encodings says how alike they are. Move p: the dots stay "
                "on the same curve, as it depends on the distance k alone and not on p. It is "
                "symmetric, so it tells how far, not in which direction; W_Q and W_K can add that."
            )
        )
        st.latex(formulas.product(chosen.width, chosen.base, 3))


def show_shift(run: Run) -> None:
    """Show the matrix that moves every position on by k, and how exact it is."""
    chosen = settings(run)
    by = st.slider(_("Shift k"), -32, 32, 3, key="k", bind=LINK, width=320)
    matrix = shift_map(by, chosen.width, chosen.base, chosen.layout)
    table = sinusoids(np.arange(256), chosen.width, chosen.base, chosen.layout)
    positions, residual = residuals(table, matrix, by)
    unmoved = residuals(table, np.eye(chosen.width), by)[1]
    places = corner(chosen.width, chosen.layout, BLOCK)
    corner_of = matrix[np.ix_(places, places)]
    plot(
        shift_figure(corner_of, places, positions, residual, unmoved, state.current_theme()),
        "shift",
    )
    st.caption(
        _(
            "One matrix for all {count} positions: the largest difference anywhere is {worst:.1e}."
        ).format(count=len(positions), worst=float(residual.max(initial=0)))
    )
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "Moving on by k turns each pair of dimensions by its own angle, whatever p is. So "
                "there is one matrix M, the same for every p, with M PE(p) = PE(p + k): a linear "
                "layer such as W_Q can learn to look k pieces back. The left picture shows "
                "its first {count} dimensions; everything else off the blocks is 0."
            ).format(count=len(places))
        )
        st.latex(formulas.rotation(by, chosen.width, chosen.base, chosen.width // 8))


def show_combination(run: Run) -> None:
    """Compare adding the position with concatenating it, on this sentence."""
    recording = run.recording
    combined = combine(recording["encoder.embedding"], recording["encoder.positions"])
    added, joined = sizes(recording.config.d_model, recording.config.d_model)
    plot(combine_figure(combined, recording.source_tokens, state.current_theme()), "combination")
    st.markdown(
        _(
            "| | width | weights of W_Q, W_K, W_V in layer 1 |\n|---|---:|---:|\n"
            "| **added** | {added.width} | {added.weights:,} |\n"
            "| **concatenated** | {joined.width} | {joined.weights:,} |"
        ).format(added=added, joined=joined)
    )
    angle = _("The cosine between an embedding and a position is {cross:.3f} in size, on average.")
    alike = _("Over all pairs of pieces the two pictures correlate to {correlation:.3f}.")
    defined = np.isfinite(combined.correlation)
    text = f"{alike} {angle}" if defined else angle
    st.caption(text.format(correlation=combined.correlation, cross=combined.cross))
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "How alike are the sentence's {count} pieces, as they enter the first layer? Left, "
                "when the position is **added** to the embedding, as this model does; right, when "
                "the two are **concatenated** instead. A matrix applied to a concatenation is two "
                "matrices, one for each part; adding makes them share one:"
            ).format(count=len(recording.source_tokens))
        )
        st.latex(formulas.concatenation())
        st.markdown(
            _(
                "So adding costs nothing in width, and takes away the freedom to treat the two "
                "apart. How much that costs shows in the cross terms: the nearer embeddings and "
                "positions are to right angles, the smaller. The average size of their "
                "cosine here is {cross:.2f}; of random directions in {width} dimensions it "
                "is {chance:.2f}."
            ).format(
                width=recording.config.d_model,
                cross=combined.cross,
                chance=np.sqrt(2 / (np.pi * recording.config.d_model)),
            )
        )
        st.latex(formulas.similarity())


VIEWS = {
    "curves": show_curves,
    "table": show_heatmap,
    "dot products": show_products,
    "shift by k": show_shift,
    "added or joined": show_combination,
    "the model": show_model,
}

opened = open_page(
    _("Positions"),
    _("Attention sees a set of pieces; sines and cosines added to them tell it their order."),
)
view = st.segmented_control(
    _("View"),
    list(VIEWS),
    default="curves",
    required=True,
    key="positions",
    bind=LINK,
    label_visibility="collapsed",
)
st.fragment(VIEWS[str(view)])(opened)  # a slider redraws its own view only
