"""Fitting interventions to a model and a sentence, which may lack parts that a link names."""

from collections.abc import Sequence

from model.interventions.base import Intervention, Lengths, Sizes
from model.interventions.compiled import compiled, sizes_for
from model.interventions.unreachable import unreachable_query
from model.recurrent.config import RecurrentConfig
from model.transformer.config import ModelConfig

Split = tuple[tuple[Intervention, ...], tuple[Intervention, ...]]


def fitting(
    interventions: Sequence[Intervention], config: ModelConfig | RecurrentConfig, lengths: Lengths
) -> Split:
    """Split interventions into (kept, left out), so that all that are kept can run together.

    It first leaves out interventions that do not fit a model or sentence of these sizes. Then,
    while a query has no key, it leaves out the last to act of all that take keys from the query.
    The order within both is unchanged. A recurrent model takes no interventions at all.
    """
    if config.kind != "transformer":
        return (), tuple(interventions)
    padding = [
        intervention
        for intervention in interventions
        if _fits(intervention, Sizes(config, lengths))
    ]
    sizes = sizes_for(padding, config, lengths)
    kept = [intervention for intervention in interventions if _fits(intervention, sizes)]
    while query := unreachable_query(compiled(kept, sizes)):
        guilty = [intervention for intervention in kept if intervention.forbids(query)]
        last = max((intervention.stage for intervention in guilty), default=0)
        gone = {intervention for intervention in guilty if intervention.stage == last} or set(kept)
        kept = [intervention for intervention in kept if intervention not in gone]
    run = set(kept)
    return tuple(kept), tuple(
        intervention for intervention in interventions if intervention not in run
    )


def _fits(intervention: Intervention, sizes: Sizes) -> bool:
    try:
        intervention.check(sizes)
    except ValueError:
        return False
    return True
