"""The cost of a pass: parameters and multiply-adds, for this and for longer sentences."""

from collections.abc import Sequence

import streamlit as st

from model.results import Run
from viz.figures.figure import show_figure
from viz.figures.table import show_table
from viz.language.text import _
from viz.language.wording import listed
from viz.link.choice import choose_one
from viz.pages.layers.costs import Cost, Sizes, costs, table_one
from viz.pages.layers.growth import growth_figure
from viz.shell import state
from viz.shell.finding import say


def price(run: Run) -> None:
    """Write parameters and multiply-adds, and draw how the terms of table 1 grow with n."""
    config, recording = run.recording.config, run.recording
    sizes = Sizes(config, len(recording.source_tokens), len(recording.target_tokens))
    blocks = costs(sizes)
    say(finding(blocks))
    _table(sizes, blocks)
    kernel = _kernel()
    _table_one(sizes, blocks, kernel)
    _growth(sizes, kernel)


def finding(blocks: Sequence[Cost]) -> str:
    """Say which kind of block takes most of the multiply-adds; several may take as many."""
    taken = [cost.multiply_adds * cost.times for cost in blocks]
    whole, most = sum(taken), max(taken)
    names = [cost.block for cost, adds in zip(blocks, taken, strict=True) if adds == most]
    sentence = (
        _("What costs most? **{block}**: {share:.0%} of {whole:,} multiply-adds.")
        if len(names) == 1
        else _("What costs most? **{block}**: {share:.0%} of {whole:,} multiply-adds each.")
    )
    return sentence.format(block=listed(names), share=most / whole, whole=whole)


def _table(sizes: Sizes, blocks: tuple[Cost, ...]) -> None:
    """Write the cost of every block, and the sum."""
    whole = sum(cost.multiply_adds * cost.times for cost in blocks)
    st.markdown(
        _(
            "This sentence: S = {source} source and T = {target} target pieces; the model: "
            "d = {width}, F = {outer}, V = {vocabulary}. In all **{parameters}** parameters and "
            "**{operations}** multiply-adds for one pass."
        ).format(
            source=sizes.source,
            target=sizes.target,
            width=sizes.config.d_model,
            outer=sizes.config.d_ff,
            vocabulary=sizes.config.target_vocab_size,
            parameters=f"{sum(cost.parameters * cost.times for cost in blocks):,}",
            operations=f"{whole:,}",
        )
    )
    show_table(
        {
            _("block"): [cost.block for cost in blocks],
            _("how many"): [cost.times for cost in blocks],
            _("parameters each"): [f"{cost.parameters:,}" for cost in blocks],
            _("multiply-adds each"): [f"{cost.multiply_adds:,}" for cost in blocks],
            _("of all"): [f"{cost.multiply_adds * cost.times / whole:.0%}" for cost in blocks],
            _("as a formula"): [cost.formula for cost in blocks],
        },
    )
    st.caption(
        _(
            "Multiply-adds with weights and between vectors. Softmax, norms, sums and biases, a "
            "small share, are not counted."
        )
    )


def _kernel() -> int:
    """Draw the choice of the convolution's width; return it."""
    return int(choose_one(_("Width k of the convolution"), ["3", "5", "9"], "kernel"))


REACH = 5
"""The neighbourhood r of restricted attention, in pieces."""


def _table_one(sizes: Sizes, blocks: tuple[Cost, ...], kernel: int) -> None:
    """Write table 1 of the paper for this sentence, and the model's own cost for comparison."""
    rows = table_one(sizes.source, sizes.config.d_model, kernel, REACH)
    st.markdown(
        _("**Table 1 of the paper** for this sentence: n = {n}, d = {d}, k = {k}, r = {r}").format(
            n=sizes.source, d=sizes.config.d_model, k=kernel, r=min(REACH, sizes.source)
        )
    )
    show_table(
        {
            _("layer"): [row.name for row in rows],
            _("operations a layer"): [_equation(r.formulas[0], r.operations) for r in rows],
            _("one after another"): [_equation(r.formulas[1], r.sequential) for r in rows],
            _("longest path"): [_equation(r.formulas[2], r.path) for r in rows],
        },
    )
    st.caption(
        _(
            "Its row of self-attention counts the looking alone. One encoder self-attention of "
            "this model takes {all:,} multiply-adds: {looking:,} for q k and weights times v, the "
            "rest for the projections W_Q, W_K, W_V and W_O."
        ).format(all=blocks[1].multiply_adds, looking=2 * sizes.source**2 * sizes.config.d_model)
    )


def _equation(formula: str, value: int) -> str:
    """Return a formula with its value; a plain number stands alone."""
    return formula if formula == str(value) else f"{formula} = {value:,}"


def _growth(sizes: Sizes, kernel: int) -> None:
    """Draw how the terms of table 1 grow with the length of the source."""
    figure = growth_figure(sizes.source, sizes.config.d_model, kernel, state.current_theme())
    show_figure(figure, "growth")
    st.caption(
        _(
            "The terms of table 1 of the paper, both axes logarithmic. They are not the "
            "multiply-adds of this model's layers, which the table above counts: constants and "
            "projections are left out. The term of attention is below that of recurrence as long "
            "as n is below d = {width}, and below that of the convolution as long as n is below "
            "k d = {wide:,}."
        ).format(width=sizes.config.d_model, wide=kernel * sizes.config.d_model)
    )
