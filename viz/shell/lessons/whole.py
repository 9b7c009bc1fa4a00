"""The measures of a whole run: its attention, its logits, and its log-probability."""

from model.sites.sites import KINDS, Kind
from viz.compute.effects import on_future
from viz.compute.runs import Subject
from viz.figures.weights import on_itself, sharpness
from viz.shell.lessons.subject import effect_of


def kind_called(text: str) -> Kind:
    """Return the kind of attention with this name; raise ValueError if there is none."""
    kinds: dict[str, Kind] = {str(kind): kind for kind in KINDS}
    if text not in kinds:
        raise ValueError(f"one of {', '.join(kinds)} expected, not {text!r}")
    return kinds[text]


def largest_logit_change(subject: Subject) -> float:
    """Return the largest change of a logit that the interventions cause."""
    return effect_of(subject).largest_logit_change


def future(subject: Subject) -> float:
    """Return the share of the decoder's self-attention that goes to pieces not yet written."""
    return float(on_future(effect_of(subject).forced).mean())


def largest_weight(subject: Subject, kind: str) -> float:
    """Return the largest weight of a query, averaged over all queries of this kind."""
    return sharpness(effect_of(subject).forced.attention(kind_called(kind)))[1]


def largest_weight_before(subject: Subject, kind: str) -> float:
    """Return the mean largest weight in the unchanged model."""
    return largest_weight(Subject(subject.sentence), kind)


def rise(subject: Subject, kind: str) -> float:
    """Return how much the interventions raise the mean largest weight."""
    return largest_weight(subject, kind) - largest_weight_before(subject, kind)


def own_weight(subject: Subject, kind: str) -> float:
    """Return the mean weight of a piece on itself; raise ValueError for cross-attention."""
    if kind_called(kind) == "cross":
        raise ValueError("in cross-attention no piece can look at itself")
    return on_itself(effect_of(subject).forced.attention(kind_called(kind)))


def own_weight_before(subject: Subject, kind: str) -> float:
    """Return the mean weight of a piece on itself in the unchanged model."""
    return own_weight(Subject(subject.sentence), kind)


def log_prob(subject: Subject) -> float:
    """Return the log-probability of the unchanged translation in the changed model, in nats."""
    return effect_of(subject).log_probs[1]


def log_prob_before(subject: Subject) -> float:
    """Return the log-probability of the unchanged translation in the unchanged model, in nats."""
    return effect_of(subject).log_probs[0]
