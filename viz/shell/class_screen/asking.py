"""Questions to a class about the page on screen, with the answers of the model."""

from collections.abc import Sequence
from dataclasses import fields
from math import exp

import numpy as np
from numpy.typing import NDArray

from model.decoding.steps import Candidate, Choice
from model.sites.sites import Kind
from model.words import Word, words_of
from viz.classroom.question import Question, bare
from viz.compute import decodes, runs
from viz.compute.runs import Subject
from viz.course.entry import PageEntry
from viz.figures.labels import head_text, kind_names
from viz.figures.theme import token_text
from viz.language.text import _
from viz.language.wording import escaped
from viz.link import address, edits
from viz.link.branches import Forcing
from viz.link.table import parameter
from viz.shell import state
from viz.shell.class_screen.seat import place

DECODER = "decoder"
"""The page on which a class can be asked for the next piece."""

TOP = 5
"""The number of pieces to choose from when a class is asked for the next one."""


def next_piece(entry: PageEntry, own_words: bool) -> Question:
    """Ask what the step on the decoder page writes: in one's own words, or as one of five pieces.

    The five pieces are the likeliest, in alphabetical order, without any that differ only in case
    or space. The piece that is written and its rival, such as elle for il, are always among them.
    Raises ValueError if the translation is too short to have this step.
    """
    decoding, step = _decoding()
    if step >= len(decoding.choices):
        raise ValueError("the translation is not that long")
    choice = decoding.choices[step]
    best = _offered(choice)
    right = [candidate.id for candidate in best].index(choice.chosen.id)
    pieces = [token_text(name) for name in runs.token_names(candidate.id for candidate in best)]
    shares = [exp(candidate.log_prob) for candidate in best]
    written = runs.translator().target_tokenizer.decode(list(choice.prefix[1:]))
    text = _("What will it write next? {source} → {target} …").format(
        source=escaped(state.sentence()), target=f"*{escaped(written)}*" if written else ""
    )
    if own_words:
        word = _word_begun(decoding, step)
        result = {"texts": pieces, "weights": shares, "right": pieces[right], "word": word}
        return Question("text", text, (), place(entry), result=result)
    order = sorted(range(len(pieces)), key=lambda at: (pieces[at].casefold(), at))
    result = {"weights": [shares[at] for at in order], "right": order.index(right)}
    return Question("choice", text, tuple(pieces[at] for at in order), place(entry), result=result)


def _offered(choice: Choice) -> list[Candidate]:
    """Choose the pieces to ask about: the written one, its rival, and the next likeliest."""
    rival = runs.rival(choice.chosen.id)
    asked = [choice.chosen, *(other for other in choice.alternatives if other.id == rival)]
    offered: dict[str, Candidate] = {}
    for candidate in (*asked, *choice.alternatives):
        (name,) = runs.token_names([candidate.id])
        offered.setdefault(bare(token_text(name)), candidate)
    return list(offered.values())[:TOP]


def _word_begun(decoding: decodes.Decoding, step: int) -> str:
    """Return the word that begins with the piece of a step, or else the piece."""
    tokens = runs.token_names(choice.chosen.id for choice in decoding.choices)
    begun = (word.text for word in words_of(tokens) if word.first == step and word.text)
    return next(begun, token_text(tokens[step]))


def _decoding() -> tuple[decodes.Decoding, int]:
    """Decode as the decoder page on screen does; return the decoding and the step, from 0."""
    texts = {name: address.parameters().get(name, "") for name in ("step", *_SETTINGS, *_BRANCH)}

    def read(name: str) -> object:
        row = parameter(name, DECODER)
        read_value = row.sense(texts[name]) if texts[name] else None
        return row.default if read_value is None else read_value

    strategy = decodes.Settings(*map(read, _SETTINGS)).chosen()  # pyrefly: ignore[bad-argument-type]
    branches, branch, given = (read(name) for name in _BRANCH)
    assert isinstance(branches, tuple)
    assert isinstance(branch, int)
    forced: tuple[int, ...] = ()
    if 0 < branch <= len(branches):
        forcing: Forcing = branches[branch - 1]
        forced = forcing.ids
    elif branch and given:
        tokenizer = runs.translator().target_tokenizer
        forced = (*tokenizer.encode(str(given)), tokenizer.end_id)
    run = runs.run(state.sentence(), edits.interventions())
    subject = Subject(run.source.text, run.recording.interventions)
    step = read("step")
    return decodes.decode(subject, strategy, forced), step if isinstance(step, int) else 0


_SETTINGS = tuple(field.name for field in fields(decodes.Settings))
_BRANCH = ("branches", "branch", "given")


def sides(kind: Kind) -> tuple[list[Word], list[Word]]:
    """Return the words of the queries and of the keys; raise ValueError without a sentence."""
    queries, keys = _run().recording.tokens(kind)
    return _words(queries), _words(keys)


def word_weights(kind: Kind, layer: int, head: int, query: Word) -> NDArray[np.float64]:
    """Return the weights of a head from the last piece of a word to each word of the keys."""
    weights = _run().recording.attention(kind)[layer, head, query.last]
    return _by_word(weights, sides(kind)[1])


def where(entry: PageEntry, kind: Kind, layer: int, head: int, query: Word) -> Question:
    """Ask at which word a head looks; the right answer is the word with the most weight."""
    keys = _seen(kind, query, sides(kind)[1])
    weights = word_weights(kind, layer, head, query)[: len(keys)]
    asked = (
        _("Where will head {head} look? The query is {query}: tap the key.")
        if kind == "encoder"
        else _("Where will head {head} look once {query} is written? Tap the key.")
    )
    text = asked.format(
        head=f"**{head_text(kind, layer, head)}**", query=f"*{escaped(query.text)}*"
    )
    return Question(
        "word",
        text,
        tuple(word.text for word in keys),
        place(entry),
        str(kind),
        query=query.text,
        result={"weights": weights.tolist(), "right": int(weights.argmax())},
    )


def which_head(entry: PageEntry, kind: Kind, query: Word, key: Word) -> Question:
    """Ask which head gives the most weight from one word to another."""
    recording = _run().recording
    weights = recording.attention(kind)[:, :, query.last, key.first : key.last + 1].sum(-1)  # L H
    layers, heads = weights.shape
    asked = (
        _("Which head of the {kind} looks most from the query {query} at the key {key}?")
        if kind == "encoder"
        else _("Which head of the {kind} looks most at the key {key} once {query} is written?")
    )
    text = asked.format(
        kind=kind_names()[kind],
        query=f"*{escaped(query.text)}*",
        key=f"*{escaped(key.text)}*",
    )
    names = tuple(head_text(kind, row, at) for row in range(layers) for at in range(heads))
    result = {"weights": weights.ravel().tolist(), "right": int(weights.argmax())}
    place_ = place(entry)
    return Question("head", text, names, place_, str(kind), heads, query.text, key.text, result)


def _run() -> runs.Run:
    return runs.run(state.sentence(), edits.interventions())


def _words(tokens: Sequence[str]) -> list[Word]:
    return [word for word in words_of(tokens) if word.text]


def _seen(kind: Kind, query: Word, keys: list[Word]) -> list[Word]:
    """Return the keys that a query may see; in the decoder, those after it are left out."""
    return [key for key in keys if key.first <= query.last] if kind == "decoder" else keys


def _by_word(weights: NDArray[np.floating], words: list[Word]) -> NDArray[np.float64]:
    sums = [weights[word.first : word.last + 1].sum(dtype=np.float64) for word in words]
    return np.array(sums)
