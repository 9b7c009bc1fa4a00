"""Changed scores of attention: read from the interventions, chosen, and written back."""

import math
from collections.abc import Iterable, Sequence

import streamlit as st

from model.interventions.base import Intervention
from model.interventions.scale import ScaleScores, Unscale
from model.sites.sites import KINDS, Kind
from model.transformer.config import ModelConfig
from viz.figures.labels import kind_names
from viz.language.text import _, capital
from viz.link import edits

MOST_TIMES = 4.0
"""The largest factor of the sliders; a link may have a larger one."""


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


def score_controls(config: ModelConfig) -> None:
    """Draw the controls of the scores: the kinds without the division, and a factor for each."""
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


def _take_unscaled() -> None:
    """Leave out the division for the chosen kinds."""
    edits.set_interventions(set_unscaled(edits.interventions(), st.session_state["raw scores"]))


def _take_factor(kind: Kind) -> None:
    """Multiply the scores of a kind by the chosen factor."""
    factor = round(st.session_state[f"score factor {kind}"], 2)
    edits.set_interventions(set_score_factor(edits.interventions(), kind, factor))
