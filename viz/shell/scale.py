"""The kinds of attention whose scores are not divided by the root of d_k."""

from collections.abc import Sequence

from model.interventions.base import Intervention
from model.interventions.scale import Unscale
from model.recording.sites import KINDS, Kind


def unscaled(interventions: Sequence[Intervention]) -> list[Kind]:
    """Return the kinds of attention whose scores are not divided by the root of d_k."""
    return [kind for kind in KINDS if Unscale(kind) in interventions]


def set_unscaled(
    interventions: Sequence[Intervention], kinds: Sequence[str]
) -> tuple[Intervention, ...]:
    """Leave out the division for exactly these kinds."""
    others = [one for one in interventions if not isinstance(one, Unscale)]
    return (*others, *(Unscale(kind) for kind in KINDS if kind in kinds))
