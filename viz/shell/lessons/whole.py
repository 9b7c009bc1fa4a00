"""The measures of a whole run: its attention, its logits, its likelihood."""

import numpy as np

from model.recording.sites import KINDS, Kind
from viz.shell.lessons.subject import Subject


def kind_called(text: str) -> Kind:
    """Return the kind of attention that a lesson calls so; ValueError when there is none."""
    kinds: dict[str, Kind] = {str(kind): kind for kind in KINDS}
    if text not in kinds:
        raise ValueError(f"one of {', '.join(kinds)} expected, not {text!r}")
    return kinds[text]


def largest_logit_change(subject: Subject) -> float:
    """Return how far the interventions move a logit at most."""
    return subject.effect.largest_logit_change


def future(subject: Subject) -> float:
    """Return the share of the decoder's self-attention that goes to pieces not yet written."""
    weights = subject.effect.forced.attention("decoder").astype(np.float64)
    return float(np.triu(weights, k=1).sum() / weights.sum())


def largest_weight(subject: Subject, kind: str) -> float:
    """Return the mean over all queries of the largest weight of this kind."""
    return float(subject.effect.forced.attention(kind_called(kind)).max(axis=-1).mean())


def largest_weight_before(subject: Subject, kind: str) -> float:
    """Return the same in the unchanged model."""
    return largest_weight(Subject(subject.sentence), kind)


def rise(subject: Subject, kind: str) -> float:
    """Return how much the mean largest weight grew."""
    return largest_weight(subject, kind) - largest_weight_before(subject, kind)


def log_prob(subject: Subject) -> float:
    """Return the log-probability of the unchanged translation in the changed model, in nats."""
    return float(np.log(subject.effect.likely_after).sum())


def log_prob_before(subject: Subject) -> float:
    """Return the log-probability of its translation in the unchanged model, in nats."""
    return float(np.log(subject.effect.likely_before).sum())
