"""The choice of a recurrent model, for the views that show one."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.recurrent.config import Attending
from viz.compute import ancestors
from viz.pages.recurrent.words import name_of
from viz.shell import state


def choose_kind(
    label: str, key: str, without: Sequence[Attending] = (), row: DeltaGenerator | None = None
) -> Attending:
    """Draw the choice among the shipped kinds and return it: additive, where nobody chose."""
    kinds: dict[str, Attending] = {
        kind: kind for kind in ancestors.shipped() if kind not in without
    }
    default = "additive" if "additive" in kinds else next(iter(kinds))
    chosen = (row or st).segmented_control(
        label,
        list(kinds),
        format_func=lambda kind: name_of(kinds[kind]),
        default=default,
        required=True,
        key=key,
        bind=state.LINK,
    )
    return kinds[str(chosen)]
