"""Which interventions fit a model and a sentence: a link may ask for what this one has not."""

from collections.abc import Sequence

from model.interventions.prepare import (
    BlockAttention,
    HideSource,
    Intervention,
    Lengths,
    check,
    padded_length,
)
from model.interventions.unreachable import StarvedRow, starved_row
from model.transformer.config import ModelConfig

Split = tuple[tuple[Intervention, ...], tuple[Intervention, ...]]


def fitting(interventions: Sequence[Intervention], config: ModelConfig, lengths: Lengths) -> Split:
    """Split interventions into those that can run together and those that are left out.

    Left out is what does not exist in a model or sentence of these sizes, then what would leave
    a query with nothing to look at. The order within both is kept.
    """
    kept = [edit for edit in interventions if _exists(edit, config, lengths)]
    padded = padded_length(kept, lengths.source)
    kept = [edit for edit in kept if _exists(edit, config, lengths, padded)]
    while row := starved_row(kept, config, lengths):
        blame = {edit for edit in kept if _forbids(edit, row)}
        hiding = {edit for edit in kept if isinstance(edit, HideSource)}
        kept = [edit for edit in kept if edit not in (blame or hiding)]
    run = set(kept)
    return tuple(kept), tuple(edit for edit in interventions if edit not in run)


def _exists(
    edit: Intervention, config: ModelConfig, lengths: Lengths, padded: int | None = None
) -> bool:
    """Check the sizes; links are checked once it is known how far the source is padded."""
    if isinstance(edit, BlockAttention) and padded is None:
        return True
    try:
        check(edit, config, lengths, padded)
    except ValueError:
        return False
    return True


def _forbids(edit: Intervention, row: StarvedRow) -> bool:
    return (
        isinstance(edit, BlockAttention)
        and (edit.kind, edit.query) == (row.kind, row.query)
        and edit.layer in (None, row.layer)
        and edit.head in (None, row.head)
    )
