"""Changes worth trying, a button each: some are always the same, others found by measuring."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from model.interventions.base import Intervention
from viz.link import edits


@dataclass(frozen=True)
class Experiment:
    """Changes to the model under a name; `doing` says what they do.

    `changes` is None until they are found. What one that is `foreseen` does is shown as long as
    nothing is changed; `part` may name what it changes.
    """

    name: str
    changes: tuple[Intervention, ...] | None
    doing: str
    foreseen: bool = False
    part: str = ""


def offer_experiments(offered: Sequence[Experiment]) -> None:
    """Draw a button for each experiment; the one in force is lit, and a press takes it back."""
    now = set(edits.interventions())
    with st.container(horizontal=True, gap="small", key="experiments"):
        for number, one in enumerate(offered):
            lit = bool(one.changes) and set(one.changes or ()) == now
            st.button(
                one.name,
                key=f"experiment {number}",
                type="primary" if lit else "secondary",
                help=one.doing,
                disabled=not one.changes,
                on_click=edits.set_interventions,
                args=(() if lit else one.changes or (),),
            )
