"""A sentence as cards of its pieces, and the bytes of characters without a piece."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from viz.figures.theme import HEAD_COLOURS, KEY, Scale, token_text
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


def rare_characters(sentence: str, cards: Sequence[PieceCard]) -> list[RareCharacter]:
    """Return the characters of a text that are spelt in bytes, in order, without repeats."""
    covered = {index for card in cards if card.is_byte for index in range(card.start, card.end)}
    characters = dict.fromkeys(sentence[index] for index in sorted(covered))
    return [
        RareCharacter(
            character,
            f"U+{ord(character):04X}",
            tuple(f"{byte:02X}" for byte in character.encode()),
        )
        for character in characters
    ]


@dataclass(frozen=True)
class CutWord:
    """A word of a text, and its pieces, from `first` up to `last`."""

    text: str
    first: int
    last: int

    @property
    def parts(self) -> int:
        """Return the number of its pieces."""
        return self.last - self.first


def cut_words(sentence: str, cards: Sequence[PieceCard]) -> list[CutWord]:
    """Return the words of a text with their pieces; a space begins a word, and belongs to it.

    Marks after a word, such as a full stop, form a separate word.
    """
    begins = [
        index
        for index in range(len(cards))
        if index == 0 or _begins_word(sentence, cards[index]) or _ends_word(sentence, cards, index)
    ]
    ends = [*begins[1:], len(cards)] if begins else []
    return [
        CutWord(sentence[cards[first].start : cards[last - 1].end].strip(), first, last)
        for first, last in zip(begins, ends, strict=True)
    ]


def _begins_word(sentence: str, card: PieceCard) -> bool:
    return sentence[card.start : card.start + 1].isspace() and card.end > card.start


def _ends_word(sentence: str, cards: Sequence[PieceCard], index: int) -> bool:
    """Return True if a letter comes before, and only marks follow up to the end of the word."""
    end = next(
        (at for at in range(index, len(cards)) if at > index and _begins_word(sentence, cards[at])),
        len(cards),
    )
    before = sentence[cards[index - 1].start : cards[index - 1].end]
    rest = sentence[cards[index].start : cards[end - 1].end]
    return _has_letter(before) and bool(rest) and not _has_letter(rest)


def _has_letter(word: str) -> bool:
    return any(character.isalnum() for character in word)


def cut_sentence(sentence: str, cards: Sequence[PieceCard], words: Sequence[CutWord]) -> str:
    """Return a text in large letters as HTML, with a box for each piece; boxes of a word touch.

    A character that is spelt in bytes has one box.
    """
    drawn = ""
    for word in words:
        spaced = _begins_word(sentence, cards[word.first])
        spans = dict.fromkeys((card.start, card.end) for card in cards[word.first : word.last])
        boxes = "".join(
            f'<span style="{_BOX};{_tint(word)}">{escape(sentence[start:end].strip())}</span>'
            for start, end in spans
            if sentence[start:end].strip()
        )
        apart = "" if spaced or not word.first else ";margin-left:2px"
        drawn += f'{" " if spaced else ""}<span style="{_WORD}{apart}">{boxes}</span>'
    return f'<div class="cut-sentence" style="{_SENTENCE}">{drawn}</div>'


def _tint(word: CutWord) -> str:
    colour = HEAD_COLOURS[1] if word.parts > 1 else "currentColor"
    return f"background:color-mix(in srgb,{colour} {32 if word.parts > 1 else 7}%,transparent)"


def piece_cards(
    cards: Sequence[PieceCard], words: Sequence[CutWord] = (), *, own: bool = False
) -> str:
    """Return the pieces as a row of cards, as HTML; a piece that stands for a byte is dashed.

    The cards of a word that is cut have the colour of its boxes in `cut_sentence`. Safe for any
    token. With `own`, they are the sentence in the box, and a card has a menu.
    """
    tints = {index: _tint(word) for word in words for index in range(word.first, word.last)}
    drawn = "".join(
        _card(card, tints.get(index, ""), index if own else None)
        for index, card in enumerate(cards)
    )
    return f'<div style="display:flex;flex-wrap:wrap;gap:8px">{drawn}</div>'


def _card(card: PieceCard, tint: str, position: int | None) -> str:
    name = escape(token_text(card.token), quote=True)
    offers = ""
    if position is not None:
        offers = f' data-source-place="{position}" title="{name}" role="button" tabindex="0"'
    border = f"2px dashed {KEY}" if card.is_byte else _LINE
    return (
        f'<div{offers} style="border:{border};border-radius:8px;overflow:hidden;'
        f'text-align:center;min-width:92px">'
        f'<div style="font-size:22px;line-height:1.5;white-space:pre;padding:0 8px;{tint}">'
        f"{name}</div>"
        f'<div style="font-size:max(15px,var(--least,0px))">{card.id}</div>'
        f'<img alt="" src="{card.vector}" style="{_VECTOR}">'
        f"</div>"
    )


def legend(width: int, scale: Scale) -> str:
    """Return the legend of a card's lines, as HTML; its vector has `width` numbers.

    `scale` has their colours, from the least to the largest number.
    """
    vector = _("vector: {count} numbers").format(count=width)
    lines = _("piece"), _("id"), vector
    sizes = (22, 15, 15)
    rows = "".join(
        f'<div style="font-size:max({size}px,var(--least,0px));line-height:1.4">'
        f"{escape(line)}</div>"
        for line, size in zip(lines, sizes, strict=True)
    )
    colours = ",".join(colour for _place, colour in scale)
    bar = f'<div style="background:linear-gradient(90deg,{colours});{_BAR}"></div>'
    ends = f'<div style="{_ENDS}"><b>\u2212</b><b>0</b><b>+</b></div>'
    names = f'<div style="opacity:.75;text-align:right">{rows}</div>'
    return f'<div style="padding:1px 4px">{names}<div style="{_SCALE}">{bar}{ends}</div></div>'


_SCALE = "max-width:120px;margin-left:auto"
_ENDS = "display:flex;justify-content:space-between"
_BAR = "height:12px;margin-top:10px;border-radius:3px;border:1px solid rgb(128 128 128 / 40%)"
_VECTOR = "width:80px;margin:4px 6px 6px;image-rendering:pixelated"
_SENTENCE = "font-size:clamp(20px,2.1cqw + 9px,30px);line-height:1.55;margin-bottom:4px"
_WORD = "display:inline-flex;gap:2px"
_BOX = "border-radius:5px;padding:0 4px;line-height:1.4"
_LINE = "1px solid color-mix(in srgb,currentColor 30%,transparent)"
