"""A sentence as cards of its pieces, and the bytes of characters without a piece."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from viz.figures.theme import KEY, token_text
from viz.language.text import _


@dataclass(frozen=True)
class PieceCard:
    """One piece: its name and id, the characters `start` to `end` that it covers, its vector."""

    token: str
    id: int
    start: int
    end: int
    is_byte: bool
    vector: str
    """The picture of its row of the table, as a data URL."""


@dataclass(frozen=True)
class RareCharacter:
    """A character without a piece of its own, with its code point and UTF-8 bytes."""

    character: str
    code_point: str
    data: tuple[str, ...]


def rare_characters(text: str, cards: Sequence[PieceCard]) -> list[RareCharacter]:
    """Return the characters of a text that are spelt in bytes, each once, in order."""
    covered = {index for card in cards if card.is_byte for index in range(card.start, card.end)}
    found = dict.fromkeys(text[index] for index in sorted(covered))
    return [
        RareCharacter(
            character,
            f"U+{ord(character):04X}",
            tuple(f"{byte:02X}" for byte in character.encode()),
        )
        for character in found
    ]


def piece_cards(cards: Sequence[PieceCard], *, own: bool = False) -> str:
    """Return the pieces as a row of cards, as HTML; those that stand for a byte are dashed.

    Safe for any token. `own` tells that they are the sentence in the box: then a card has a menu.
    """
    drawn = "".join(_card(card, place if own else None) for place, card in enumerate(cards))
    return f'<div style="display:flex;flex-wrap:wrap;gap:8px">{drawn}</div>'


def _card(card: PieceCard, place: int | None) -> str:
    name = escape(token_text(card.token), quote=True)
    offers = ""
    if place is not None:
        offers = f' data-source-place="{place}" title="{name}" role="button" tabindex="0"'
    border = f"2px dashed {KEY}" if card.is_byte else _LINE
    span = f"{card.start}\N{EN DASH}{card.end}"
    return (
        f'<div{offers} style="border:{border};border-radius:8px;'
        f'padding:6px 8px;text-align:center;min-width:74px">'
        f'<div style="font-size:22px;line-height:1.4;white-space:pre">'
        f"{name}</div>"
        f'<div style="font-size:max(15px,var(--least,0px))">{card.id}</div>'
        f'<div style="font-size:max(14px,var(--least,0px));opacity:.75">{span}</div>'
        f'<img alt="" src="{card.vector}" style="{_VECTOR}">'
        f"</div>"
    )


def legend(width: int) -> str:
    """Return the legend of a card's lines, as HTML; its vector has `width` numbers."""
    vector = _("vector: {count} numbers").format(count=width)
    lines = _("piece"), _("id"), _("characters from\N{EN DASH}to"), vector
    sizes = (22, 15, 14, 14)
    rows = "".join(
        f'<div style="font-size:max({size}px,var(--least,0px));line-height:1.4">'
        f"{escape(line)}</div>"
        for line, size in zip(lines, sizes, strict=True)
    )
    return f'<div style="opacity:.75;text-align:right;padding:7px 4px">{rows}</div>'


_VECTOR = "width:72px;margin-top:6px;image-rendering:pixelated"
_LINE = "1px solid color-mix(in srgb,currentColor 30%,transparent)"
