"""The measures of reduced versions of the model in force."""

from pathlib import Path

import streamlit as st

from model.checkpoints.card import SMALLER
from model.measures.smaller import Measured, read
from viz.compute import runs


def smaller() -> Measured | None:
    """Read the results of `python -m model.training.smaller`; None if missing or damaged."""
    return _read(str(runs.translator().folder))


@st.cache_resource(show_spinner=False, max_entries=8)
def _read(folder: str) -> Measured | None:
    path = Path(folder) / SMALLER
    try:
        return read(path) if path.exists() else None
    except ValueError:
        return None
