"""One focus in the browser: what a token and a head offer, and what goes along to every page."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.explorer_file import explorer
from browser.waiting import rest
from tests.browser.decoder import open_decoder
from tests.sentences import EXAMPLES

BANK = EXAMPLES["the bank"]
SOURCE = [
    "Its attention",
    "Where else does the head look like this?",
    "Its vector through the layers",
    "Its neighbours",
    "Mask it",
]
GIVEN = ["How this translation is written"]
TOKENS = {
    "head?kind=cross": ("button.chip.key >> nth=1", SOURCE),
    "why?kind=cross": (".row[data-chosen] >> nth=1 >> button.chip >> nth=1", SOURCE),
    "block?stack=encoder": (".row button.chip >> nth=1", SOURCE),
    "tokens": ("[data-source-place='1']", SOURCE),
    "recurrent?ancestors=one+step": (".row[data-chosen] >> button.chip >> nth=3", SOURCE[:1]),
    "two_models?beside=en-fr-dot": ("[data-target-place='2'] >> nth=0", SOURCE[:-1]),
    "two_models?aligned=shared": (
        "[data-model] [data-target-place='2']",
        SOURCE[:1],
    ),
    "learning?learning=one+example": (
        "[data-target-place='3']",
        ["How this translation is written"],
    ),
    "learning?learning=teacher+forcing&sentence=We+wait.": ("[data-target-place='1']", SOURCE[:-1]),
}
NIGHTLY = (
    *("head?kind=cross", "block?stack=encoder", "tokens", "two_models?beside=en-fr-dot"),
    "learning?learning=teacher+forcing&sentence=We+wait.",
)
"""Pages that draw tokens with the same piece as another one."""


def settled(page: Page) -> None:
    """Wait until nothing runs or moves and the page listens for tokens: its menu comes last."""
    expect(page.locator("[role=menu]")).to_be_attached()
    rest(page)


def offers(page: Page, token: Locator, wanted: list[str]) -> None:
    """Press a token, read what it offers, and leave it."""
    menu = page.get_by_role("menu")
    token.click()
    expect(menu).to_be_visible()
    expect(menu.get_by_role("menuitem")).to_have_text(wanted)
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()


@pytest.mark.parametrize(
    "link",
    [pytest.param(one, marks=pytest.mark.nightly if one in NIGHTLY else ()) for one in TOKENS],
)
def test_a_token_offers_what_can_be_done_with_it(page: Page, app: str, link: str) -> None:
    selector, wanted = TOKENS[link]
    page.goto(f"{app}/{link}")
    token = page.locator(selector).first
    expect(token).to_be_visible()
    settled(page)
    offers(page, token, wanted)


def test_a_word_of_the_explorer_offers_it_in_every_kind_and_view(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 1200})  # nothing has to scroll
    page.goto(f"{app}/attention?kind=encoder&sentence={BANK}")
    root = explorer(page)
    settled(page)
    for key, kind in (("3", "cross"), ("2", "decoder"), ("1", "encoder")):
        page.keyboard.press(key)
        expect(root).to_have_attribute("data-kind", kind)
        explorer(page)
        rest(page)
        what_is_said_of_a_token_moves_none_away_from_the_pointer(page)
        offered = SOURCE if kind == "encoder" else SOURCE[:-1]
        offers(page, page.locator(".queries li").nth(1), offered)
    page.keyboard.press("m")
    a_name_on_a_canvas_offers_it_too(page, ".matrix canvas")
    page.keyboard.press("l")
    a_word_is_masked_from_its_menu_and_back_takes_it_back(page)


def what_is_said_of_a_token_moves_none_away_from_the_pointer(page: Page) -> None:
    tokens, said = page.locator(".queries li"), page.locator(".picture .said")
    tokens.first.hover()
    before, seen = tokens.first.bounding_box(), set()
    for token in tokens.all():
        token.hover()
        explorer(page)
        seen.add(said.inner_text())
        assert tokens.first.bounding_box() == before
    assert len(seen) > 5


def a_name_on_a_canvas_offers_it_too(page: Page, canvas: str) -> None:
    board = page.locator(canvas)
    expect(board).to_be_visible()
    settled(page)
    data = board.evaluate("node => ({...node.dataset})")
    parts = data.get("cells", "").split() or [data["left"], data["top"], data["cell"], data["cell"]]
    left, top, wide, _high = map(float, parts)
    board.click(position={"x": left + 1.6 * wide, "y": top - 12})
    expect(page.get_by_role("menuitem")).to_have_text(SOURCE)
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_be_hidden()


def a_word_is_masked_from_its_menu_and_back_takes_it_back(page: Page) -> None:
    page.locator(".queries li", has_text="bank").click()
    page.get_by_role("menuitem", name="Mask it").click()
    expect(page).to_have_url(re.compile(r"/lab_masks\?.*edits=hide\.\d"))
    expect(page.get_by_role("button", name=re.compile("bank.*✕"))).to_be_visible()
    page.go_back()
    explorer(page)
    expect(page.get_by_role("button", name=re.compile("✕"))).to_have_count(0)


def test_a_token_of_another_branch_leads_to_the_step_that_reads_it(page: Page, app: str) -> None:
    link = "?sentence=We+wait.&given=Nous+attendons+ici.&branch=1&step=4"
    decoder = open_decoder(page, app, link)
    settled(page)
    decoder.locator(".target [data-position='2']").click()
    item = page.get_by_role("menuitem")
    expect(item).to_have_text(["Its attention"])
    item.click()
    expect(decoder.locator(".target .newest")).to_have_attribute("data-position", "2")
    expect(page).to_have_url(re.compile("branch=1.*step=3|step=3.*branch=1"))
    expect(page).to_have_url(re.compile("given=Nous"))


@pytest.mark.parametrize("link", ["attention", "decoder", "lab_masks"])
def test_the_chosen_head_is_switched_off_and_on_where_it_is_chosen(
    page: Page, app: str, link: str
) -> None:
    page.goto(f"{app}/{link}?kind=cross&layer=5&head=6&edits=zero.c.5.4-5")
    off = page.locator("[data-link='off']")
    expect(off).to_have_text("Switch it off")
    settled(page)
    off.click()
    expect(off).to_have_text("Switch it on again")
    expect(page).to_have_url(re.compile(r"edits=zero\.c\.5\.4-6"))
    settled(page)
    page.go_back()
    expect(off).to_have_text("Switch it off")
    settled(page)
    page.go_forward()
    expect(off).to_have_text("Switch it on again")
    settled(page)
    off.click()
    expect(off).to_have_text("Switch it off")
    expect(page).to_have_url(re.compile(r"edits=zero\.c\.5\.4-5(&|$)"))
    settled(page)
    if link == "attention":
        the_chosen_head_leads_to_its_numbers(page)
    elif link == "decoder":
        offers(page, page.locator("[data-key='1']").first, SOURCE)
    else:
        a_name_on_a_canvas_offers_it_too(page, "canvas[data-cell]")


def the_chosen_head_leads_to_its_numbers(page: Page) -> None:
    root = explorer(page)
    for key, moves in (("ArrowUp", "data-layer"), ("ArrowRight", "data-heads")):
        before = root.get_attribute(moves) or ""
        page.keyboard.press(key)
        expect(root).not_to_have_attribute(moves, before)  # drawn in the next frame
    layer, heads = (root.get_attribute(f"data-{name}") for name in ("layer", "heads"))
    page.locator("[data-link='numbers']").click()
    chain = page.locator(".chain")
    expect(chain).to_have_attribute("data-head", str(int(heads or 0) - 1))
    expect(page).to_have_url(re.compile(rf"/head\?.*layer={layer}"))
    expect(page.locator("[data-link='off']")).to_be_visible()
    expect(page.locator("[data-link='numbers']")).to_be_hidden()
