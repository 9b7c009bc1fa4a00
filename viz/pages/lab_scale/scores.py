"""Changed scores of attention: read from the interventions, chosen, and written back."""

import math
from collections.abc import Iterable, Sequence

import streamlit as st

from model.interventions.base import Intervention
from model.interventions.scale import ClampScores, ScaleScores, Unscale
from model.sites.sites import KINDS, Kind
from model.transformer.config import ModelConfig
from viz.figures.labels import kind_names
from viz.language.text import _, capital
from viz.link import edits

MOST_TIMES = 4.0
"""The largest factor of the sliders; a link may have a larger one."""

LIMITS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, math.inf)
"""The limits of scores to choose from; a link may have another one."""


def unscaled(interventions: Sequence[Intervention]) -> list[Kind]:
    """Return the kinds of attention whose scores are not divided by √d_k."""
    return [kind for kind in KINDS if Unscale(kind) in interventions]


def set_unscaled(
    interventions: Sequence[Intervention], kinds: Sequence[str]
) -> tuple[Intervention, ...]:
    """Leave out the division for exactly these kinds."""
    others = [one for one in interventions if not isinstance(one, Unscale)]
    return (*others, *(Unscale(kind) for kind in KINDS if kind in kinds))


def score_factor(interventions: Iterable[Intervention], kind: Kind) -> float:
    """Return the factor of a kind's scores: the product of all its interventions, 1 without."""
    some = [one for one in interventions if isinstance(one, ScaleScores) and one.kind == kind]
    return math.prod(one.factor for one in some)


def set_score_factor(
    interventions: Iterable[Intervention], kind: Kind, factor: float
) -> tuple[Intervention, ...]:
    """Multiply the scores of a kind of attention by this factor and no other."""
    others = tuple(
        one for one in interventions if not (isinstance(one, ScaleScores) and one.kind == kind)
    )
    return others if factor == 1 else (*others, ScaleScores(kind, factor))


def score_limit(interventions: Iterable[Intervention], kind: Kind) -> float:
    """Return the narrowest limit of a kind's scores, infinity without any."""
    some = [one for one in interventions if isinstance(one, ClampScores) and one.kind == kind]
    return min((one.limit for one in some), default=math.inf)


def set_score_limit(
    interventions: Iterable[Intervention], kind: Kind, limit: float
) -> tuple[Intervention, ...]:
    """Keep the scores of a kind of attention within this limit and no other."""
    others = tuple(
        one for one in interventions if not (isinstance(one, ClampScores) and one.kind == kind)
    )
    return others if limit == math.inf else (*others, ClampScores(kind, limit))


def score_controls(config: ModelConfig) -> None:
    """Draw the controls of the scores: kinds without the division, factors and limits."""
    st.session_state["raw scores"] = [str(kind) for kind in unscaled(edits.interventions())]
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
    with st.container(horizontal=True, gap="large"):
        for kind, name in kind_names().items():
            key = f"score factor {kind}"
            now = score_factor(edits.interventions(), kind)
            st.session_state[key] = min(max(now, 0.0), MOST_TIMES)
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
    with st.container(horizontal=True, gap="large"):
        for kind, name in kind_names().items():
            key = f"score limit {kind}"
            now = score_limit(edits.interventions(), kind)
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
    edits.set_interventions(set_score_limit(edits.interventions(), kind, limit))


def _take_unscaled() -> None:
    """Leave out the division for the chosen kinds."""
    edits.set_interventions(set_unscaled(edits.interventions(), st.session_state["raw scores"]))


def _take_factor(kind: Kind) -> None:
    """Multiply the scores of a kind by the chosen factor."""
    factor = round(st.session_state[f"score factor {kind}"], 2)
    edits.set_interventions(set_score_factor(edits.interventions(), kind, factor))
