"""What is done to the scores of attention: read from the interventions, chosen, written back."""

from collections.abc import Sequence

import streamlit as st

from model.interventions.base import Intervention
from model.interventions.scale import Unscale
from model.recording.sites import KINDS, Kind
from model.transformer.config import ModelConfig
from viz.figures.labels import kind_names
from viz.language.text import _, capital
from viz.link import edits


def unscaled(interventions: Sequence[Intervention]) -> list[Kind]:
    """Return the kinds of attention whose scores are not divided by the root of d_k."""
    return [kind for kind in KINDS if Unscale(kind) in interventions]


def set_unscaled(
    interventions: Sequence[Intervention], kinds: Sequence[str]
) -> tuple[Intervention, ...]:
    """Leave out the division for exactly these kinds."""
    others = [one for one in interventions if not isinstance(one, Unscale)]
    return (*others, *(Unscale(kind) for kind in KINDS if kind in kinds))


def score_controls(config: ModelConfig) -> None:
    """Draw the choice of what happens to the scores."""
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


def _take_unscaled() -> None:
    """Leave out the division where that was asked for."""
    edits.set_interventions(set_unscaled(edits.interventions(), st.session_state["raw scores"]))
