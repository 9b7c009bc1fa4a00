"""The choice among the views of a page."""

from tests.app.conftest import OpenPage
from tests.app.shown import views


def test_the_first_views_stand_in_a_row_and_a_menu_leads_to_the_others(open_page: OpenPage) -> None:
    page = open_page("tokens")
    every = views(page)
    assert page.segmented_control(key="tokens").options == ["Pieces", "Embedding", "Map"]
    page = page.menu_button(key="more views").click("other cuts").run()
    assert not page.exception
    assert page.query_params["tokens"] == "other cuts"
    row = page.segmented_control(key="tokens")
    assert row.options == ["Pieces", "Embedding", "Map", "Other cuts"]
    assert row.value == "other cuts"
    assert {*views(page)} == {*every}
    page = page.segmented_control(key="tokens").set_value("pieces").run()
    assert views(page) == every


def test_a_link_brings_its_view_into_the_row(open_page: OpenPage) -> None:
    page = open_page("learning", learning="optimizers")
    assert page.segmented_control(key="learning").value == "optimizers"
    assert "Optimizers" not in page.menu_button(key="more views").options


def test_one_view_more_than_the_row_holds_needs_no_menu(open_page: OpenPage) -> None:
    page = open_page("by_hand")
    assert len(page.segmented_control(key="by hand").options) == 4
    assert "more views" not in [menu.key for menu in page.menu_button]
