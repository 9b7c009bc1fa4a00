"""The choice of a recurrent model, for the views that show one."""

from collections.abc import Sequence

from streamlit.delta_generator import DeltaGenerator

from model.recurrent.config import Attending
from viz.compute import ancestors
from viz.figures.theme import QUERY
from viz.link.choice import choose_one
from viz.shell.model_names import kind_name
from viz.shell.token_choice import choose_token


def choose_kind(
    label: str, key: str, without: Sequence[Attending] = (), row: DeltaGenerator | None = None
) -> Attending:
    """Draw the choice among the shipped kinds, at first additive; return the chosen kind."""
    kinds: dict[Attending, str] = {
        kind: kind_name(kind) for kind in ancestors.shipped() if kind not in without
    }
    default = "additive" if "additive" in kinds else None
    chosen: Attending = choose_one(label, kinds, key, default=default, row=row)
    return chosen


def choose_step(label: str, tokens: Sequence[str], kind: Attending) -> int:
    """Draw the pieces that the decoder of a kind reads; return the chosen row, from 0."""
    return choose_token(label, tokens, "cross", "step", QUERY, model=ancestors.name_of(kind))
