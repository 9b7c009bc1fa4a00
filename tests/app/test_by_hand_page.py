"""By hand: typed numbers, the root of d_k, and room for directions, without a browser."""

import re

import pytest

from tests.app.conftest import OpenPage

VIEWS = ("Thinking Machines", "minus infinity", "why √d_k", "room for directions")


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_opens_with_formulas(open_page: OpenPage, view: str) -> None:
    page = open_page("by_hand", sentence="It rains.", **{"by hand": view})
    assert not page.exception
    assert page.latex
    assert page.get("plotly_chart") or page.dataframe


def test_typed_numbers_are_followed(open_page: OpenPage) -> None:
    page = open_page("by_hand")
    assert r"\mathbf{0.76}" in page.latex[0].value
    page.number_input[0].set_value(96.0).run()
    assert r"\mathbf{0.00}" in page.latex[0].value
    said = " ".join(element.value for element in page.markdown)
    assert "keeps **50%** of the weight; not divided, **50%**" in said
    assert not page.exception


def test_a_link_holds_what_was_typed(open_page: OpenPage) -> None:
    page = open_page("by_hand", score_1="96", width="1")
    assert [page.number_input(key=key).value for key in ("score_1", "score_2", "width")] == [
        96,
        96,
        1,
    ]
    masked = open_page("by_hand", masked_1="-5", **{"by hand": "minus infinity"})
    assert masked.number_input(key="masked_1").value == -5


def test_the_width_is_chosen(open_page: OpenPage) -> None:
    page = open_page("by_hand", **{"by hand": "why √d_k"})
    page.select_slider(key="d_k").set_value(512).run()
    assert not page.exception
    assert "= d_k = 512" in page.latex[0].value


def test_the_division_is_answered_for_random_heads_and_for_the_trained_one_of_the_table(
    open_page: OpenPage,
) -> None:
    page = open_page("by_hand", **{"by hand": "why √d_k"})
    answer = next(each.value for each in page.markdown if "Why divide" in each.value)
    sizes = [float(size) for size in page.dataframe[0].value.iloc[:, -1]]
    left = int(re.findall(r"\*\*(\d+)%\*\*", answer)[-1])
    assert left == pytest.approx(100 * sizes[1] / sizes[0], abs=1)
