"""The measures of lessons: short phrases whose values the model computes for a scene.

`viz/lessons/README.md` lists them for teachers; a test compares that list with `FORMS`.
"""

import math
import re

import numpy as np

from model.interventions import link_text
from model.recording.recording import Recording
from model.sites.sites import Kind
from model.words import Word, find_word, parted, words_of
from viz.compute import effects, examples, runs, swings, weights
from viz.compute.runs import Subject
from viz.figures.labels import Number
from viz.figures.weights import softmax
from viz.shell.lessons import (
    beginnings,
    cheats,
    claims,
    corpus,
    layers,
    more_claims,
    pieces,
    stories,
)
from viz.shell.lessons.format import OPERATORS, Condition, number
from viz.shell.lessons.subject import Form, Value, effect_of
from viz.shell.lessons.whole import (
    future,
    kind_called,
    largest_logit_change,
    largest_weight,
    largest_weight_before,
    log_prob,
    log_prob_before,
    own_weight,
    own_weight_before,
    rise,
)


def is_measure(text: str) -> bool:
    """Tell whether a text is a measure."""
    return _find(text) is not None


def measure(text: str, subject: Subject) -> Value:
    """Return the value of a measure.

    Raises ValueError if there is no such measure, or if it cannot be taken on this subject: if a
    word is not in the sentence, for example.
    """
    found = _find(text)
    if found is None:
        raise ValueError(f"no measure is called {text!r}")
    form, given = found
    return form.measure(subject, **given)


def written(text: str, subject: Subject) -> str:
    """Return the value of a measure as text for a sentence; raise ValueError as `measure` does."""
    value = measure(text, subject)
    found = _find(text)
    assert found is not None
    return value if isinstance(value, str) else _write(value, found[0].style)


def holds(condition: Condition, subject: Subject) -> bool:
    """Tell whether a condition of a lesson holds; raise ValueError if it cannot be measured."""
    value, expected = measure(condition.measure, subject), condition.value
    if condition.operator in (">", "<"):
        if isinstance(value, str):
            raise ValueError(f"{condition.measure} is {value!r}, no number to compare")
        bound = number(expected)
        return value > bound if condition.operator == ">" else value < bound
    text = value if isinstance(value, str) else written(condition.measure, subject)
    if condition.operator in ("has", "lacks"):
        words = {word.lower() for word in _split(text)}
        inside = all(word.lower() in words for word in _split(expected))
        return inside == (condition.operator == "has")
    assert condition.operator in OPERATORS
    return (text == expected) == (condition.operator == "is")


def _find(text: str) -> tuple[Form, dict[str, str]] | None:
    for form in FORMS:
        if match := form.pattern.fullmatch(text):
            return form, match.groupdict()
    return None


def _write(value: float, style: str) -> str:
    if style == "share":
        return f"{value:.1%}"
    if style == "error":  # one significant digit, without powers of ten
        digits = 0 if value == 0 else max(0, -math.floor(math.log10(abs(value))))
        return f"{value:.{digits}f}"
    return f"{Number(value):{style}}"


def _split(text: str) -> list[str]:
    """Split at spaces, apostrophes and punctuation: "qu'il" contains "il"."""
    return re.findall(r"\w+", text)


def _translated(recording: Recording) -> list[Word]:
    return words_of(recording.target_tokens[1:])


def _translation(subject: Subject) -> str:
    return effect_of(subject).after.translation.text


def _translation_before(subject: Subject) -> str:
    return effect_of(subject).before.translation.text


def _changed_words(subject: Subject) -> float:
    return float(effect_of(subject).words_changed)


def _words_written(subject: Subject) -> float:
    return float(len(_split(_translation(subject))))


def _pronoun(subject: Subject) -> str:
    pronouns = {word for rivals in examples.current().rivals for word in rivals}
    found = [word for word in _split(_translation(subject)) if word in pronouns]
    return found[-1] if found else "none"


def _row(recording: Recording, word: str) -> int:
    """Return the decoder's row that writes a word, or the word that may stand in its place."""
    words, names = _translated(recording), stories.alike(word)
    found = [each for each in words if each.text in names] or [find_word(words, names[0])]
    return found[-1].first


def _probability(subject: Subject, word: str) -> float:
    return _chance(effect_of(subject).after.recording, word)


def _probability_before(subject: Subject, word: str) -> float:
    return _chance(effect_of(subject).before.recording, word)


def _chance(recording: Recording, word: str) -> float:
    row, names = _row(recording, word), stories.alike(word)
    written_piece = [*recording.target_tokens, ""][row + 1]
    piece = written_piece
    if len(names) > 1:
        piece = ("▁" if written_piece.startswith("▁") else "") + names[0]
    chances = softmax(recording.logits[row].astype(np.float64))
    return float(chances[runs.translator().target_tokenizer.id(piece)])


def _weight(subject: Subject, head: str, query: str, key: str) -> float:
    return _given(effect_of(subject).after.recording, head, query, key)


def _weight_before(subject: Subject, head: str, query: str, key: str) -> float:
    return _given(effect_of(subject).before.recording, head, query, key)


def _given(recording: Recording, head: str, query: str, key: str) -> float:
    """Return a head's weight from one word to another, summed over the key's pieces.

    The row of a word of the translation is the one that writes it.
    """
    kind, layer, number_ = _head(head, recording)
    source, target = words_of(recording.source_tokens), _translated(recording)
    key = stories.named(key)
    row = (
        find_word(source, stories.query(query)).first
        if kind == "encoder"
        else _row(recording, query)
    )
    keys = find_word(target if kind == "decoder" else source, key)
    later = int(kind == "decoder")  # behind the begin token
    row_weights = recording.attention(kind)[layer, number_, row]
    return float(row_weights[keys.first + later : keys.last + 1 + later].sum())


def _score(subject: Subject, head: str, query: str, key: str) -> float:
    """Return a head's score from a word to the first piece of another, before the softmax."""
    recording = effect_of(subject).after.recording
    kind, layer, place = _head(head, recording)
    _weight(subject, head, query, key)  # raises ValueError if something is wrong with the words
    words = words_of(recording.source_tokens)
    row = find_word(words, query).first if kind == "encoder" else _row(recording, query)
    key_words = _translated(recording) if kind == "decoder" else words
    column = find_word(key_words, key).first + int(kind == "decoder")
    return float(recording.part(kind, layer, "scores")[place, row, column])


def _row_of(subject: Subject, word: str) -> float:
    return float(_row(effect_of(subject).before.recording, word) + 1)


def _place_of(subject: Subject, word: str) -> float:
    words = words_of(effect_of(subject).before.source.tokens)
    return float(find_word(words, stories.named(word)).first + 1)


def _least_off(subject: Subject, count: str) -> str:
    return link_text.write(effects.least_important(subject.sentence, int(count)))


def _head(text: str, recording: Recording) -> tuple[Kind, int, int]:
    """Read "cross 5.6" or "the deciding head" as a kind, a layer and a head, from 0.

    Raises ValueError if there is no such head.
    """
    if text == "the deciding head":
        swing = swings.swing()
        return swing.kind, swing.layer, swing.head
    found = re.fullmatch(r"(\w+) (\d+)\.(\d+)", text)
    if not found:
        raise ValueError(f'a head is written "cross 5.6", not {text!r}')
    kind = kind_called(found[1])
    layer, head = int(found[2]) - 1, int(found[3]) - 1
    layers, heads = recording.attention(kind).shape[:2]
    if not (0 <= layer < layers and 0 <= head < heads):
        raise ValueError(f"this model has no head {text}")
    return kind, layer, head


def _shape(subject: Subject, site: str) -> str:
    return " x ".join(str(size) for size in effect_of(subject).after.recording[site].shape)


def _negatives(subject: Subject, site: str) -> float:
    return float((effect_of(subject).after.recording[site] < 0).mean())


def _pieces(subject: Subject) -> float:
    return float(len(effect_of(subject).before.source.ids) - 1)


def _pieces_of(_subject: Subject, text: str) -> float:
    return float(len(runs.translator().tokenizer.encode(text)))


def _words(subject: Subject) -> float:
    return float(len(parted(subject.sentence)))


def _id_of(_subject: Subject, piece: str) -> float:
    return float(runs.translator().tokenizer.id("▁" + piece))


def _neighbour(_subject: Subject, word: str) -> str:
    vocabulary = weights.vocabulary()
    own = runs.translator().tokenizer.id("▁" + word)
    cosines = vocabulary.units @ vocabulary.units[own]
    cosines[[own, *vocabulary.mute]] = -2
    return vocabulary.tokens[int(cosines.argmax())].strip("▁")


FORMS: tuple[Form, ...] = (
    Form("translation", "", _translation),
    Form("translation before", "", _translation_before),
    Form("changed words", ".0f", _changed_words),
    Form("words written", ".0f", _words_written),
    Form("pronoun", "", _pronoun),
    Form("probability of <word>", "share", _probability),
    Form("probability before of <word>", "share", _probability_before),
    Form("weight of <head> from <query> to <key>", ".2f", _weight),
    Form("weight before of <head> from <query> to <key>", ".2f", _weight_before),
    Form("score of <head> from <query> to <key>", ".1f", _score),
    Form("row of <word>", ".0f", _row_of),
    Form("place of <word>", ".0f", _place_of),
    Form("log-probability", ".2f", log_prob),
    Form("log-probability before", ".2f", log_prob_before),
    Form("largest logit change", "error", largest_logit_change),
    Form("share on the future", "share", future),
    Form("mean largest weight of <kind>", ".2f", largest_weight),
    Form("mean largest weight before of <kind>", ".2f", largest_weight_before),
    Form("rise of the mean largest weight of <kind>", ".2f", rise),
    Form("mean weight on itself in <kind>", "share", own_weight),
    Form("mean weight before on itself in <kind>", "share", own_weight_before),
    *stories.FORMS,
    Form("least important <count> heads off", "", _least_off),
    Form("pieces", ".0f", _pieces),
    Form("pieces of <text>", ".0f", _pieces_of),
    Form("words", ".0f", _words),
    Form("id of <piece>", ".0f", _id_of),
    Form("neighbour of <word>", "", _neighbour),
    Form("shape of <site>", "", _shape),
    Form("negatives in <site>", "share", _negatives),
    *claims.FORMS,
    *more_claims.FORMS,
    *beginnings.FORMS,
    *layers.FORMS,
    *pieces.FORMS,
    *cheats.FORMS,
    *corpus.FORMS,
)
