"""Feed-forward without ReLU: two matrices that are one, multiplied out."""

from collections.abc import Iterable

import numpy as np
import streamlit as st

from model.interventions.base import Intervention
from model.interventions.blocks import LeaveOutReLU, ZeroUnit
from model.recording.recording import Recording
from model.sites.sites import SUBLAYERS, Stack
from viz.components.recomputed import recomputed
from viz.compute.weights import parameter
from viz.language.text import _

Place = tuple[Stack, int]


def linear_places(interventions: Iterable[Intervention]) -> list[Place]:
    """List the stacks and layers (from 0) without ReLU in which no unit is set to zero."""
    changes = list(interventions)
    zeroed = {(one.stack, one.layer) for one in changes if isinstance(one, ZeroUnit)}
    places = ((one.stack, one.layer) for one in changes if isinstance(one, LeaveOutReLU))
    return [place for place in dict.fromkeys(places) if place not in zeroed]


def difference(recording: Recording, stack: Stack, layer: int) -> float:
    """Return the largest difference between one matrix and the model's two, at all positions.

    The one is W1 W2, (D, D), with the bias b1 W2 + b2, in double precision.
    """
    x = recording[f"{stack}.{layer}.norm{len(SUBLAYERS[stack]) - 1}"].astype(np.float64)  # n D
    hidden = recording[f"{stack}.{layer}.ffn.hidden"].astype(np.float64)  # n F
    first, second = (
        [parameter(f"{stack}.layers.{layer}.ffn.{part}.{name}") for name in ("weight", "bias")]
        for part in ("hidden", "out")
    )
    w1, w2 = first[0].astype(np.float64).T, second[0].astype(np.float64).T  # D F, F D
    at_once = x @ (w1 @ w2) + (first[1] @ w2 + second[1])
    return float(np.abs(at_once - (hidden @ w2 + second[1])).max())


def show_as_one(recording: Recording, interventions: Iterable[Intervention]) -> None:
    """Say what two matrices are without ReLU, and recompute it; draw nothing while ReLU stands."""
    places = linear_places(interventions)
    if not places:
        return
    config = recording.config
    st.markdown(
        _(
            "**Why ReLU stands between the two layers:** without it, both are one. The {two} "
            "numbers of W₁ and W₂ can do no more than the {one} of their product."
        ).format(two=f"{2 * config.d_model * config.d_ff:,}", one=f"{config.d_model**2:,}")
    )
    st.latex(r"(x W_1 + b_1)\,W_2 + b_2 = x\,(W_1 W_2) + (b_1 W_2 + b_2)")
    recomputed(max(difference(recording, *place) for place in places))
