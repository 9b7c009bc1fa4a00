"""Fitting interventions to a model and a sentence: a link may name parts that this one lacks."""

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
    """Split interventions into those that can run together and those that are left out.

    First it leaves out those that do not exist in a model or sentence of these sizes. Then it
    leaves out those that would leave a query without any key: of all that take keys from the query,
    the last to act. The order within both is kept. A recurrent model takes no interventions at all.
    """
    if config.kind != "transformer":
        return (), tuple(interventions)
    padding = [one for one in interventions if _fits(one, Sizes(config, lengths))]
    sizes = sizes_for(padding, config, lengths)
    kept = [one for one in interventions if _fits(one, sizes)]
    while query := unreachable_query(compiled(kept, sizes)):
        guilty = [one for one in kept if one.forbids(query)]
        last = max((one.stage for one in guilty), default=0)
        gone = {one for one in guilty if one.stage == last} or set(kept)
        kept = [one for one in kept if one not in gone]
    run = set(kept)
    return tuple(kept), tuple(one for one in interventions if one not in run)


def _fits(intervention: Intervention, sizes: Sizes) -> bool:
    try:
        intervention.check(sizes)
    except ValueError:
        return False
    return True
