"""Measures of the first moment of training: gradients and sizes under random weights."""

from model.learning.beginning import Norms, xavier_bound
from viz.compute import learning, weights
from viz.compute.runs import Subject
from viz.shell.lessons.format import number
from viz.shell.lessons.subject import Form, effect_of

DEPTH = 6
"""Layers in each stack, as many as on the page."""


def _growth(subject: Subject, where: str) -> float:
    """Return the gradient's length in the last decoder layer, divided by that in the first."""
    places: dict[str, Norms] = {"after": "after", "before": "before"}
    if where not in places:
        raise ValueError(f"norms stand after or before, not {where!r}")
    text = effect_of(subject).before.translation.text
    found = learning.first_gradients(subject.sentence, text, DEPTH, "Xavier's")
    lengths = found.middle(places[where], "decoder")
    return float(lengths[-1] / lengths[0])


_W_Q = "encoder.layers.0.self_attn.q.weight"


def _bound(_subject: Subject) -> float:
    return xavier_bound(weights.parameter(_W_Q).shape)


def _grown(subject: Subject, factor: str) -> float:
    """Return the size of vectors after an encoder without norms, divided by that before it."""
    times = number(factor)
    if not 0 < times <= 100:
        raise ValueError(f"weights are multiplied by a number above 0, not {factor}")
    found = learning.first_weights(subject.sentence, "Xavier's", _W_Q, (times,)).sizes[times]
    return float(found.stream[-1] / found.stream[0])


FORMS: tuple[Form, ...] = (
    Form("growth of the first gradients with norms <where>", ".1f", _growth),
    Form("Xavier's bound of W_Q", ".3f", _bound),
    Form("growth of a vector with weights times <factor>", ",.0f", _grown),
)
