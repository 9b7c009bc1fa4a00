"""The way from interventions to edits: one function for each site that they change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from torch import Tensor

from model.interventions.base import Intervention, Lengths, MergingEdit, Sizes
from model.sites.tap import Edit
from model.transformer.config import ModelConfig


@dataclass(frozen=True, eq=False)
class Compiled:
    """The edits of a run under interventions, one for each site, by the site's full name.

    `sizes` gives the length of the source with padding. `looks_ahead` is True if the decoder's
    values for a piece depend on later pieces. `target_pieces` is the furthest piece of the target
    that an intervention names.
    """

    edits: Mapping[str, Edit]
    sizes: Sizes
    looks_ahead: bool
    target_pieces: int

    def then(self, edits: Mapping[str, Edit]) -> Mapping[str, Edit]:
        """Return these edits and others; at a site of both, the others come after."""
        met = {
            site: _one_edit([self.edits[site], edits[site]]) for site in self.edits.keys() & edits
        }
        return {**self.edits, **edits, **met}

    def padded(self, ids: Sequence[int]) -> list[int]:
        """Pad the ids of a source if an intervention asks for it."""
        missing = self.sizes.source - len(ids) if self.sizes.padded else 0
        return [*ids, *[self.sizes.config.pad_id] * missing]


def canonical(interventions: Sequence[Intervention]) -> tuple[Intervention, ...]:
    """Drop repetitions, and put interventions that would undo others first.

    A lifted mask comes before a mask that hides something again. A shift, which computes the
    positions anew, comes before other changes to positions.
    """
    return tuple(sorted(dict.fromkeys(interventions), key=lambda one: one.stage))


def sizes_for(
    interventions: Sequence[Intervention], config: ModelConfig, lengths: Lengths | None = None
) -> Sizes:
    """Return the sizes of a run with the padding that interventions ask for."""
    if lengths is None:
        return Sizes(config)
    length = lengths.source
    return Sizes(
        config,
        lengths,
        max([length, *(intervention.padded(length) for intervention in interventions)]),
    )


def compiled(interventions: Sequence[Intervention], sizes: Sizes) -> Compiled:
    """Turn interventions that fit these sizes into one edit per site, in canonical order."""
    ordered = canonical(interventions)
    by_site: dict[str, list[Edit]] = {}
    for intervention in ordered:
        for site, edit in intervention.edits(sizes):
            by_site.setdefault(site, []).append(edit)
    # A link forbidden in every layer is the same edit at many sites, so it is merged once.
    alike = {tuple(map(id, edits)): edits for edits in by_site.values()}
    merged = {key: _one_edit(edits) for key, edits in alike.items()}
    return Compiled(
        {site: merged[tuple(map(id, edits))] for site, edits in by_site.items()},
        sizes,
        any(intervention.looks_ahead for intervention in ordered),
        max((intervention.target_pieces for intervention in ordered), default=1),
    )


def _one_edit(edits: Sequence[Edit]) -> Edit:
    """Return one edit that makes several in their order; neighbours of the same type are merged."""
    flat: list[Edit] = []
    for _type, alike in groupby(edits, key=type):
        first, *more = alike
        flat += [first.merged(more)] if isinstance(first, MergingEdit) else [first, *more]
    if len(flat) == 1:
        return flat[0]

    def edit(tensor: Tensor, *made_of: Tensor) -> Tensor:
        for single in flat:
            tensor = single(tensor, *made_of)
        return tensor

    return edit
