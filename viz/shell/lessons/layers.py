"""Measures of what differs between layers and stacks, and what does not."""

import numpy as np

from model.sites.sites import STACKS, Stack
from viz.compute import prefixes, runs, weights
from viz.compute.runs import Subject
from viz.shell.lessons.subject import Form


def _moved(subject: Subject, whose: str) -> float:
    """Return how much the first half of a sentence changes when the second half is added."""
    masks = ("encoder", "decoder")
    if whose not in masks:
        raise ValueError(f"an encoder or a decoder has a mask, not {whose!r}")
    first = len(runs.source(subject.sentence).ids) // 2
    return prefixes.changes(subject.sentence, first)[masks.index(whose)]


def _alike(_subject: Subject, part: str, stack: str) -> float:
    """Return the mean cosine between the same weights of two different layers of a stack."""
    stacks: dict[str, Stack] = {str(one): one for one in STACKS}
    if stack not in stacks:
        raise ValueError(f"encoder or decoder expected, not {stack!r}")
    count = runs.translator().config.layers(stacks[stack])
    rows = weights.of_layers(stacks[stack], count, part)
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)  # L n
    return float((units @ units.T)[~np.eye(count, dtype=np.bool_)].mean())


FORMS: tuple[Form, ...] = (
    Form("change of the first half under the mask of the <whose>", "share", _moved),
    Form("cosine of <part> between layers of the <stack>", ".3f", _alike),
)
