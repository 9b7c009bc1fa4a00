"""The page Atlas in a browser: heads by colour, their sentences, and the way to other pages."""

import csv
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from browser.waiting import rest

LONG = 60_000


def test_a_head_shows_its_sentences_and_a_sentence_opens(page: Page, app: str) -> None:
    page.goto(f"{app}/atlas")
    board = page.locator(".atlas")
    expect(board).to_have_attribute("data-heads", "144", timeout=LONG)
    rest(page)
    a_colour_shows_its_heads_alone_and_arrow_keys_walk(page)
    cell = board.locator("[data-place='cross 5.3']")
    cell.hover()
    expect(board.locator(".reading")).to_contain_text(re.compile(r"^cross 5\.3: .* of its weight"))
    cell.click()
    expect(cell).to_have_attribute("aria-pressed", "true", timeout=LONG)
    expect(page).to_have_url(re.compile("kind=cross&layer=5&head=3"), timeout=LONG)
    evidence = page.locator(".evidence")
    expect(evidence).to_have_attribute("data-rows", re.compile(r"^[1-9]"), timeout=LONG)
    expect(page.get_by_text("sentences more than half of its weight")).to_be_visible()
    path = evidence.locator("path").first
    expect(path).to_have_attribute("stroke-width", re.compile(r"^[1-4]"))
    leads_on = evidence.get_by_role("link", name="Attention").first
    expect(leads_on).to_have_attribute("href", re.compile("kind=cross&layer=5"))  # not the old list
    leads_on.click()
    expect(page).to_have_url(re.compile(r"/attention\?.*kind=cross&layer=5"), timeout=LONG)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def a_colour_shows_its_heads_alone_and_arrow_keys_walk(page: Page) -> None:
    board = page.locator(".atlas")
    entry = board.get_by_role("button", name=re.compile("^the noun of “it”"))
    entry.click()
    expect(entry).to_have_attribute("aria-pressed", "true")
    count = int(entry.locator("b").inner_text())
    assert count > 0
    expect(board.locator(".cell.dim")).to_have_count(144 - count)
    entry.click()
    expect(board.locator(".cell.dim")).to_have_count(0)
    board.locator("[data-place='encoder 2.3']").focus()
    page.keyboard.press("ArrowRight")
    expect(board.locator("[data-place='encoder 2.4']")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(board.locator("[data-place='encoder 3.4']")).to_be_focused()


def test_a_head_that_changed_is_chosen_by_its_card(page: Page, app: str) -> None:
    page.goto(f"{app}/atlas?against=With+its+past")
    cards = page.locator(".changes")
    expect(cards).to_have_attribute("data-cards", "18", timeout=LONG)
    expect(cards.locator(".card").first.locator(".tile")).to_have_count(2)
    card = cards.locator(".card").nth(5)
    kind, place = card.inner_text().split()[:2]
    layer, head = place.split(".")
    card.click()
    expect(page).to_have_url(re.compile(f"kind={kind}&layer={layer}&head={head}"), timeout=LONG)
    expect(card).to_have_attribute("aria-pressed", "true", timeout=LONG)
    cards.get_by_role("button", name="Show all 144 heads").click()
    expect(cards).to_have_attribute("data-cards", "144")


def test_pointing_at_a_dot_draws_its_strongest_links(page: Page, app: str) -> None:
    page.goto(f"{app}/atlas?atlas=Queries+and+keys&kind=encoder&layer=6&head=4")
    plane = page.locator(".map .plane")
    expect(plane).to_have_attribute("data-dots", re.compile(r"^\d+$"), timeout=LONG)
    rest(page)
    own = plane.locator(".own", has_text=re.compile("^·it$")).first
    own.locator(".dot").hover()
    expect(plane).to_have_attribute("data-lines", "3")
    expect(plane.locator(".meant")).to_have_count(4)
    expect(page.locator(".map .reading")).to_contain_text("·it looks at ·animal")
    page.mouse.move(2, 2)
    expect(plane).to_have_attribute("data-lines", "0")
    own.focus()
    expect(plane).to_have_attribute("data-lines", "3")


def test_places_like_a_link_are_found(page: Page, app: str) -> None:
    page.goto(f"{app}/atlas?atlas=Where+else%3F&kind=encoder&layer=6&head=4&word=12")
    evidence = page.locator(".evidence")
    expect(evidence).to_have_attribute("data-rows", "8", timeout=LONG)
    expect(evidence.locator("text.query").first).to_have_text("·it")


def test_a_role_leads_on_to_its_surest_heads_in_both_models(page: Page, app: str) -> None:
    page.goto(f"{app}/atlas?against=zh-en&compared=role+by+role")
    table = page.get_by_test_id("stDataFrame")
    expect(table).to_be_visible(timeout=LONG)
    expect(page.get_by_text("Mark a row to go on")).to_be_visible(timeout=LONG)
    rest(page)
    table.click(position={"x": 15, "y": 52})  # the box before its first row
    links = page.locator("[data-link=alike]:visible")
    expect(links).to_have_count(2, timeout=LONG)
    expect(page.locator("[data-link=off]:visible")).to_have_count(0)
    links.first.click()
    expect(page).to_have_url(re.compile(r"/atlas\?.*model=zh-en.*atlas=Where"), timeout=LONG)
    expect(page.locator(".evidence")).to_be_visible(timeout=LONG)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_many_sentences_stop_go_on_and_are_saved(page: Page, app: str, tmp_path: Path) -> None:
    page.goto(f"{app}/atlas?atlas=Many+sentences")
    box = page.locator(".st-key-many-box textarea")
    expect(box).to_be_visible(timeout=LONG)
    box.fill("\n".join(f"I have {number} cats and a dog." for number in range(500)))
    page.get_by_role("button", name=re.compile("Translate")).click()
    main = page.get_by_test_id("stMain")
    table = page.get_by_test_id("stDataFrame")
    expect(table).to_be_visible(timeout=LONG)  # it fills
    main.get_by_role("button", name="Stop").click()
    expect(main.get_by_role("button", name=re.compile("Go on: [0-9]+ sentences"))).to_be_visible(
        timeout=LONG
    )
    rest(page)
    with page.expect_download() as saved:
        page.get_by_test_id("stDownloadButton").get_by_role("button").click()
    saved.value.save_as(tmp_path / "some.csv")
    text = (tmp_path / "some.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.reader(text.splitlines()))
    assert rows[0][:2] == ["sentence", "translation"]
    assert 1 < len(rows) < 501
    assert rows[1][0] == "I have 0 cats and a dog."
    assert all(row[1] for row in rows)
