"""The figures of the measures of a piece's dependence, and of their agreement."""

import re

import numpy as np
import pytest

from viz.figures.theme import LIGHT
from viz.pages.lab_pairs.measures import agreement_heatmap, measures_heatmap


def plain(rows: list[list[str]]) -> list[list[str]]:
    """The texts of a heatmap without their ink."""
    return [[re.sub("<[^>]*>", "", text) for text in row] for row in rows]


def test_each_measure_is_drawn_on_its_own_scale_with_its_sign() -> None:
    values = np.array([[0.1, 0.4], [-2.0, 1.0]])
    figure = measures_heatmap(["m", "n"], ["u", "u"], ["▁a", "▁b"], values, LIGHT)
    trace = figure.to_dict()["data"][0]
    np.testing.assert_allclose(trace["z"], [[0.25, 1], [-1, 0.5]])
    np.testing.assert_allclose(trace["customdata"], values)


def test_small_values_are_written_in_a_power_of_ten_that_their_row_names() -> None:
    values = np.array([[0.0042, -0.0003], [0.5, -0.001]])
    figure = measures_heatmap(["m", "n"], ["nats", "shares"], ["▁a", "▁b"], values, LIGHT).to_dict()
    assert plain(figure["data"][0]["text"]) == [["4.20", "\u22120.30"], ["0.50", "0.00"]]
    assert list(figure["layout"]["yaxis"]["ticktext"]) == [
        "m<br>in 10<sup>\u22123</sup> nats, up to 4.20",
        "n<br>in shares, up to 0.50",
    ]


def test_a_correlation_that_is_not_a_number_stays_blank() -> None:
    agreement = np.array([[1.0, np.nan], [np.nan, 1.0]])
    trace = agreement_heatmap(["m", "n"], agreement, LIGHT).to_dict()["data"][0]
    assert plain(trace["text"]) == [["+1.00", ""], ["", "+1.00"]]


def test_numbers_without_names_are_refused() -> None:
    with pytest.raises(ValueError, match="names"):
        measures_heatmap(["a"], ["u"], ["b"], np.zeros((1, 2)), LIGHT)
    with pytest.raises(ValueError, match="names"):
        agreement_heatmap(["a"], np.zeros((2, 2)), LIGHT)
