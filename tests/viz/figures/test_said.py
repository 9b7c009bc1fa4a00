"""What a figure shows, in words."""

import numpy as np
import plotly.graph_objects as go
import pytest

from viz.figures.said import said
from viz.language.text import using


def test_of_a_table_of_colours_the_largest_number_and_its_place_are_said() -> None:
    figure = go.Figure(go.Heatmap(z=np.array([[0.1, np.nan], [-2.0, 0.5]], np.float32)))
    figure.update_xaxes(title="key", tickvals=[0, 1], ticktext=["The", "<b>cat</b>"])
    figure.update_yaxes(title="query", tickvals=[0, 1], ticktext=["il", "elle"])
    assert said(figure) == (
        "A table of colours, 2 rows by 2 columns (query / key): the largest is 0.5, in row elle, "
        "column cat; the least is −2."  # noqa: RUF001
    )


def test_the_numbers_that_the_pointer_reads_are_said_and_places_count_from_one() -> None:
    values = np.array([[0.1, -5.2], [2.0, 0.5]])
    figure = go.Figure(go.Heatmap(z=np.abs(values), customdata=values))
    assert said(figure).endswith("the largest is 2, in row 2, column 1; the least is −5.2.")  # noqa: RUF001


def test_labels_are_read_without_the_html_that_is_drawn() -> None:
    figure = go.Figure(go.Heatmap(z=[[1.0]]))
    figure.update_yaxes(tickvals=[0], ticktext=["leave out<br><i>nats</i>"])
    figure.update_xaxes(tickvals=[0], ticktext=["&lt;s&gt;"])
    assert "in row leave out nats, column <s>" in said(figure)


def test_bars_are_named_with_their_lengths() -> None:
    figure = go.Figure(go.Bar(y=["tired", "wide"], x=[0.939, 0.0], orientation="h", name="il"))
    figure.update_xaxes(title="probability")
    assert said(figure) == "Bars, il (probability): tired 0.939, wide 0."


def test_a_line_is_said_from_end_to_end() -> None:
    figure = go.Figure(go.Scatter(x=[0, 1, 2, 3], y=[1.0, 4.0, None, 2.0], name="loss"))
    assert said(figure) == "A line, loss: from 1 to 2, at most 4, at least 1."


def test_of_many_traces_the_first_are_said_and_the_others_counted() -> None:
    figure = go.Figure([go.Bar(x=["a"], y=[number]) for number in range(8)])
    assert said(figure).count("Bars") == 6
    assert said(figure).endswith("And 2 more.")


def test_axes_of_a_second_picture_are_its_own() -> None:
    figure = go.Figure(go.Bar(x=["a"], y=[1.0], xaxis="x2", yaxis="y2"))
    figure.update_layout(xaxis={"title": "left"}, xaxis2={"title": "right"}, yaxis2={})
    assert "(right)" in said(figure)


@pytest.mark.parametrize(
    "trace",
    [
        go.Heatmap(z=[["a", "b"]]),
        go.Heatmap(z=[[np.nan]]),
        go.Heatmap(),
        go.Bar(),
        go.Scatter(y=[1.0]),
        go.Scatter(x=["a"], y=["b"], name="n"),
        go.Sankey(),
    ],
)
def test_what_cannot_be_said_is_left_out(trace: go.Figure) -> None:
    assert said(go.Figure(trace)) == ""


def test_in_chinese_no_space_follows_a_mark_that_has_its_own_room() -> None:
    figure = go.Figure([go.Bar(y=["a"], x=[number], orientation="h") for number in (1, 2)])
    figure.update_yaxes(tickvals=["a"], ticktext=["编码器 6：<br>前馈网络"])
    with using("zh"):
        assert said(figure) == "柱状图：编码器 6：前馈网络 1。柱状图：编码器 6：前馈网络 2。"
