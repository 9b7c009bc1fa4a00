"""What names the cells of a heatmap, for the box that the pointer opens."""

from viz.figures.labels import named_cells


def test_every_cell_knows_its_row_and_its_column() -> None:
    cells = named_cells(["le", "chat"], iter("abc"))
    assert cells.shape == (2, 3, 2)
    assert list(cells[0, 2]) == ["le", "c"]
    assert list(cells[1, 0]) == ["chat", "a"]
