"""The measures of the atlas: what a head does over a whole corpus, in the unchanged model."""

import re

from model.measures.atlas.atlas import Atlas
from model.measures.atlas.roles import ROLES, Role
from model.sites.sites import Head
from viz.compute import atlas, swings
from viz.compute.runs import Subject
from viz.shell.lessons.subject import Form
from viz.shell.lessons.whole import kind_called


def _found() -> Atlas:
    return atlas.atlas(())


def _head(text: str) -> Head:
    """Read "cross 5.6" or "the deciding head"; raise ValueError if there is no such head."""
    if text == "the deciding head":
        swing = swings.swing()
        return Head(swing.kind, swing.layer, swing.head)
    read = re.fullmatch(r"(\w+) ([1-9]\d*)\.([1-9]\d*)", text)
    if not read:
        raise ValueError(f'a head is written "cross 5.6", not {text!r}')
    head = Head(kind_called(read[1]), int(read[2]) - 1, int(read[3]) - 1)
    if head.layer >= _found().layers[head.kind] or head.head >= _found().heads:
        raise ValueError(f"this model has no head {text}")
    return head


def _role(head: Head, text: str) -> Role:
    known: dict[str, Role] = {str(role): role for role in ROLES[head.kind]}
    if text not in known:
        raise ValueError(f"one of {', '.join(known)} expected, not {text!r}")
    return known[text]


def _sentences(_subject: Subject) -> float:
    return float(len(_found()))


def _share(_subject: Subject, head: str, role: str) -> float:
    place = _head(head)
    holds, of = _found().share(place, _role(place, role))
    if not of:
        raise ValueError(f"{role} never arises in the atlas")
    return holds / of


def _mean(_subject: Subject, head: str, role: str) -> float:
    place = _head(head)
    at = ROLES[place.kind].index(_role(place, role)), place.layer, place.head
    return float(_found().scores(place.kind)[at])


def _chance(_subject: Subject, head: str, role: str) -> float:
    place = _head(head)
    at = ROLES[place.kind].index(_role(place, role)), place.layer, place.head
    return float(_found().chance(place.kind)[at])


def _heads(_subject: Subject, role: str) -> float:
    found, count, known = _found(), 0, role == "nothing"
    for kind in found.kinds:
        numbers = {str(each): number for number, each in enumerate(ROLES[kind])} | {"nothing": -1}
        known = known or role in numbers
        count += int((found.best(kind).role == numbers.get(role, -2)).sum())
    if not known:
        raise ValueError(f"no role is called {role!r}")
    return float(count)


def _all_heads(_subject: Subject) -> float:
    found = _found()
    return float(sum(found.layers.values()) * found.heads)


FORMS: tuple[Form, ...] = (
    Form("sentences of the atlas", ".0f", _sentences),
    Form("heads of the atlas", ".0f", _all_heads),
    Form("share of sentences in which <head> looks at <role>", "share", _share),
    Form("mean weight of <head> on <role>", ".2f", _mean),
    Form("chance of <head> on <role>", ".2f", _chance),
    Form("heads that look at <role>", ".0f", _heads),
)
