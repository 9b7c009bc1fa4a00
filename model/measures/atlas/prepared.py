"""Prepared parts of an index, to save waiting: stages for searches, and maps of all heads."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.decoding.steps import Progress
from model.measures.atlas.atlas import Atlas
from model.measures.atlas.joint import MAPPED, Near, joint_map, near_map
from model.measures.atlas.search import ids_of, vectors_of
from model.measures.atlas.stages import stage_arrays
from model.sites.sites import Head, Kind
from model.translator import Translator

SEARCHED = 240
"""The number of sentences whose stages are kept, for searches of similar places."""

Array = NDArray[Any]


def prepared_arrays(
    translator: Translator,
    measured: Mapping[str, Array],
    progress: Progress = lambda _done, _all: None,
) -> dict[str, Array]:
    """Return the arrays to add to those of a measured index; `progress` counts heads."""
    rows = range(min(SEARCHED, len(Atlas(measured))))
    arrays = stage_arrays(
        translator.model, [ids_of(translator, Atlas(measured), number) for number in rows]
    )
    atlas = Atlas({**measured, **arrays})
    layers: list[tuple[Kind, int]] = [
        (kind, layer) for kind in atlas.kinds for layer in range(atlas.layers[kind])
    ]
    for done, (kind, layer) in enumerate(layers, start=1):
        heads = [Head(kind, layer, at) for at in range(atlas.heads)]
        with suppress(ValueError):  # the corpus or its translation has too few pieces
            maps = [near_of(translator, atlas, head) for head in heads]
            points = [near.points.astype(np.float16) for near in maps]
            arrays[f"near.{kind}.{layer}"] = np.stack(points)  # H 2P 2
            agreements = [near.agreement for near in maps]
            arrays[f"agreement.{kind}.{layer}"] = np.array(agreements, np.float32)  # H
        progress(done * atlas.heads, len(layers) * atlas.heads)
    return arrays


def near_of(translator: Translator, atlas: Atlas, head: Head) -> Near:
    """Map some random places of the sentences that are `searched`; see `near_map`."""
    some = vectors_of(translator, atlas, head, range(searched(atlas))).sample(MAPPED)
    return near_map(joint_map(some.q, some.k), some.q, some.k)


def searched(atlas: Atlas) -> int:
    """Return how many of an index's first sentences a search by vectors covers."""
    return len(atlas.stages) if atlas.stages else min(SEARCHED, len(atlas))
