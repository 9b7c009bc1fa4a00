"""The model's own story in lessons: its sentences, its words, and the head that decides.

With it, a lesson need not name these itself, and works with the pair of any model's examples.
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
    """Return a word and, after it, its rival if it has one: il and elle, for example."""
    said = named(word)
    if word in CHOICES:
        return said, *(choice for choice in choices() if choice != said)
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
    found = [name for name, piece in zip(NAMES, choices(), strict=True) if piece in written]
    return found[0] if len(found) == 1 else "neither"


def _row(_subject: Subject, which: str) -> float:
    """Return the row, from 1, in which the deciding head decides: a step, or a word's piece."""
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
