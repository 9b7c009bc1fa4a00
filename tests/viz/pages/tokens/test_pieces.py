import re
from html import unescape

from viz.pages.tokens.pieces import (
    CutWord,
    PieceCard,
    RareCharacter,
    cut_sentence,
    cut_words,
    legend,
    piece_cards,
    rare_characters,
)

VECTOR = "data:image/png;base64,vector"
TEXT = "a 猫猫"
CARDS = [
    PieceCard("▁a", 7, 0, 1, False, VECTOR),
    PieceCard("▁", 8, 1, 2, False, VECTOR),
    *(PieceCard(f"<0x{byte}>", 9, 2, 3, True, VECTOR) for byte in ("E7", "8C", "AB")),
    *(PieceCard(f"<0x{byte}>", 9, 3, 4, True, VECTOR) for byte in ("E7", "8C", "AB")),
]


def test_a_character_spelt_in_bytes_is_found_once() -> None:
    assert rare_characters(TEXT, CARDS) == [RareCharacter("猫", "U+732B", ("E7", "8C", "AB"))]
    assert rare_characters("a", CARDS[:1]) == []


def test_a_word_is_a_run_of_pieces_from_a_space_on() -> None:
    text = "it didn't."
    spans = [("▁it", 0, 2), ("▁did", 2, 6), ("n", 6, 7), ("'", 7, 8), ("t", 8, 9), (".", 9, 10)]
    cards = [PieceCard(token, 9, start, end, False, VECTOR) for token, start, end in spans]
    words = cut_words(text, cards)
    assert words == [CutWord("it", 0, 1), CutWord("didn't", 1, 5), CutWord(".", 5, 6)]
    assert [word.parts for word in words] == [1, 4, 1]  # a full stop cuts no word
    html = cut_sentence(text, cards, words)
    assert re.findall(r">([^<>]+)</span>", unescape(html)) == ["it", "did", "n", "'", "t", "."]
    tint = re.compile(r"background:color-mix[^;\"]*")
    assert len(set(tint.findall(html)[1:5])) == 1  # one tint for all parts of a word
    assert html.count("</span> <span") == 1  # none before the full stop
    assert tint.findall(piece_cards(cards, words)) == tint.findall(html)


def test_a_character_in_bytes_is_one_box_of_the_sentence() -> None:
    html = cut_sentence(TEXT, CARDS, cut_words(TEXT, CARDS))
    assert re.findall(r">([^<>]+)</span>", html) == ["a", "猫", "猫"]
    assert cut_words("", []) == []


def test_a_card_shows_piece_and_id() -> None:
    html = piece_cards([PieceCard("▁animal", 3397, 3, 10, False, VECTOR)])
    assert "·animal" in html
    assert "3397" in html
    assert f'src="{VECTOR}"' in html
    assert "dashed" not in html


def test_bytes_are_outlined() -> None:
    assert piece_cards(CARDS).count("dashed") == 6


def test_markup_in_a_piece_stays_text() -> None:
    cards = [PieceCard("<script>", 1, 0, 8, False, VECTOR)]
    html = piece_cards(cards) + cut_sentence("<script>", cards, cut_words("<script>", cards))
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_the_legend_names_the_lines_of_a_card() -> None:
    html = legend(256, ((0.0, "#0072b2"), (0.5, "#ffffff"), (1.0, "#d55e00")))
    assert "#0072b2,#ffffff,#d55e00" in html
    assert html.index("piece") < html.index(">id<") < html.index("vector")
    assert "256 numbers" in html
