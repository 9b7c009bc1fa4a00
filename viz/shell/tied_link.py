"""Interventions in a link with the sentence whose pieces they name.

Whatever names pieces, such as "hide.3-4", is followed by "of.3fa94c": some digits of its sentence's
hash. A link without them, as one written by hand, is meant for the sentence beside it.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from model.interventions.base import Intervention
from viz.shell import intervention_link

_TIE, _DIGITS = "_of.", 6


@dataclass(frozen=True)
class TiedParsed:
    """What a text says for a sentence, and the pieces of it that say nothing.

    `dropped` tells that something was left out because it names pieces of another sentence.
    """

    interventions: tuple[Intervention, ...]
    refused: tuple[str, ...]
    dropped: bool


def write(interventions: Sequence[Intervention], sentence: str) -> str:
    """Write interventions as text, tied to this sentence if they name pieces of it."""
    text = intervention_link.write(interventions)
    tied = any(one.names_pieces for one in interventions)
    return f"{text}{_TIE}{_digest(sentence)}" if tied else text


def read(text: str, sentence: str) -> TiedParsed:
    """Read a text for a sentence."""
    body, tie, digest = text.rpartition(_TIE)
    parsed = intervention_link.read(body if tie else text)
    kept = parsed.interventions
    if tie and digest != _digest(sentence):
        kept = tuple(one for one in kept if not one.names_pieces)
    return TiedParsed(kept, parsed.refused, len(kept) < len(parsed.interventions))


def _digest(sentence: str) -> str:
    return hashlib.sha256(sentence.encode("utf-8", "replace")).hexdigest()[:_DIGITS]
