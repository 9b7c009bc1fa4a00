"""Trace on the site: the maps of any two sentences, and a cell that changes the translation."""

import re
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import Locator, Page, expect

from model import Translator
from model.interventions import link_text
from model.interventions.attention import SetAttention, TurnAttention
from tests.browser.static_host import PHONE, SAVES_DATA
from tests.browser.test_site_attention import asked
from tests.sentences import TIRED_OR_WIDE
from viz.compute import runs, traces
from viz.pages.trace import finding, views

FIRST = "The cat (a BLACK one) sleeps on the mat."
SECOND = "The dog (a BLACK one) sleeps on the mat."
SHORT = "The man is my uncle.", "The woman is my uncle."


def answered(page: Page) -> Locator:
    """Return the maps once the model has answered."""
    expect(page.locator("body[data-model] #picture[aria-busy=false]")).to_be_visible(
        timeout=120_000
    )
    expect(page.locator(".counted")).to_be_hidden()
    return page.locator(".trace")


def test_a_pressed_cell_brings_the_other_answer(
    page: Page, host: str, translator: Translator
) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.add_init_script(SAVES_DATA)
    page.set_viewport_size({"width": PHONE, "height": 900})
    page.goto(f"{host}/trace.html")
    root = page.locator(".trace")
    expect(root).to_be_visible()
    assert [url for url in requests if "/model/" in url] == []
    found = traces.trace(TIRED_OR_WIDE.first, TIRED_OR_WIDE.second)
    row, column = np.unravel_index(np.nanargmax(found.encoder), found.encoder.shape)
    root.locator(f"[data-cell='encoder {row} {column}']").click()
    expect(page.locator("#changes .chip")).to_have_count(1)
    answered(page)
    (patch,) = link_text.read(asked(page)["edits"]).interventions
    assert patch == found.patch("encoder", int(row), int(column))
    changed = translator.run(TIRED_OR_WIDE.first, (patch,)).translation.text
    expect(page.locator(".translations dd")).to_have_text(
        [translator.translate(TIRED_OR_WIDE.first).text, changed]
    )
    expect(root.locator(".answer")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    root.locator("button[aria-pressed=true]").click()
    expect(page.locator("#changes")).to_be_hidden()
    page.go_back()
    expect(page.locator("#changes .chip")).to_have_count(1)


def test_any_two_sentences_are_traced_in_both_views(page: Page, host: str) -> None:
    page.goto(f"{host}/trace.html?{urlencode({'sentence': FIRST, 'second': SECOND})}")
    root = answered(page)
    found = traces.trace(FIRST, SECOND)
    expect(root.locator(".map").first.locator("th[scope=col]")).to_have_count(
        found.encoder.shape[1]
    )
    page.locator("[data-value='By sublayer']").click()
    page.wait_for_url("**/*traced=By*")
    answered(page)
    expect(root.locator(".map").first.locator("th[scope=col]")).to_have_count(12)


def test_heads_are_traced_at_a_piece_and_their_finding_follows(
    page: Page, host: str, translator: Translator
) -> None:
    first, second = SHORT
    shown = {"sentence": first, "second": second, "traced": "By head", "carried": "v"}
    page.goto(f"{host}/trace.html?{urlencode(shown)}")
    root = answered(page)
    expect(root.locator(".map")).to_have_count(3)
    page.locator(".trace-choices select").select_option(index=2)
    expect(root.locator("caption").first).to_contain_text("·is", timeout=120_000)
    page.locator("[data-value='z']").click()
    page.wait_for_function("!location.search.includes('carried')")
    root = answered(page)
    run = translator.run(first)
    prefix = traces.trace(first, second).decided.prefix
    at = 2, len(prefix) - 1
    found = traces.trace(first, second, "z", False, at)
    tokens = run.source.tokens[2], runs.token_names(prefix)[-1]
    said = finding.told(finding.which_head(views.head_tables(found, at, tokens, ()), False))
    expect(page.locator(".finding")).to_have_text(said.replace("**", ""))


def test_restored_the_other_sentence_runs_and_no_cell_can_be_pressed(page: Page, host: str) -> None:
    page.goto(f"{host}/trace.html")
    page.locator("[data-value='restore this one']").click()
    page.wait_for_url("**/*direction=restore*")
    root = answered(page)
    expect(root.locator("[aria-disabled=false]")).to_have_count(0)
    expect(page.locator(".finding")).to_contain_text("il or elle?")
    page.go_back()
    expect(root.locator("[aria-disabled=false]").first).to_be_visible()


def test_the_weights_of_a_query_are_set_by_hand(page: Page, host: str) -> None:
    page.set_viewport_size({"width": PHONE, "height": 900})
    shown = {"traced": "Set the weights", "kind": "encoder", "layer": "5", "head": "3"}
    page.goto(f"{host}/trace.html?{urlencode({**shown, 'word': '12'})}")
    answered(page)
    bars = page.locator(".columns [role=slider]")
    expect(bars).to_have_count(17, timeout=120_000)
    page.locator("[data-preset=uniform]").click()
    expect(page.locator("#changes .chip")).to_have_count(1, timeout=120_000)
    answered(page)
    (row,) = link_text.read(asked(page)["edits"]).interventions
    assert isinstance(row, SetAttention)
    assert (row.kind, row.layer, row.head, row.query) == ("encoder", 4, 2, 11)
    assert max(row.weights) - min(row.weights) < 1e-3
    page.locator(".handle").press("End")
    expect(bars.last).to_have_attribute("aria-valuenow", "1.00", timeout=120_000)
    answered(page)
    (turn,) = link_text.read(asked(page)["edits"]).interventions
    assert isinstance(turn, TurnAttention)
    assert turn.keys == (16,)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    page.locator("[data-preset=free]").click()
    expect(page.locator("#changes")).to_be_hidden(timeout=120_000)


def test_sentences_that_never_part_are_said(page: Page, host: str) -> None:
    page.goto(f"{host}/trace.html?{urlencode({'sentence': FIRST, 'second': FIRST})}")
    expect(page.locator("#problem")).to_contain_text("Nothing to trace")
    expect(page.locator(".trace")).to_be_visible()
    expect(page.locator(".counted")).to_be_hidden()


def test_the_mean_of_many_pairs_stands_below(page: Page, host: str) -> None:
    page.set_viewport_size({"width": PHONE, "height": 900})
    page.goto(f"{host}/trace.html")
    box = page.locator("details.mean")
    box.locator("summary").click()
    found = traces.mean()
    assert found is not None
    expect(box).to_contain_text(f"The mean of {found.traced} of {found.pairs} pairs")
    row, column = np.unravel_index(np.nanargmax(found.encoder), found.encoder.shape)
    cell = box.locator(f"[data-cell='encoder {row} {column}']")
    expect(cell).to_have_attribute("title", re.compile(f"{found.encoder[row, column]:.2f}$"))
    expect(box.locator("[aria-disabled=false]")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    page.locator("[data-value='By sublayer']").click()
    expect(box).to_be_hidden()
