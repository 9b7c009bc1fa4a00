"""A walk through the step-through decoder."""

import re

from playwright.sync_api import Locator, Page, expect

from benchmarks.decode import to_and_fro
from browser.waiting import rest
from tests.browser.clock import hold_clock, tick
from tests.browser.decoder import PATIENCE, last_step, open_decoder, pieces, settled, wait_for_link


def undo(page: Page) -> None:
    """Take back all branches; the page is at rest afterwards."""
    decoder = page.locator(".decoder")
    for count in range(decoder.locator(".branch").count() - 1, 0, -1):
        decoder.get_by_role("button", name="Undo").click()
        expect(decoder.locator(".branch")).to_have_count(count, timeout=PATIENCE)
        settled(page)
    rest(page)


def test_a_visit_goes_to_and_fro(page: Page, app: str) -> None:
    hold_clock(page, 1000 // 4)
    decoder = open_decoder(page, app, "?step=1&attention_layer=2&attention_head=4")
    a_step_is_drawn_at_once(decoder)
    keys_and_play(page, decoder)
    the_slider_goes_to_any_step(decoder)
    a_head_or_a_mean_is_chosen_on_the_board(page, decoder)
    a_click_on_the_alignment_goes_to_that_step(decoder)
    its_input_grows_by_one_a_step(page, decoder)


def a_step_is_drawn_at_once(decoder: Locator) -> None:
    pressed = """(decoder, key) => {
        document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        return decoder.querySelectorAll(".target .column[data-position]").length;
    }"""
    counts = [decoder.evaluate(pressed, key) for key in to_and_fro(6)]
    assert counts == [2, 3, 4, 3, 2, 1]


def the_slider_goes_to_any_step(decoder: Locator) -> None:
    decoder.locator(".position").fill("4")
    expect(decoder).to_have_attribute("data-step", "4")
    expect(decoder.locator(".target .column[data-position]")).to_have_count(4)
    expect(decoder.locator(".target .column[data-position] .mask.may")).to_have_count(4)
    expect(decoder.locator(".target .column:not([data-position]) .mask.may")).to_have_count(0)


def keys_and_play(page: Page, decoder: Locator) -> None:
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(decoder).to_have_attribute("data-step", "3")
    page.keyboard.press("ArrowLeft")
    expect(decoder).to_have_attribute("data-step", "2")
    decoder.get_by_role("group", name="Speed").get_by_role("button", name="4").click()
    page.keyboard.press(" ")
    for step in range(2, last_step(decoder) + 1):
        expect(decoder).to_have_attribute("data-step", str(step))
        expect(decoder.locator(".play")).to_contain_text("Pause")
        tick(page)
    expect(decoder.locator(".play")).to_contain_text("Play")
    page.get_by_label("Sentence to translate").press("ArrowLeft")
    expect(decoder).to_have_attribute("data-step", str(last_step(decoder)))


def a_click_on_the_alignment_goes_to_that_step(decoder: Locator) -> None:
    canvas = decoder.locator("canvas:not(.tile)")
    box = canvas.bounding_box()
    assert box is not None
    canvas.click(position={"x": box["width"] - 90, "y": box["height"] - 8})
    expect(decoder).to_have_attribute("data-step", str(last_step(decoder)))
    expect(canvas).to_have_attribute("data-row", str(last_step(decoder)))


def its_input_grows_by_one_a_step(page: Page, decoder: Locator) -> None:
    decoder.locator(".position").fill("4")
    decoder.get_by_role("button", name="How the input grows").click()
    expect(decoder.locator(".growth-row")).to_have_count(4)
    expect(decoder.locator(".growth-row.used")).to_have_count(1)
    expect(decoder.locator(".shapes")).to_contain_text(re.compile("logits\\s+4 \u00d7 \\d+"))
    page.keyboard.press("ArrowRight")
    expect(decoder.locator(".growth-row")).to_have_count(5)


def a_head_or_a_mean_is_chosen_on_the_board(page: Page, decoder: Locator) -> None:
    decoder.locator(".position").fill("3")
    place = decoder.locator(".place")
    expect(place).to_have_text("cross 2.4")
    shown = decoder.locator(".picture .value")
    before = shown.all_inner_texts()
    decoder.locator(".line:visible [data-place='cross 2.6']").click()
    expect(place).to_have_text("cross 2.6")
    decoder.get_by_role("button", name="All heads").click()
    board = decoder.locator(".panel")
    board.locator("[data-place='cross 5.6']").click()
    expect(place).to_have_text("cross 5.6")
    assert shown.all_inner_texts() != before
    board.locator("[data-place='cross 5.6']").press("ArrowUp")
    expect(place).to_have_text("cross 4.6")
    board.locator("[data-side='layer'][data-number='5']").click()
    expect(place).to_have_text("layer 5, mean of its heads")
    expect(board.locator(".cell.averaged")).to_have_count(8)
    wait_for_link(page, "attention_layer", "5")
    board.locator("[data-side='all']").click()
    expect(place).to_have_text("mean of all layers and heads")
    wait_for_link(page, "attention_layer", "mean")


def test_a_visit_forces_other_pieces(page: Page, app: str) -> None:
    decoder = open_decoder(page, app, "?step=1")
    a_press_counts_that_begins_before_the_answer_to_a_step(page, decoder)
    undo(page)
    decoder.locator(".position").fill("1")
    to_the_end_an_alternative_back_and_the_link(page, decoder)
    typed_pieces_are_forced_or_say_why_not(page, decoder)
    undo(page)
    branches_of_branches_and_back_one_by_one(page, decoder)


def a_press_counts_that_begins_before_the_answer_to_a_step(page: Page, decoder: Locator) -> None:
    rest(page)
    page.keyboard.press("ArrowRight")
    decoder.locator("button.bar:not(.chosen)").first.hover()
    page.mouse.down()
    wait_for_link(page, "step", "2")
    rest(page)
    page.mouse.up()
    expect(decoder.locator(".branch")).to_have_count(2, timeout=PATIENCE)


def to_the_end_an_alternative_back_and_the_link(page: Page, decoder: Locator) -> None:
    end = last_step(decoder)
    for step in range(2, end + 1):
        decoder.get_by_role("button", name="Next").click()
        expect(decoder).to_have_attribute("data-step", str(step))
    expect(decoder.get_by_role("button", name="Next")).to_be_disabled()
    expect(decoder.locator(".reason")).to_contain_text("finished")

    for _ in range(end - 2):
        decoder.get_by_role("button", name="Previous").click()
    expect(decoder).to_have_attribute("data-step", "2")
    others = decoder.locator("button.bar:not(.chosen)").filter(has_not_text="</s>")
    others.first.click()
    expect(decoder.locator(".branch")).to_have_count(2, timeout=PATIENCE)
    decoder = settled(page)

    rows = decoder.locator(".branch")
    free, forced = pieces(rows.nth(0)), pieces(rows.nth(1))
    assert free[0] == forced[0]
    assert free[1] != forced[1]
    assert rows.nth(1).locator(".chip.forced").all_inner_texts() == [forced[1]]
    expect(rows.nth(1).locator(".parting")).to_have_attribute("title", "parts at step 2")
    for row in (rows.nth(0), rows.nth(1)):
        expect(row.locator(".worth")).to_contain_text("log-probability")
    expect(decoder.locator(".reason")).to_contain_text("You forced it")

    page.keyboard.press("ArrowRight")
    wait_for_link(page, "step", "3")
    wait_for_link(page, "branch", "1")
    page.goto(page.url)
    decoder = settled(page)
    expect(decoder).to_have_attribute("data-step", "3")
    assert pieces(decoder.locator(".branch").nth(1)) == forced

    undo(page)


def typed_pieces_are_forced_or_say_why_not(page: Page, decoder: Locator) -> None:
    decoder.locator(".position").fill("2")
    box = decoder.get_by_label("Type a piece")
    box.fill("+zzzzqq")
    box.press("Enter")
    expect(decoder.locator(".type .problem")).to_contain_text("cannot be forced", timeout=PATIENCE)
    expect(decoder.locator(".branch")).to_have_count(1)
    box.fill("maison")
    box.press("Enter")
    expect(decoder.locator(".branch")).to_have_count(2, timeout=PATIENCE)
    expect(decoder.locator(".type .problem")).to_be_empty()
    expect(decoder.locator(".chip.forced").first).to_contain_text("maison")
    decoder.locator(".branch-name").first.click()
    box.fill("maison")
    box.press("Enter")
    wait_for_link(page, "branch", "1")
    expect(settled(page).locator(".branch")).to_have_count(2)
    box.fill(" ")
    box.press("Enter")
    expect(decoder.locator(".type .problem")).to_contain_text("Type a piece first")


def branches_of_branches_and_back_one_by_one(page: Page, decoder: Locator) -> None:
    decoder.locator(".position").fill("2")
    for count in (2, 3, 4):
        taken = decoder.locator("button.bar.chosen")
        assert taken.count() <= 1
        decoder.locator("button.bar:not(.chosen)").nth(count).click()
        expect(decoder.locator(".branch")).to_have_count(count, timeout=PATIENCE)
        decoder = settled(page)
        page.keyboard.press("ArrowRight")
    decoder.locator(".branch").nth(2).get_by_role("button", name="Remove").click()
    expect(decoder.locator(".branch")).to_have_count(3, timeout=PATIENCE)


def test_pieces_lie_close_and_lines_point_at_no_other(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 700, "height": 900})  # the pieces fill several rows
    decoder = open_decoder(page, app, "?step=18&attention_layer=mean")
    rest(page)  # lines follow the pieces in the frame after they have moved
    crossed = decoder.evaluate(
        """(decoder) => {
          const stage = decoder.querySelector(".stage").getBoundingClientRect();
          const chips = [...decoder.querySelectorAll(".stage .chip")].map((chip) => {
            const { left, right, top, bottom } = chip.getBoundingClientRect();
            const [x, y] = [stage.left, stage.top];
            return [left - x + 2, right - x - 2, top - y + 2, bottom - y - 2];
          });
          return [...decoder.querySelectorAll(".lines path")].filter((path) => {
            const piece = path.getTotalLength() / 199;
            return Array.from({ length: 200 }, (_, at) => at * piece).some((place) => {
              const { x, y } = path.getPointAtLength(place);
              return chips.some((c) => x > c[0] && x < c[1] && y > c[2] && y < c[3]);
            });
          }).length;
        }"""
    )
    assert decoder.locator(".lines path").count() > 20
    assert crossed == 0
    a_source_of_two_rows_lies_close_to_the_translation(page, decoder)


def a_source_of_two_rows_lies_close_to_the_translation(page: Page, decoder: Locator) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    decoder.locator(".position").fill("14")
    expect(decoder).to_have_attribute("data-step", "14")
    rest(page)
    rows = decoder.evaluate(
        """(decoder) => ["source", "target"].map((side) => [
          ...new Set([...decoder.querySelectorAll(`.${side} .chip`)].map(
            (chip) => Math.round(chip.getBoundingClientRect().top))),
        ])"""
    )
    source, target = rows
    assert len(source) == 2
    assert target[0] - source[-1] < 90  # the weights below the pieces are in between
    assert source[-1] - source[0] < 60


def test_the_beams_tree_grows_and_a_node_shows_its_prefix(page: Page, app: str) -> None:
    decoder = open_decoder(page, app, "?strategy=beam&width=3")
    first = decoder.locator("g.node").count()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert decoder.locator("g.node").count() > first
    node = decoder.locator("g.node.pruned").last
    assert re.search(
        "log-prob \u2212\\d+\\.\\d+, score \u2212\\d+\\.\\d+",
        node.get_attribute("aria-label") or "",
    )
    node.click()
    expect(decoder.locator(".banner")).to_contain_text("pruned", timeout=PATIENCE)
    expect(settled(page).locator(".reason")).to_contain_text("Nothing taken yet")
    decoder.get_by_role("button", name="Go on from here").click()
    expect(decoder.locator(".branch")).to_have_count(2, timeout=PATIENCE)
    expect(decoder.locator(".banner")).to_be_hidden()


def bytes_written(tokens: list[str]) -> str:
    """Join pieces, those that stand for a byte as that byte."""
    return "".join(chr(int(t[3:5], 16)) if t.startswith("<0x") else t for t in tokens)


def test_markup_in_pieces_stays_text(page: Page, app: str) -> None:
    query = "?sentence=<img src=x onerror=document.title='owned'>&given=<img src=x>"
    decoder = open_decoder(page, app, query)
    expect(decoder.locator(".branch")).to_have_count(2)
    assert "<img" in bytes_written(pieces(decoder.locator(".source")))
    assert page.locator("img[src='x']").count() == 0
    assert page.title() != "owned"
