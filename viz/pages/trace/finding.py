"""The finding of a trace, as messages: the site's script says the same ones of its own maps."""

from collections.abc import Sequence

import numpy as np

from model.interventions.message import Message
from model.recording.trace import Trace
from model.words import Word, words_of
from viz.figures.labels import Number
from viz.figures.theme import named
from viz.language.text import later
from viz.language.wording import escaped, in_a_row
from viz.pages.trace import views
from viz.pages.trace.trace_map import Map
from viz.pages.trace.way import FEW, Way, moves, way
from viz.shell.intervention_words import said

TEXTS = {
    "parts": later("**{first} or {second}?**"),
    "gathers": later(
        "In encoder layer {layer} the answer comes together in one vector; up to there no "
        "vector alone moves most of it. In the memory **{second}** holds it."
    ),
    "stays": later(
        "The answer hangs on **{first}** in every layer of the encoder, with {least} of it or "
        "more: it does not travel."
    ),
    "returns": later(
        "The answer hangs on **{first}** at the input and in the memory, but not in every layer "
        "between."
    ),
    "scatters": later(
        "At the input the answer hangs on **{first}**; from encoder layer {layer} on no vector "
        "alone moves most of it."
    ),
    "between": later(
        "In encoder layer {layer} **{first}** holds most of the answer; in the memory no vector "
        "alone moves most of it."
    ),
    "steps": later(
        "The answer moves from **{first}** to **{second}** in {count} steps, the last in "
        "encoder layer {last}."
    ),
    "step": later("The answer moves from **{first}** to **{second}** in encoder layer {last}."),
    "layers": later(
        "The answer moves from **{first}** to **{second}** in encoder layers {layer} to {last}; "
        "between them no vector alone moves most of it."
    ),
    "nothing": later("No vector of the encoder alone moves the answer all the way."),
    "untried": later(
        "No vector of the encoder alone moves the answer all the way. Only {tried} of {pieces} "
        "pieces have a partner in the other sentence, so the others were not tried."
    ),
    "noSublayer": later("No sublayer of the encoder alone moves the answer."),
    "sublayer": later(
        "In the encoder, **{sublayer}** at **{token}** alone moves the answer most: to {value}."
    ),
    "layer": later("layer {number}, {sublayer}"),
    "piece": later("{piece} of “{whole}”"),
    "noPartner": later(
        "No piece of the other sentence stands for this one: nothing can be carried over."
    ),
    "noHead": later("No head alone moves the answer here: several do it together, or none."),
    "head": later("Alone, the vector of **{head}** moves the answer most, to {value}."),
}
"""What is said of a trace, by the names that the site's script uses."""


Name = str | Message
"""The name of a piece within a sentence."""


def told(messages: Sequence[Message]) -> str:
    """Say messages as Markdown in the language in force; texts among their values are escaped."""
    return in_a_row(said(_escaped(one)) for one in messages)


def _escaped(message: Message) -> Message:
    """Escape the texts among a message's values, but the name of a sublayer, which is ours."""
    values = message.values.items()
    return Message(
        message.text,
        **{name: value if name == "sublayer" else _escape(value) for name, value in values},
    )


def _escape(value: object) -> object:
    if isinstance(value, Message):
        return _escaped(value)
    return escaped(value) if isinstance(value, str) else value


def names(tokens: Sequence[str]) -> list[Name]:
    """Name each piece of a text: one that is a part of a word, with the word."""
    return [
        _part(named(token), word)
        for word in words_of(tokens)
        for token in tokens[word.first : word.last + 1]
    ]


def _part(piece: str, word: Word) -> Name:
    if word.first == word.last:
        return piece
    if piece == word.text.rstrip("'"):
        return word.text
    return Message(TEXTS["piece"], piece=piece, whole=word.text)


def where_it_passes(
    residual: Trace, tokens: Sequence[str], words: tuple[Name, Name]
) -> tuple[Message, ...]:
    """Say from which token to which other the answer passes in the encoder, and in which layers."""
    first, second = words
    decides = Message(TEXTS["parts"], first=first, second=second)
    path = way(residual)
    start, end = path.ends
    named = names(tokens)
    if end is None:
        return decides, _ends_nowhere(residual, path, named)
    holder = named[end]
    if start is None:
        text = Message(
            TEXTS["gathers"],
            layer=path.held[0][1],
            second=holder,
        )
        return decides, text
    if not path.passes and len(path.held) < path.columns:
        return decides, Message(TEXTS["returns"], first=named[start])
    if not path.passes:
        least = min(moves(residual.encoder, residual.restored)[cell] for cell in path.held)
        text = Message(
            TEXTS["stays"],
            first=named[start],
            least=f"{Number(least):.0%}",
        )
        return decides, text
    before, after = path.passes[-1]
    places = {"first": named[start], "second": holder, "last": after[1]}
    if len(path.passes) > 1:
        text = Message(
            TEXTS["steps"],
            count=len(path.passes),
            **places,
        )
    elif after[1] == before[1] + 1:
        text = Message(TEXTS["step"], **places)
    else:
        text = Message(
            TEXTS["layers"],
            layer=before[1] + 1,
            **places,
        )
    return decides, text


def _ends_nowhere(residual: Trace, path: Way, named: Sequence[Name]) -> Message:
    """Say of an answer that no vector of the memory holds which vector held it before, if any."""
    if not path.held:
        return _nothing_moves(residual)
    start, (last, column) = path.ends[0], path.held[-1]
    if start is None:
        return Message(TEXTS["between"], layer=column, first=named[last])
    return Message(TEXTS["scatters"], first=named[start], layer=column + 1)


def _nothing_moves(residual: Trace) -> Message:
    """Say that no vector moves the answer and, if few have a partner, how few were tried."""
    tried = int(np.isfinite(residual.encoder).any(axis=1).sum())
    if 2 * tried > len(residual.encoder):
        return Message(TEXTS["nothing"])
    return Message(
        TEXTS["untried"],
        tried=tried,
        pieces=len(residual.encoder),
    )


def which_sublayer(trace: Trace, tokens: Sequence[str]) -> tuple[Message, ...]:
    """Name the sublayer of the encoder whose vector alone moves the answer most, and its token."""
    sizes = np.nan_to_num(np.abs(moves(trace.encoder, trace.restored)))
    token, column = divmod(int(sizes.argmax()), sizes.shape[1])
    if sizes[token, column] < FEW:
        return (Message(TEXTS["noSublayer"]),)
    _stack, number, sublayer, _out = trace.sites["encoder"][column].split(".")
    said = Message(
        TEXTS["sublayer"],
        sublayer=Message(TEXTS["layer"], number=int(number) + 1, sublayer=sublayer),
        token=names(tokens)[token],
        value=f"{Number(trace.encoder[token, column]):.2f}",
    )
    return (said,)


def which_head(maps: Sequence[Map], restored: bool) -> tuple[Message, ...]:
    """Name the head whose vector alone moves the answer most."""
    base = 1.0 if restored else 0.0
    best = views.best_head(maps, base)
    if best is None:
        return (Message(TEXTS["noPartner"]),)
    head, value = best
    if abs(value - base) < FEW:
        return (Message(TEXTS["noHead"]),)
    said = Message(
        TEXTS["head"],
        head=(head.kind, head.layer, head.head),
        value=f"{Number(value):.2f}",
    )
    return (said,)
