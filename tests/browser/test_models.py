"""The choice of the model in a browser: the link, the way between pages, two models at once."""

import re

from playwright.sync_api import Page, expect

from browser.waiting import rest

LONG = 60_000


def choose(page: Page, label: str, name: str) -> None:
    page.get_by_role("combobox", name=re.compile(label)).click()
    page.get_by_role("option", name=name, exact=True).click()


def test_the_choice_stands_in_the_link_and_goes_along(page: Page, app: str) -> None:
    page.set_default_timeout(LONG)
    page.goto(f"{app}/attention?sentence=My+sister+is+here.")
    kinds = page.locator(".explorer .segmented").first.get_by_role("button")
    expect(kinds).to_have_text(["Encoder", "Decoder", "Cross"], timeout=LONG)
    rest(page)
    page.get_by_role("button", name="en-fr", exact=True).click()
    choose(page, "Model", "en-fr-dot")
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(r"model=en-fr-dot"), timeout=LONG)
    expect(kinds).to_have_count(1, timeout=LONG)
    page.reload()
    expect(kinds).to_have_text(["Cross"], timeout=LONG)
    page.get_by_test_id("stSidebarNav").get_by_text("Order", exact=True).click()
    needed = page.get_by_text("needs a Transformer")
    expect(needed).to_be_visible(timeout=LONG)
    expect(page).to_have_url(re.compile(r"/positions\?.*model=en-fr-dot"), timeout=LONG)
    page.get_by_role("button", name="Open this page with en-fr").click()
    expect(needed).to_have_count(0, timeout=LONG)
    expect(page).not_to_have_url(re.compile("model="), timeout=LONG)
    expect(page).to_have_url(re.compile(r"sentence=My"), timeout=LONG)


def test_a_path_in_the_link_opens_the_default(page: Page, app: str) -> None:
    page.goto(f"{app}/attention?model=..%2Fcheckpoints%2Fen-fr-dot&sentence=Hi.")
    expect(page.get_by_text("There is no model called")).to_be_visible(timeout=LONG)
    expect(page.locator(".explorer .segmented").first.get_by_role("button")).to_have_count(
        3, timeout=LONG
    )


def test_the_decoder_steps_through_a_recurrent_model(page: Page, app: str) -> None:
    page.goto(f"{app}/decoder?model=en-fr-additive&sentence=My+sister+is+here.&step=3")
    drawn = page.locator(".decoder")
    expect(drawn).to_have_attribute("data-step", "3", timeout=LONG)
    expect(drawn.get_by_text("Recurrence: a state that each piece changes")).to_be_visible()
    expect(drawn.locator(".mask-legend")).to_be_hidden()
    weights = drawn.locator(".source .column").evaluate_all(
        "columns => columns.map((column) => Number(column.dataset.weight))"
    )
    assert abs(sum(weights) - 1) < 0.05


def test_the_pointer_marks_the_same_piece_in_two_models(page: Page, app: str) -> None:
    page.goto(f"{app}/two_models?beside=en-fr-dot&sentence=My+sister+is+here.")
    figures = page.locator(".alignments figure")
    expect(figures).to_have_count(2, timeout=LONG)
    rest(page)
    figures.first.locator("td:not(.corner)").nth(1).hover()
    for number in range(2):
        expect(figures.nth(number).locator("td.marked")).to_have_count(1)
        expect(figures.nth(number).locator(".reading")).to_contain_text("·sister")


def test_each_of_two_models_has_a_board_of_its_own(page: Page, app: str) -> None:
    page.goto(f"{app}/two_models?beside=en-fr-dot&head_1=2.3&sentence=My+sister+is+here.")
    board = page.locator(".head-picker")
    expect(board).to_have_count(1, timeout=LONG)  # the other one has a single head
    expect(board).to_have_attribute("data-chosen", "cross 2.3")
    titles = page.locator(".alignments")
    expect(titles).to_contain_text("Transformer, cross 2.3", timeout=LONG)
    rest(page)
    board.locator(".opener").click()
    board.locator(".boards [data-place='cross 5.6']").click()
    expect(titles).to_contain_text("Transformer, cross 5.6", timeout=LONG)
    expect(page).to_have_url(re.compile("kind=cross&layer=5&head=6"), timeout=LONG)
    rest(page)
    if not board.locator(".boards").is_visible():
        board.locator(".opener").click()
    board.get_by_role("button", name="mean of all heads").click()
    expect(board).to_have_attribute("data-chosen", "mean of all heads", timeout=LONG)
    expect(page).to_have_url(re.compile("head_1=mean"), timeout=LONG)
