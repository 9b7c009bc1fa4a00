"""Measures of an attention sink: the head that looks most at a key and takes least from it."""

import numpy as np

from model.interventions import link_text
from model.interventions.heads import AblateHead
from viz.compute.runs import Subject
from viz.compute.taken import Sink, sink
from viz.figures.theme import bare
from viz.shell.lessons.form import effect_of, forms


def _sink(subject: Subject) -> Sink:
    return sink(effect_of(subject).before.recording)


def _named(subject: Subject, part: str) -> str:
    head = _sink(subject).head
    return {
        "head": f"{head.kind} {head.layer + 1}.{head.head + 1}",
        "kind": head.kind,
        "layer": str(head.layer + 1),
        "number": str(head.head + 1),
        "head off": link_text.write([AblateHead(head.kind, head.layer, head.head)]),
    }[part]


def _other(subject: Subject, which: str) -> float:
    others = _sink(subject).others
    return float(others.min() if which == "shortest" else others.max())


def _beside(subject: Subject) -> float:
    sink_ = _sink(subject)
    return sink_.written / float(np.median(sink_.others))


FORMS = forms(
    {
        "": {
            "emptiest <head/kind/layer/number/head off>": _named,
            "key of the emptiest head": lambda s: bare(_sink(s).key),
        },
        ".2f": {
            "weight of the emptiest head on its key": lambda s: _sink(s).weight,
            "length of the value of its key": lambda s: _sink(s).own,
            "length of its <shortest/longest> other value": _other,
            "length of what the emptiest head writes": lambda s: _sink(s).written,
        },
        "share": {"what the emptiest head writes beside a usual value": _beside},
    }
)
