"""The measures of lessons: short phrases whose values the model computes for a scene.

`viz/lessons/README.md` lists `FORMS` for teachers, and a test compares that list. `questions.py`
has the measures that only single scenes of the shipped lessons ask for.
"""

import math
import re
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from model.measures.atlas.roles import ROLES, Role
from model.recording.recording import Recording
from model.sites.sites import KINDS, Head, Kind
from model.words import Word, find_word, parted, words_of
from viz.compute import atlas, examples, runs, swings
from viz.compute.effects import on_future
from viz.compute.runs import Subject
from viz.figures.labels import Number, kind_names
from viz.figures.weights import on_itself, sharpness, softmax
from viz.language.text import _
from viz.shell.lessons import numbers, stories
from viz.shell.lessons.form import Form, Value, effect_of, forms
from viz.shell.lessons.format import OPERATORS, Choice, Condition, Question, number
from viz.shell.lessons.questions import QUESTIONS, VERDICTS

_KINDS: dict[str, Kind] = {str(kind): kind for kind in KINDS}
_HEAD = re.compile(rf"({'|'.join(KINDS)}) ([1-9]\d*)\.([1-9]\d*)")

BEFORE, RISE = " before", "rise of "
"""The words that ask for a measure of the unchanged model, and for the rise of a measure above it.
"""


def is_measure(phrase: str) -> bool:
    """Tell whether a phrase is a measure."""
    return _find(phrase) is not None


def value(phrase: str, subject: Subject) -> Value:
    """Return the value of a measure: the one that is kept, or else what `measure` returns."""
    with suppress(ValueError):
        return numbers.known(phrase, subject)
    return measure(phrase, subject)


def measure(phrase: str, subject: Subject) -> Value:
    """Run the model and return the value of a measure.

    Raises ValueError if there is no such measure, or if this subject cannot be measured so, for
    example because a word is not in the sentence.
    """
    read = _find(phrase)
    if read is None:
        raise ValueError(f"no measure is called {phrase!r}")
    form, given, modifier = read
    unchanged = Subject(subject.sentence)
    if modifier != RISE:
        return form.measure(unchanged if modifier == BEFORE else subject, *given)
    after, before = (form.measure(each, *given) for each in (subject, unchanged))
    if isinstance(after, str) or isinstance(before, str):
        raise ValueError(f"{phrase}: only a number can rise")
    return after - before


def written(phrase: str, subject: Subject) -> str:
    """Return the value of a measure as text for the screen; raise ValueError as `value` does.

    Heads and verdicts are in the visitor's language; `write` returns them as links have them.
    """
    shown = write(phrase, value(phrase, subject))
    if match := _HEAD.fullmatch(shown):
        return f"{kind_names()[_KINDS[match[1]]]} {match[2]}.{match[3]}"
    return _(shown) if shown in VERDICTS else shown


def write(phrase: str, value: Value) -> str:
    """Return the value of a measure as text, in the measure's style."""
    read = _find(phrase)
    if isinstance(value, str):
        return value
    if read is None:
        return f"{value:g}"
    style = read[0].style
    if style == "share":
        return f"{value:.1%}"
    if style == "error":  # one significant digit, without powers of ten
        digits = 0 if value == 0 else max(0, -math.floor(math.log10(abs(value))))
        return f"{value:.{digits}f}"
    return f"{Number(value):{style}}"


def holds(condition: Condition, subject: Subject) -> bool:
    """Tell whether a condition of a lesson holds; ValueError if its measure cannot be taken."""
    return compared(condition, value(condition.measure, subject))


def compared(condition: Condition, measured: Value) -> bool:
    """Tell whether a condition holds for a measured value; ValueError if it cannot be compared."""
    expected = condition.value
    if condition.operator in (">", "<"):
        if isinstance(measured, str):
            raise ValueError(f"{condition.measure} is {measured!r}, no number to compare")
        bound = number(expected)
        return measured > bound if condition.operator == ">" else measured < bound
    shown = write(condition.measure, measured)
    if condition.operator in ("has", "lacks"):
        words = {word.lower() for word in _split(shown)}
        inside = all(word.lower() in words for word in _split(expected))
        return inside == (condition.operator == "has")
    assert condition.operator in OPERATORS
    return (shown == expected) == (condition.operator == "is")


def right(choices: tuple[Choice, ...], subject: Subject) -> int | None:
    """Return the index of the right choice: the first whose condition holds, or that has none.

    Return None if no choice is right; raise ValueError if a condition cannot be measured.
    """
    for index, choice in enumerate(choices):
        if choice.condition is None or holds(choice.condition, subject):
            return index
    return None


def then(question: Question, subject: Subject) -> str:
    """Return the text that follows the answer: the first whose condition holds, "" if none does."""
    for follows in question.then:
        if follows.condition is None or holds(follows.condition, subject):
            return follows.text
    return ""


@lru_cache(maxsize=1024)
def _find(phrase: str) -> tuple[Form, tuple[str, ...], str] | None:
    """Return the form of a measure, the contents of its slots, and its modifier."""
    for modifier, bare in (
        (BEFORE, phrase.removesuffix(BEFORE)),
        (RISE, phrase.removeprefix(RISE)),
        ("", phrase),
    ):
        for form in (*FORMS, *QUESTIONS) if bare != phrase or not modifier else ():
            if match := form.pattern.fullmatch(bare):
                return form, match.groups(), modifier
    return None


def _split(text: str) -> list[str]:
    """Split a text at spaces, apostrophes and punctuation, so that "qu'il" contains "il"."""
    return re.findall(r"\w+", text)


def _recording(subject: Subject) -> Recording:
    return effect_of(subject).after.recording


def _translation(subject: Subject) -> str:
    return effect_of(subject).after.translation.text


def _pronoun(subject: Subject) -> str:
    pronouns = {word for rivals in examples.current().rivals for word in rivals}
    written_pronouns = [word for word in _split(_translation(subject)) if word in pronouns]
    return written_pronouns[-1] if written_pronouns else "none"


def _translated(recording: Recording) -> list[Word]:
    return words_of(recording.target_tokens[1:])


def _row(recording: Recording, word: str) -> int:
    """Return the decoder's row that writes a word, or the word's rival."""
    words, names = _translated(recording), stories.alike(word)
    matches = [each for each in words if each.text in names] or [find_word(words, names[0])]
    return matches[-1].first


def _place(subject: Subject, word: str) -> float:
    words = words_of(runs.source(subject.sentence).tokens)
    return find_word(words, stories.named(word)).first + 1.0


def _probability(subject: Subject, word: str) -> float:
    recording, names = _recording(subject), stories.alike(word)
    row = _row(recording, word)
    piece = [*recording.target_tokens, ""][row + 1]
    if len(names) > 1:
        piece = ("▁" if piece.startswith("▁") else "") + names[0]
    chances = softmax(recording.logits[row].astype(np.float64))
    return float(chances[runs.translator().target_tokenizer.id(piece)])


def _head(text: str) -> Head:
    """Read "cross 5.6" or "the deciding head"; raise ValueError if there is no such head."""
    if text == "the deciding head":
        swing = swings.swing()
        return Head(swing.kind, swing.layer, swing.head)
    read = _HEAD.fullmatch(text)
    if not read:
        raise ValueError(f'a head is written "cross 5.6", not {text!r}')
    config = runs.translator().config
    kind = _KINDS[read[1]]
    head = Head(kind, int(read[2]) - 1, int(read[3]) - 1)
    if head.layer >= config.layers(kind) or head.head >= config.heads:
        raise ValueError(f"this model has no head {text}")
    return head


def _link(part: str, subject: Subject, head: str, query: str, key: str) -> list[float]:
    """Return the weights or scores of a head from one word to each piece of another.

    `part` is "weights" or "scores". A word of the translation looks from the row that writes it.
    """
    (kind, layer, number), recording = _head(head), _recording(subject)
    source, target = words_of(recording.source_tokens), _translated(recording)
    in_encoder, in_decoder = kind == "encoder", kind == "decoder"
    row = find_word(source, stories.query(query)).first if in_encoder else _row(recording, query)
    keys = find_word(target if in_decoder else source, stories.named(key))
    later = int(in_decoder)  # the begin token comes first
    of_row = recording.part(kind, layer, part)[number, row]
    return [float(each) for each in of_row[keys.first + later : keys.last + 1 + later]]


def _weights(subject: Subject, kind: Kind) -> NDArray[np.float32]:
    """Return the weights (L, H, T, S) of the changed model, given the translation before."""
    return effect_of(subject).forced.attention(kind)


def _distance(subject: Subject, kind: Kind) -> float:
    """Return how far queries look on average, in pieces."""
    weights = _weights(subject, kind)
    places = np.arange(weights.shape[-1])
    return float((weights * np.abs(places[:, None] - places)).sum(axis=-1).mean())


def _role(head: Head, text: str) -> Role:
    for role in ROLES[head.kind]:
        if role == text:
            return role
    raise ValueError(f"one of {', '.join(ROLES[head.kind])} expected, not {text!r}")


def _in_sentences(_subject: Subject, head: str, role: str) -> float:
    """Return the share of the atlas's sentences in which a head gives half its weight to a role."""
    at = _head(head)
    holds, arises = atlas.atlas(()).share(at, _role(at, role))
    if not arises:
        raise ValueError(f"{role} never arises in the atlas")
    return holds / arises


def _on_role(_subject: Subject, what: str, head: str, role: str) -> float:
    at, roles = _head(head), atlas.atlas(())
    table = roles.chance(at.kind) if what == "chance" else roles.scores(at.kind)  # R L H
    return float(table[ROLES[at.kind].index(_role(at, role)), at.layer, at.head])


def _heads_with(_subject: Subject, role: str) -> float:
    """Count the heads that have a role in the atlas; the role "nothing" is that of all others."""
    if role != "nothing" and not any(role in roles for roles in ROLES.values()):
        raise ValueError(f"no role is called {role!r}")
    roles = atlas.atlas(())
    return float(
        sum(
            ((*ROLES[kind], "nothing")[best] == role)
            for kind in roles.kinds
            for best in roles.best(kind).role.flat
        )
    )


_BY_STYLE: dict[str, dict[str, Callable[..., Value]]] = {
    "": {
        "translation": _translation,
        "pronoun": _pronoun,
        "shape of <site>": lambda s, site: " x ".join(map(str, _recording(s)[site].shape)),
    },
    ".0f": {
        "changed words": lambda s: float(effect_of(s).words_changed),
        "words written": lambda s: float(len(_split(_translation(s)))),
        "rows of <site>": lambda s, site: float(len(_recording(s)[site])),
        "row of <word>": lambda s, word: _row(effect_of(s).before.recording, word) + 1.0,
        "place of <word>": _place,
        "pieces": lambda s: len(runs.source(s.sentence).ids) - 1.0,
        "pieces of <text>": lambda _, text: float(len(runs.translator().tokenizer.encode(text))),
        "words": lambda s: float(len(parted(s.sentence))),
        "layers": lambda _: float(runs.translator().config.layers("encoder")),
        "heads": lambda _: float(runs.translator().config.heads),
        "heads that look at <role>": _heads_with,
    },
    "share": {
        "probability beside <word> and <word>": lambda s, *words: (
            1 - sum(_probability(s, word) for word in words)
        ),
        "probability of <word>": _probability,
        "negatives in <site>": lambda s, site: float((_recording(s)[site] < 0).mean()),
        "share on the future": lambda s: float(on_future(effect_of(s).forced).mean()),
        "mean weight on itself in <encoder/decoder>": lambda s, kind: on_itself(_weights(s, kind)),
        "share of sentences in which <head> looks at <role>": _in_sentences,
    },
    ".2f": {
        "log-probability": lambda s: effect_of(s).log_probs[1],
        "weight of <head> from <query> to <key>": lambda *of: sum(_link("weights", *of)),
        "mean largest weight of <encoder/decoder/cross>": lambda s, kind: sharpness(
            _weights(s, kind)
        )[1],
        "mean distance of <encoder/decoder>": _distance,
        "<mean weight/chance> of <head> on <role>": _on_role,
    },
    ".1f": {"score of <head> from <query> to <key>": lambda *of: _link("scores", *of)[0]},
    "error": {"largest logit change": lambda s: effect_of(s).largest_logit_change},
}
FORMS = (*forms(_BY_STYLE), *stories.FORMS)
