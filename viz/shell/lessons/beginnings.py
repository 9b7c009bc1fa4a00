"""Measures of the first moment of training: gradients and sizes under random weights."""

from model.learning.beginning import Norms
from viz.compute import learning
from viz.compute.runs import Subject
from viz.shell.lessons.subject import Form, effect_of

DEPTH = 6
"""Layers in each stack, as on the page."""


def _growth(subject: Subject, where: str) -> float:
    """Return how many times as long the last decoder layer's gradient is as the first's."""
    places: dict[str, Norms] = {"after": "after", "before": "before"}
    if where not in places:
        raise ValueError(f"norms stand after or before, not {where!r}")
    text = effect_of(subject).before.translation.text
    found = learning.first_gradients(subject.sentence, text, DEPTH, "Xavier's")
    lengths = found.middle(places[where], "decoder")
    return float(lengths[-1] / lengths[0])


FORMS: tuple[Form, ...] = (
    Form("growth of the first gradients with norms <where>", ".1f", _growth),
)
