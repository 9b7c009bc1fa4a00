"""The view of what the decoder keeps from step to step, and what that saves."""

import streamlit as st

from model.measures.decoding_cost import DecodingCost, expected
from model.results import Run
from viz.components.recomputed import recomputed
from viz.compute import decodes, runs
from viz.figures.figure import show_figure
from viz.figures.theme import QUERY, token_text
from viz.language.text import _
from viz.language.wording import escaped
from viz.pages.decoder.kept_figure import kept_figure, steps_figure
from viz.shell import state
from viz.shell.below import show_below
from viz.shell.heavy import heavy
from viz.shell.source_code import show_source_of
from viz.shell.token_choice import choose_token


def what_is_kept(run: Run) -> None:
    """Draw a step with the cache and without it, and the cost of all steps."""
    st.markdown(
        _(
            "Strong cells are computed at the chosen step, faint ones are kept from the steps "
            "before. Choose a later step: on the left only one column is new."
        )
    )
    with heavy(_("Writing with what is kept and without")):
        cost = decodes.cost(run.source.text)
    plain = runs.run(run.source.text)
    tokens = plain.recording.target_tokens[: len(cost.ids)]
    step = choose_token(_("The step that reads"), tokens, "cross", "kept", QUERY)
    theme = state.current_theme()
    show_figure(kept_figure(step + 1, tokens, plain.source.tokens, theme), "kept", wide=True)
    _this_step(cost, step)
    counts = [[one.multiply_adds for one in way] for way in (cost.cached, cost.afresh)]
    show_below(steps_figure(counts[0], counts[1], step, theme), "cost of steps")
    _all_steps(cost)
    _explain(cost)
    show_source_of("kept")


def _this_step(cost: DecodingCost, step: int) -> None:
    cached, afresh = cost.cached[step], cost.afresh[step]
    written = token_text(runs.token_names([cost.ids[step]])[0])
    st.markdown(
        _(
            "Step {step} writes *{word}* with **{cached:,}** multiply-adds; computing all anew it "
            "takes **{afresh:,}**. After it, **{kept:,} bytes** of keys and values are kept: "
            "2 × {layers} layers × ({target} + {source} pieces) × {width} numbers × 4 bytes."
        ).format(
            step=step + 1,
            word=escaped(written),
            cached=cached.multiply_adds,
            afresh=afresh.multiply_adds,
            kept=cached.kept_bytes,
            layers=runs.translator().config.layers("decoder"),
            target=cached.given,
            source=cost.source,
            width=runs.translator().config.d_model,
        )
    )


def _all_steps(cost: DecodingCost) -> None:
    ways = cost.cached, cost.afresh
    adds = [sum(one.multiply_adds for one in way) for way in ways]
    times = [1000 * sum(one.seconds for one in way) for way in ways]
    st.markdown(
        _(
            "All {steps} steps: {cached:,} multiply-adds instead of {afresh:,}, {fewer:.1f} times "
            "fewer. On this server they took {short:.0f} ms instead of {long:.0f} ms. A "
            "step's time is not its multiply-adds alone. Both ways wrote the same pieces."
        ).format(
            steps=len(cost.ids),
            cached=adds[0],
            afresh=adds[1],
            fewer=adds[1] / adds[0],
            short=times[0],
            long=times[1],
        )
    )
    recomputed(
        cost.largest_difference,
        _("The logits of the steps without the cache, against those with it."),
    )


def _explain(cost: DecodingCost) -> None:
    config = runs.translator().model.config
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "The look-ahead mask lets no piece see a later one, so a new piece changes no "
                "earlier vector: the **keys and values** of the decoder's self-attention can be "
                "kept. Only the newest position asks, so no earlier **query** is needed again. "
                "The keys and values of the encoder's output stay the same from the first step "
                "on. The picture is the same in every layer and head."
            )
        )
        same = all(
            one.multiply_adds == expected(config, one, cost.source, not keeps or one.given == 1)
            for keeps, way in ((True, cost.cached), (False, cost.afresh))
            for one in way
        )
        st.markdown(
            _(
                "The multiply-adds are counted where torch multiplies matrices, while the model "
                "runs. The formula gives {verdict} for n computed of t pieces and S of the source:"
            ).format(verdict=_("the same") if same else _("another number"))
        )
        st.latex(
            r"L\,\big(4 n d^2 + 2 n t d + 2 n d^2 + 2 n S d + 2 n d F\;"
            r"[+\,2 S d^2]\big) + n d V"
        )
        st.markdown(
            _(
                "The part in brackets is for the steps that compute the memory's keys and values: "
                "with the cache the first one alone. The app writes every translation with this "
                "cache, unless the decoder is changed. Counted on the model as it was trained; at "
                "most {most} steps."
            ).format(most=decodes.MOST_COUNTED)
        )
