"""Interventions in words, for chips and notices."""

from collections.abc import Callable, Sequence
from typing import Any

from model.interventions.link_text import Group
from model.interventions.message import Message
from model.transformer.config import ModelConfig
from viz.figures.labels import head_text, kind_names, sublayer_names
from viz.figures.theme import token_text
from viz.language.text import _

_SAID: dict[str, Callable[[Any], str]] = {
    "kind": lambda kind: kind_names()[kind],
    "stack": lambda stack: kind_names()[stack],
    "sublayer": lambda sublayer: sublayer_names()[sublayer],
    "head": lambda place: head_text(*place),
    "word": lambda pieces: "".join(map(token_text, pieces)).strip("·"),
}
"""The functions that put a value into words, by its name in a message; others stay as they are."""


def group_words(group: Group, config: ModelConfig, source: Sequence[str]) -> str:
    """Say in a few words what a group of interventions does to a model with this config."""
    return said(type(group[0]).words_of(group, config, source))


def said(message: Message) -> str:
    """Translate a message of the model into the language in force, and fill in its values."""
    values = {name: _value(name, value) for name, value in message.values.items()}
    return _(message.text).format(**values)


def _value(name: str, value: object) -> object:
    if isinstance(value, Message):
        return said(value)
    return _SAID[name](value) if name in _SAID else value
