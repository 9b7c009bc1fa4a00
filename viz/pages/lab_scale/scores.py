"""The controls of changed scores of attention."""

import math

import streamlit as st

from model.interventions.scale import ClampScores, ScaleScores, Unscale
from model.sites.sites import Kind
from model.transformer.config import ModelConfig
from viz.figures.labels import kind_names
from viz.language.text import _, capital
from viz.link import edits

MOST_TIMES = 4.0
"""The largest factor of the sliders; a link may have a larger factor."""

LIMITS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, math.inf)
"""The limits of scores to choose from; a link may have another limit."""


def score_controls(config: ModelConfig) -> None:
    """Draw the controls of the scores: kinds without the division, factors and limits."""
    changes = edits.interventions()
    st.session_state["raw scores"] = [str(raw.kind) for raw in edits.of_kind(changes, Unscale)]
    st.pills(
        _("Scores without 1/√dₖ (√{d_k} = {root:.2f})").format(
            d_k=config.d_k, root=config.d_k**0.5
        ),
        list(kind_names()),
        format_func=lambda kind: capital(kind_names()[kind]),
        selection_mode="multi",
        key="raw scores",
        on_change=_take_unscaled,
    )
    with st.container(horizontal=True, gap="medium"):
        for kind, name in kind_names().items():
            key = f"score factor {kind}"
            scaled = edits.of_kind(changes, ScaleScores, kind=kind)
            factor = math.prod(change.factor for change in scaled)
            st.session_state[key] = min(max(factor, 0.0), MOST_TIMES)
            st.slider(
                _("{kind}: scores times").format(kind=capital(name)),
                0.0,
                MOST_TIMES,
                step=0.1,
                key=key,
                help=_("Below 1 attention spreads out, above 1 it picks one key."),
                on_change=_take_factor,
                args=(kind,),
                width=200,
            )
    with st.container(horizontal=True, gap="medium"):
        for kind, name in kind_names().items():
            key = f"score limit {kind}"
            clamped = edits.of_kind(changes, ClampScores, kind=kind)
            now = min((change.limit for change in clamped), default=math.inf)
            st.session_state[key] = now
            st.select_slider(
                _("{kind}: scores within").format(kind=capital(name)),
                sorted({*LIMITS, now}),
                format_func=lambda limit: _("no limit") if limit == math.inf else f"±{limit:g}",
                key=key,
                help=_("A score beyond the limit becomes the limit: no key can win by far."),
                on_change=_take_limit,
                args=(kind,),
                width=200,
            )


def _take_limit(kind: Kind) -> None:
    """Keep the scores of a kind within the chosen limit."""
    limit = st.session_state[f"score limit {kind}"]
    edits.replace(ClampScores, [ClampScores(kind, limit)] if limit < math.inf else [], kind=kind)


def _take_unscaled() -> None:
    """Leave out the division for the chosen kinds."""
    edits.replace(Unscale, map(Unscale, st.session_state["raw scores"]))


def _take_factor(kind: Kind) -> None:
    """Multiply the scores of a kind by the chosen factor."""
    factor = round(st.session_state[f"score factor {kind}"], 2)
    edits.replace(ScaleScores, [ScaleScores(kind, factor)] if factor != 1 else [], kind=kind)
