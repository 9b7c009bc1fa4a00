"""What a pass costs: parameters and multiply-adds, for this sentence and for longer ones."""

import streamlit as st

from viz.compute.runs import Run
from viz.pages.layers.costs import Cost, Sizes, costs
from viz.pages.layers.growth import growth_figure
from viz.shared.figure import show_figure
from viz.shared.text import _
from viz.shell import state


def price(run: Run) -> None:
    """Count parameters and multiply-adds, and show how a layer's cost grows with n."""
    config, recording = run.recording.config, run.recording
    sizes = Sizes(
        config.d_model,
        config.d_ff,
        config.vocab_size,
        config.encoder_layers,
        config.decoder_layers,
        len(recording.source_tokens),
        len(recording.target_tokens),
    )
    st.subheader(_("What it costs"), anchor=False)
    _table(sizes, costs(sizes))
    _growth(sizes)


def _table(sizes: Sizes, found: tuple[Cost, ...]) -> None:
    """Write what every block costs, and all together."""
    st.markdown(
        _(
            "This sentence: S = {source} source and T = {target} target pieces; the model: "
            "d = {width}, F = {outer}, V = {vocabulary}. In all **{parameters}** parameters and "
            "**{operations}** multiply-adds for one pass."
        ).format(
            source=sizes.source,
            target=sizes.target,
            width=sizes.d_model,
            outer=sizes.d_ff,
            vocabulary=sizes.vocabulary,
            parameters=f"{sum(cost.parameters * cost.times for cost in found):,}",
            operations=f"{sum(cost.multiply_adds * cost.times for cost in found):,}",
        )
    )
    st.dataframe(
        {
            _("block"): [cost.block for cost in found],
            _("how many"): [cost.times for cost in found],
            _("parameters each"): [f"{cost.parameters:,}" for cost in found],
            _("multiply-adds each"): [f"{cost.multiply_adds:,}" for cost in found],
            _("as a formula"): [cost.formula for cost in found],
        },
        hide_index=True,
    )


def _growth(sizes: Sizes) -> None:
    """Draw how the cost of a layer grows with the length of the source."""
    kernel = int(
        st.segmented_control(
            _("Width k of the convolution"),
            ["3", "5", "9"],
            default="3",
            required=True,
            key="kernel",
            bind=state.LINK,
        )
    )
    figure = growth_figure(sizes.source, sizes.d_model, kernel, state.current_theme())
    show_figure(figure, "growth")
    st.caption(
        _(
            "As in table 1 of the paper, constants left out, both axes logarithmic. Attention "
            "costs less than recurrence as long as n is below d = {width}, and less than the "
            "convolution as long as n is below k d = {wide:,}."
        ).format(width=sizes.d_model, wide=kernel * sizes.d_model)
    )
