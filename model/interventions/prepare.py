"""The only way from interventions to a run: for recording, the scorer and the translator."""

from collections.abc import Sequence

from model.interventions.base import Intervention, Lengths
from model.interventions.compiled import Compiled, compiled, sizes_for
from model.interventions.unreachable import unreachable_query
from model.transformer.config import ModelConfig


def prepare(
    interventions: Sequence[Intervention], config: ModelConfig, lengths: Lengths | None = None
) -> Compiled:
    """Check interventions one by one and together, and turn them into one edit per site.

    Raises ValueError when a kind, layer or head does not exist in a model of these sizes, when a
    position does not exist in a run of these lengths (None: positions stay unchecked), or when a
    query would have nothing to look at.
    """
    sizes = sizes_for(interventions, config, lengths)
    for intervention in interventions:
        intervention.check(sizes)
    run = compiled(interventions, sizes)
    if query := unreachable_query(run):
        raise ValueError(
            "the interventions leave a query without any key to look at: query "
            f"{query.query} of ({query.kind!r}, {query.layer}, {query.head}), from 0; on screen, "
            f"query {query.query + 1} of {query.kind} {query.layer + 1}.{query.head + 1}"
        )
    return run
