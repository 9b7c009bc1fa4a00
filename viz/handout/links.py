"""The link that a pupil hands in, and what can be measured on it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import parse_qsl, urlsplit

import numpy as np

from model.interventions import link_text
from model.interventions.attention import SetAttention, TurnAttention
from model.interventions.heads import AblateHead
from model.interventions.masks import BlockAttention
from model.words import find_word, words_changed, words_of
from viz.compute import effects, models, runs
from viz.compute.effects import Effect
from viz.compute.runs import Subject
from viz.course.pages import COURSE
from viz.link import edits, focus
from viz.shell.lessons import measures
from viz.shell.lessons.form import Value

LONGEST = 8000
"""The most characters of a link."""


@dataclass(frozen=True)
class HandedLink:
    """The state that a link names: its page, its sentences, and its interventions."""

    page: str
    parameters: Mapping[str, str]
    subject: Subject

    @property
    def second(self) -> str:
        """Return the second sentence; ValueError where the link has none."""
        if not (second := self.parameters.get("second", "")):
            raise ValueError("the link has no second sentence")
        return second

    @cached_property
    def effect(self) -> Effect:
        """Return the effect of the interventions: the runs without and with them."""
        return effects.effect(self.subject.sentence, self.subject.interventions)


def read_link(link: str) -> HandedLink:
    """Read a link to the app or to a site; ValueError says what is wrong with it."""
    page, parameters = _parts(link)
    if page not in {entry.link for entry in COURSE}:
        raise ValueError(f"no page is called {page!r}: copy the whole link from the address bar")
    if not (sentence := parameters.get("sentence", "").strip()):
        raise ValueError("the link names no sentence")
    changes = edits.read(parameters.get("edits", ""), sentence)
    if changes.refused:
        raise ValueError(f"no change of the model is written {', '.join(changes.refused)}")
    if changes.dropped:
        raise ValueError("its changes belong to another sentence")
    runs.source(sentence)
    return HandedLink(page, parameters, Subject(sentence, changes.interventions))


def model_of(link: str) -> str:
    """Return the model that a link names if it is here, else the default."""
    asked = _parts(link)[1].get(models.CHOSEN, "")
    return asked if asked in models.folders() else models.default()


def _parts(link: str) -> tuple[str, dict[str, str]]:
    """Return the page of a link and its parameters; ValueError if the text is not a link."""
    if len(link) > LONGEST:
        raise ValueError(f"a link has at most {LONGEST:,} characters")
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        raise ValueError("this is no link") from None
    page = parts.path.rstrip("/").rpartition("/")[2].removesuffix(".html")
    return page, dict(parse_qsl(parts.query))


def is_measure(phrase: str) -> bool:
    """Tell whether a phrase names a measure that can be taken of a link."""
    return phrase in MEASURES or measures.is_measure(phrase)


def value(phrase: str, link: HandedLink) -> Value:
    """Return the value of a measure of a link; ValueError if it cannot be taken."""
    if phrase in MEASURES:
        return MEASURES[phrase](link)
    return measures.value(phrase, link.subject)


def _count(kind: type) -> Callable[[HandedLink], float]:
    return lambda link: float(sum(isinstance(each, kind) for each in link.subject.interventions))


def _cut_from_it(link: HandedLink) -> float:
    """Count the forbidden links of the encoder whose query is the word "it"."""
    it = find_word(words_of(runs.source(link.subject.sentence).tokens), "it")
    return float(
        sum(
            isinstance(each, BlockAttention) and each.kind == "encoder" and each.query == it.first
            for each in link.subject.interventions
        )
    )


def _turns(link: HandedLink) -> str:
    """Return "yes" if the interventions turn one pronoun into another, else "no"."""
    both = {str(measures.value(f"pronoun{when}", link.subject)) for when in ("", measures.BEFORE)}
    return "yes" if len(both) == 2 and "none" not in both else "no"


def _was_looked_at(link: HandedLink) -> float:
    """Return the largest weight that turned rows gave to their new keys in the unchanged model."""
    recording = link.effect.before.recording
    weights_before = [0.0]
    changes = link.subject.interventions
    turned = [each for each in changes if isinstance(each, SetAttention | TurnAttention)]
    if not turned:
        raise ValueError("no row of attention is turned in this link")
    for turn in turned:
        weights = recording.attention(turn.kind)  # L H query key
        if isinstance(turn, SetAttention):
            heads, keys = ((turn.layer, turn.head),), (int(np.argmax(turn.weights)),)
        else:
            every = ((layer, None) for layer in range(len(weights)))
            heads, keys = turn.heads or tuple(every), turn.keys
        for layer, head in heads:
            of = weights[layer, slice(None) if head is None else head, turn.query]  # ... key
            weights_before.append(float(np.mean(np.atleast_2d(of)[:, list(keys)].sum(axis=-1))))
    return max(weights_before)


def _name(link: HandedLink) -> str:
    """Return the name that both sentences share: a capitalised word that is not the first word."""
    words = words_of(runs.source(link.subject.sentence).tokens)
    written = {word.text for word in words_of(link.effect.before.recording.target_tokens[1:])}
    for word in words[1:]:
        if word.text[:1].isupper() and len(word.text) > 1 and word.text in written:
            return word.text
    raise ValueError("no name after the first word stands in both languages")


def _on_name(link: HandedLink) -> float:
    """Return the weight of the link's cross head on the name, as its first piece is written."""
    config = runs.translator().config
    chosen = focus.read(link.parameters, runs.translator().network.config).focus
    if chosen.kind != "cross" or chosen.layer is None or chosen.head is None:
        raise ValueError("the link names no head of cross-attention")
    if chosen.layer >= config.layers("cross"):
        raise ValueError("this model has no such layer")
    name = f"weight of cross {chosen.layer + 1}.{chosen.head + 1} from {{0}} to {{0}}"
    weight = measures.value(name.format(_name(link)), Subject(link.subject.sentence))
    return float(weight) if not isinstance(weight, str) else math.nan


def _translation(sentence: str) -> str:
    return runs.run(sentence).translation.text


MEASURES: Mapping[str, Callable[[HandedLink], Value]] = {
    "page": lambda link: link.page,
    "changes": lambda link: float(len(link_text.groups(link.subject.interventions))),
    "heads off": _count(AblateHead),
    "links cut": _count(BlockAttention),
    "links cut from it": _cut_from_it,
    "other links cut": lambda link: _count(BlockAttention)(link) - _cut_from_it(link),
    "pronoun turns": _turns,
    "rows turned": lambda link: sum(_count(k)(link) for k in (SetAttention, TurnAttention)),
    "earlier weight of the new keys": _was_looked_at,
    "copied name": _name,
    "weight of the head on the name": _on_name,
    "words between the sentences": lambda link: float(
        words_changed(link.subject.sentence, link.second)
    ),
    "words between the translations": lambda link: float(
        words_changed(_translation(link.subject.sentence), _translation(link.second))
    ),
}
"""The measures that assignments use besides those of lessons."""
