from viz.pages.tokens.pieces import PieceCard, RareCharacter, legend, piece_cards, rare_characters

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


def test_a_card_shows_piece_id_and_span() -> None:
    html = piece_cards([PieceCard("▁animal", 3397, 3, 10, False, VECTOR)])
    assert "·animal" in html
    assert "3397" in html
    assert "3\N{EN DASH}10" in html
    assert f'src="{VECTOR}"' in html
    assert "dashed" not in html


def test_bytes_are_outlined() -> None:
    assert piece_cards(CARDS).count("dashed") == 6


def test_markup_in_a_piece_stays_text() -> None:
    html = piece_cards([PieceCard("<script>", 1, 0, 1, False, VECTOR)])
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_the_legend_names_the_lines_of_a_card() -> None:
    html = legend(256)
    assert html.index("piece") < html.index(">id<") < html.index("characters")
    assert "256 numbers" in html
