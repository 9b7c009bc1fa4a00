"""The estimated room around a figure."""

from typing import NamedTuple

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from viz.figures.margins import make_room
from viz.figures.theme import LEGEND_ABOVE, LIGHT, signed_axis, styled


class Margins(NamedTuple):
    l: int  # noqa: E741  plotly's names
    r: int
    t: int
    b: int


def margins(figure: go.Figure) -> Margins:
    margin = figure.to_dict()["layout"]["margin"]
    return Margins(margin["l"], margin["r"], margin["t"], margin["b"])


def roomy(figure: go.Figure) -> Margins:
    return margins(make_room(styled(figure, LIGHT, 400)))


def bars(*names: str) -> go.Figure:
    return go.Figure(go.Bar(x=[1.0] * len(names), y=list(names), orientation="h"))


def test_the_longest_label_decides_the_room_beside_it() -> None:
    short, long = roomy(bars("a", "b")), roomy(bars("a", "a name of many letters"))
    assert long.l - short.l > 100
    assert (long.r, long.t, long.b) == (short.r, short.t, short.b)


def test_markup_takes_no_room_and_a_chinese_character_that_of_two_letters() -> None:
    assert roomy(bars("<b>two</b><br>lines")).l == roomy(bars("two<br>lines")).l
    assert roomy(bars("两个字两个字")).l > roomy(bars("sixsix")).l + 30


def test_what_would_leave_no_picture_is_left_to_plotly() -> None:
    assert roomy(bars("a" * 60)).l == margins(styled(bars("a"), LIGHT, 400)).l


def test_a_class_has_no_phone_so_longer_labels_get_their_room() -> None:
    long, on_paper = bars("a" * 40), margins(styled(bars("a"), LIGHT, 400)).l
    assert roomy(long).l == on_paper
    assert margins(make_room(styled(long, LIGHT, 400), stage=True)).l > 270
    endless = make_room(styled(bars("a" * 90), LIGHT, 400), stage=True)
    assert margins(endless).l == on_paper


def test_per_cent_take_more_room_than_numbers() -> None:
    plain = go.Figure(go.Scatter(x=[0, 1], y=[0.0, 1.0]))
    number = roomy(plain).l
    assert roomy(plain.update_yaxes(tickformat=".0%", title_text="share")).l > number


def test_a_slanted_word_without_end_leaves_the_height_to_plotly() -> None:
    figure = go.Figure(go.Bar(x=["a" * 500], y=[1.0])).update_xaxes(tickangle=-90, side="top")
    assert roomy(figure) == margins(styled(figure, LIGHT, 400))._replace(l=roomy(figure).l)


def test_larger_letters_and_a_title_at_the_side_take_more_room() -> None:
    plain = roomy(bars("a name")).l
    assert roomy(bars("a name").update_yaxes(title_text="names")).l > plain + 15
    large = styled(bars("a name"), LIGHT, 400).update_layout(font_size=28)
    assert margins(make_room(large)).l > plain + 30


def test_margins_that_are_wide_enough_stay() -> None:
    figure = styled(bars("a"), LIGHT, 400).update_layout(margin_l=200)
    assert margins(make_room(figure)).l == 200


def test_only_the_lowest_row_takes_room_at_the_bottom() -> None:
    figure = make_subplots(2, 1)
    for row in (1, 2):
        figure.add_scatter(x=[0, 1], y=[0, 1], row=row, col=1)
    plain = roomy(figure).b
    figure.update_xaxes(title_text="upper", row=1)
    assert roomy(figure).b == plain
    figure.update_xaxes(title_text="lower", row=2)
    assert roomy(figure).b > plain + 15


def test_slanted_labels_are_as_high_as_they_are_long() -> None:
    figure = go.Figure(go.Bar(x=["a name of many letters"], y=[1.0]))
    flat = roomy(figure).b
    assert roomy(figure.update_xaxes(tickangle=-45)).b > flat + 50


def test_a_legend_and_colour_bars_have_their_room() -> None:
    line = go.Figure(go.Scatter(x=[0, 1], y=[0, 1], name="one"))
    plain = roomy(line)
    line.update_layout(legend=LEGEND_ABOVE, showlegend=True)
    assert roomy(line).t > plain.t + 10
    assert roomy(line.update_layout(showlegend=False)).t == plain.t
    heatmap = go.Figure(go.Heatmap(z=[[0.0, 1.0]]))
    assert roomy(heatmap).r > 80
    assert roomy(go.Figure(go.Heatmap(z=[[0.0, 1.0]], showscale=False))).r == plain.r
    level = {"orientation": "h", "y": -0.2, "yanchor": "top"}
    assert (
        roomy(heatmap.update_traces(colorbar=level)).b
        > roomy(heatmap.update_traces(colorbar={"y": 0.5, "orientation": "v"})).b + 50
    )


def test_a_bar_of_colours_that_traces_share_has_room_unless_it_is_hidden() -> None:
    figure = go.Figure(go.Heatmap(z=[[0.0, 1.0]], coloraxis="coloraxis"))
    shown = roomy(figure.update_layout(coloraxis=signed_axis(LIGHT, "cosine"))).r
    assert shown == roomy(go.Figure(go.Heatmap(z=[[0.0, 1.0]], colorbar_title_text="cosine"))).r
    assert roomy(figure.update_layout(coloraxis_showscale=False)).r == roomy(bars("a")).r < shown
