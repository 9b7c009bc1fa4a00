"""Buttons for experiments worth trying; some are always the same, others are found by measuring."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from model.interventions.base import Intervention
from viz.link import edits


@dataclass(frozen=True)
class Experiment:
    """Interventions under a name; `doing` says what they do.

    `changes` is None until the interventions are found. The effect of an experiment that is
    `foreseen` is shown as long as nothing is changed; `part` may name what it changes.
    """

    name: str
    changes: tuple[Intervention, ...] | None
    doing: str
    foreseen: bool = False
    part: str = ""


def offer_experiments(offered: Sequence[Experiment]) -> None:
    """Draw a button for each experiment; that of the one in force is lit, and undoes it."""
    now = set(edits.interventions())
    with st.container(horizontal=True, gap="small", key="experiments"):
        for number, experiment in enumerate(offered):
            lit = bool(experiment.changes) and set(experiment.changes or ()) == now
            st.button(
                experiment.name,
                key=f"experiment {number}",
                type="primary" if lit else "secondary",
                help=experiment.doing,
                disabled=not experiment.changes,
                on_click=edits.set_interventions,
                args=(() if lit else experiment.changes or (),),
            )
