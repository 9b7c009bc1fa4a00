"""The description of an intervention, in English, for the app to translate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model.sites.sites import Kind
from model.words import WORD_START


@dataclass(frozen=True, init=False)
class Message:
    """A text with `{names}` for its values, each of which may be a message too.

    The name of a value gives its type: `kind`, `stack` and `sublayer` are those of `sites`, `head`
    is (kind, layer, head) from 0, `word` is the pieces of a word. All other values are written
    unchanged.
    """

    text: str
    values: Mapping[str, Any]

    def __init__(self, text: str, /, **values: Any) -> None:  # noqa: ANN401
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "values", values)


def in_layer(kind: Kind, layer: int) -> Message:
    """Return words for a layer, from 0, of a kind of attention or of a stack."""
    return Message("{kind} layer {layer}", kind=kind, layer=layer + 1)


def piece_named(position: int, tokens: Sequence[str]) -> Message | int:
    """Return the text of a piece, from 0, if it is known and visible; else its number, from 1."""
    text = tokens[position] if position < len(tokens) else ""
    return Message("“{word}”", word=(text,)) if text.strip(WORD_START) else position + 1


def query_named(kind: str, position: int, source: Sequence[str]) -> Message | int:
    """Name a query, from 0: by its piece in the encoder, else by the step that it writes.

    `source` may be empty; a change holds for whatever the decoder writes.
    """
    if kind == "encoder":
        return piece_named(position, source)
    return Message("step {number}", number=position + 1)


def several(one: Message, many: Message, numbers: list[int]) -> Message:
    """Say `one` for a single number, else `many`; both contain {numbers}, counted from 1."""
    message = one if len(numbers) == 1 else many
    return Message(message.text, numbers=", ".join(str(number + 1) for number in numbers))
