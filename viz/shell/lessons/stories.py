"""The story of a model in lessons: its two sentences, their words, and the head that decides.

A lesson that uses it names no words itself, so it works with the examples of any model.
"""

from model.interventions import link_text
from model.interventions.heads import AblateHead
from model.words import find_word, words_of
from viz.compute import examples, pairs, runs, swings
from viz.compute.runs import Subject
from viz.shell.lessons.form import Form, effect_of

NAMES = ("first", "second")
CHOICES = ("the first choice", "the second choice")


def named(word: str) -> str:
    """Return the word that plays a part in the story, such as "the first choice".

    Any other word is returned as it is. Raises ValueError if the model's examples have no story.
    """
    for name in NAMES:
        for part in ("word", "choice"):
            if word == f"the {name} {part}":
                return _part(name, part)
    return word


def alike(word: str) -> tuple[str, ...]:
    """Return a word, followed by its rival if it has one: il and elle, for example."""
    meant = named(word)
    if word in CHOICES:
        return meant, *(choice for choice in choices() if choice != meant)
    rival = examples.current().rival(meant)
    return (meant, rival) if rival else (meant,)


def query(word: str) -> str:
    """Return the word of the source that is meant as a query of the encoder.

    For either choice, this is the word that asks for it, as the encoder does not write the choice.
    """
    return swings.story().asks if word in CHOICES else named(word)


def choices() -> tuple[str, str]:
    """Return the two pieces between which the story decides, without the mark of a word's start."""
    story = swings.story()
    first, second = pairs.pair(story.first, story.second).pieces
    return first.strip("▁"), second.strip("▁")


def _part(which: str, part: str) -> str:
    """Return the first or second sentence, word or choice of the story."""
    if part == "choice":
        return choices()[NAMES.index(which)]
    story = swings.story()
    parts = story.source if part == "word" else (story.first, story.second)
    return parts[NAMES.index(which)]


def _choice(subject: Subject) -> str:
    """Tell which of the story's two choices is in the translation: first, second or neither."""
    written = {token.strip("▁") for token in effect_of(subject).after.translation.tokens}
    chosen = [name for name, piece in zip(NAMES, choices(), strict=True) if piece in written]
    return chosen[0] if len(chosen) == 1 else "neither"


def _row(_subject: Subject, which: str) -> float:
    """Return the row of the deciding head, from 1, that decides: a step, or a piece of a word."""
    story = swings.story()
    if swings.swing().kind == "encoder":
        words = words_of(runs.source(_part(which, "sentence")).tokens)
        return float(find_word(words, story.asks).first + 1)
    return float(len(pairs.pair(story.first, story.second).prefix))


def _deciding(_subject: Subject, part: str) -> str:
    swing = swings.swing()
    layer, head = swing.layer + 1, swing.head + 1
    return {
        "head": f"{swing.kind} {layer}.{head}",
        "kind": swing.kind,
        "layer": str(layer),
        "number": str(head),
        "head off": link_text.write([AblateHead(swing.kind, swing.layer, swing.head)]),
    }[part]


FORMS: tuple[Form, ...] = (
    Form("deciding <head/kind/layer/number/head off>", "", _deciding),
    Form("deciding row of the <first/second> sentence", ".0f", _row),
    Form("<first/second> <sentence/word/choice> of the story", "", lambda _, *part: _part(*part)),
    Form("choice", "", _choice),
)
