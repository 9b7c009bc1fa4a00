"""The measures of the model's own story: its sentences, its words, and the head that decides.

With them, a lesson need not name these itself, and works with the pair of any model's examples.
"""

from collections.abc import Callable

from model.interventions import link_text
from model.interventions.heads import AblateHead
from model.measures.swing import Swing
from model.words import find_word, words_of
from viz.compute import examples, pairs, runs, swings
from viz.compute.runs import Subject
from viz.shell.lessons.subject import Form, Value, effect_of

NAMES = {"first": 0, "second": 1}
CHOICES = ("the first choice", "the second choice")


def named(word: str) -> str:
    """Return the word that plays a part in the story, such as "the first choice".

    Any other word is returned as it is. Raises ValueError if the model's examples have no story.
    """
    for name, number in NAMES.items():
        if word == f"the {name} word":
            return swings.story().source[number]
        if word == f"the {name} choice":
            return choices()[number]
    return word


def alike(word: str) -> tuple[str, ...]:
    """Return a word and, after it, its rival if it has one: il and elle, for example."""
    said = named(word)
    if word in CHOICES:
        one, other = choices()
        return said, other if said == one else one
    rival = examples.current().rival(said)
    return (said, rival) if rival else (said,)


def query(word: str) -> str:
    """Return the word of the source whose row of the encoder is meant.

    For either choice, this is the word that asks for it: the encoder has written nothing yet.
    """
    return swings.story().asks if word in CHOICES else named(word)


def choices() -> tuple[str, str]:
    """Return the two pieces that the story decides between, without the mark of a word's start."""
    story = swings.story()
    one, other = pairs.pair(story.first, story.second).pieces
    return one.strip("▁"), other.strip("▁")


def _sentence(_subject: Subject, which: str) -> str:
    story = swings.story()
    return (story.first, story.second)[_number(which)]


def _word(_subject: Subject, which: str) -> str:
    return swings.story().source[_number(which)]


def _choice_called(_subject: Subject, which: str) -> str:
    return choices()[_number(which)]


def _number(which: str) -> int:
    if which not in NAMES:
        raise ValueError(f"a story has a first and a second sentence, no {which!r}")
    return NAMES[which]


def _choice(subject: Subject) -> str:
    """Tell which of the story's two choices is in the translation: first, second or neither."""
    written = {token.strip("▁") for token in effect_of(subject).after.translation.tokens}
    found = [name for name, piece in zip(NAMES, choices(), strict=True) if piece in written]
    return found[0] if len(found) == 1 else "neither"


def _row(_subject: Subject, which: str) -> float:
    """Return the row, from 1, in which the deciding head decides: a step, or a word's piece."""
    story = swings.story()
    if swings.swing().kind == "encoder":
        text = (story.first, story.second)[_number(which)]
        words = words_of(runs.source(text).tokens)
        return float(find_word(words, story.asks).first + 1)
    return float(len(pairs.pair(story.first, story.second).prefix))


def _head_off(_subject: Subject) -> str:
    swing = swings.swing()
    return link_text.write([AblateHead(swing.kind, swing.layer, swing.head)])


def _layer_off(_subject: Subject) -> str:
    swing, heads = swings.swing(), runs.translator().config.heads
    return link_text.write([AblateHead(swing.kind, swing.layer, head) for head in range(heads)])


def _deciding(part: Callable[[Swing], Value]) -> Callable[[Subject], Value]:
    return lambda _subject: part(swings.swing())


FORMS: tuple[Form, ...] = (
    Form("deciding head", "", _deciding(lambda s: f"{s.kind} {s.layer + 1}.{s.head + 1}")),
    Form("deciding kind", "", _deciding(lambda swing: swing.kind)),
    Form("deciding layer", ".0f", _deciding(lambda swing: float(swing.layer + 1))),
    Form("deciding number", ".0f", _deciding(lambda swing: float(swing.head + 1))),
    Form("deciding head off", "", _head_off),
    Form("deciding layer off", "", _layer_off),
    Form("<which> sentence of the story", "", _sentence),
    Form("<which> word of the story", "", _word),
    Form("<which> choice of the story", "", _choice_called),
    Form("choice", "", _choice),
    Form("deciding row of the <which> sentence", ".0f", _row),
)
