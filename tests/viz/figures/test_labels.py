"""What names the cells of a heatmap, the pieces of a sentence and the queries of a head."""

from viz.figures.labels import named_cells, query_name
from viz.figures.theme import bare


def test_every_cell_knows_its_row_and_its_column() -> None:
    cells = named_cells(["le", "chat"], iter("abc"))
    assert cells.shape == (2, 3, 2)
    assert list(cells[0, 2]) == ["le", "c"]
    assert list(cells[1, 0]) == ["chat", "a"]


def test_a_piece_in_a_sentence_has_no_mark_of_its_space_but_a_space_alone_has_a_sign() -> None:
    assert [bare(piece) for piece in ("▁il", "s", "▁", "▁(")] == ["il", "s", "␣", "("]


def test_a_query_of_the_decoder_is_named_by_the_piece_that_it_writes() -> None:
    tokens = ["<s>", "▁Ma", "▁tante"]
    assert [query_name("cross", tokens, row) for row in range(3)] == ["▁Ma", "▁tante", "</s>"]
    assert query_name("encoder", tokens, 1) == "▁Ma"
