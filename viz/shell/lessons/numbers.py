"""The numbers of the shipped lessons, kept in the folder of the model that they were measured on.

`python -m viz.shell.lessons.renew` writes them. They count only for the weights that they were
measured with; with other weights, a scene's numbers are measured when it is opened.
"""

from model.interventions import link_text
from viz.compute import measured, models
from viz.compute.runs import Subject
from viz.shell.lessons.form import Value

FILE = "lessons.json"

Numbers = dict[str, dict[str, dict[str, Value]]]
"""Values by sentence, by interventions as links have them, and by measure."""


def put(numbers: Numbers, measure: str, subject: Subject, value: Value) -> None:
    """Add the value of a measure on a subject to `numbers`."""
    edits = link_text.write(subject.interventions)
    numbers.setdefault(subject.sentence, {}).setdefault(edits, {})[measure] = value


def known(measure: str, subject: Subject) -> Value:
    """Return the kept value of a measure on the model in force; ValueError if there is none."""
    edits = link_text.write(subject.interventions)
    try:
        return read(models.in_force())[subject.sentence][edits][measure]
    except KeyError:
        raise ValueError(f"{measure} has not been measured") from None


def read(name: str) -> Numbers:
    """Return the numbers in a model's folder; {} if there are none for its weights."""
    return measured.read(name, FILE) or {}


def write(name: str, numbers: Numbers) -> None:
    """Keep numbers in the folder of their model."""
    measured.write(name, FILE, numbers)
