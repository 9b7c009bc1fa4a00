"""Measures of the cheat: the model that was trained without the look-ahead mask."""

from viz.compute import cheating
from viz.compute.cheating import Measured
from viz.compute.runs import Subject
from viz.shell.lessons.subject import Form, effect_of

FIRST = 8


def _name() -> str:
    """Return the name of the cheat; raise ValueError if the model in force has none beside it."""
    if name := cheating.name():
        return name
    raise ValueError("no model is here that learned without the look-ahead mask")


def _measured() -> Measured:
    return cheating.measured(_name())


def _writes(subject: Subject) -> str:
    return cheating.written(_name(), subject.sentence)


def _begins(subject: Subject) -> str:
    """Return the first words of what the cheat writes: its nonsense goes on and on."""
    words = _writes(subject).split()
    return " ".join(words[:FIRST]) + (" …" if len(words) > FIRST else "")


def _finds(subject: Subject) -> float:
    """Return the mean probability that the cheat gives to the right pieces when it sees them."""
    text = effect_of(subject).before.translation.text
    return float(cheating.seen(_name(), subject.sentence, text).likely.mean())


def _loss(_subject: Subject) -> float:
    return _measured().cheat.dev_loss[-1]


def _loss_of_twin(_subject: Subject) -> float:
    return _measured().twin.dev_loss[-1]


FORMS: tuple[Form, ...] = (
    Form("translation of the cheat", "", _writes),
    Form("beginning of the translation of the cheat", "", _begins),
    Form("what the cheat finds when it sees all", "share", _finds),
    Form("loss of the cheat", ".3f", _loss),
    Form("loss of its twin", ".2f", _loss_of_twin),
)
