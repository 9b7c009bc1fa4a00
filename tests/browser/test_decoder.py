import os
import re
import statistics
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from benchmarks.decode import redraws, to_and_fro
from model import Greedy, Sampling, Translator, load_translator
from model.decoding.steps import normalised
from viz.shell.state import FIRST_SENTENCE

PATIENCE = 60_000


def open_decoder(page: Page, app: str, query: str = "") -> Locator:
    page.goto(f"{app}/decoder{query}")
    return settled(page)


def settled(page: Page) -> Locator:
    """Wait until the browser has the answer to what it asked for last."""
    page.locator(".decoder[data-busy='false']").wait_for(timeout=PATIENCE)
    return page.locator(".decoder")


def step_of(decoder: Locator) -> int:
    return int(decoder.get_attribute("data-step") or 0)


def last_step(decoder: Locator) -> int:
    return int(decoder.locator(".position").get_attribute("max") or 0)


def wait_for_link(page: Page, name: str, value: str) -> None:
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query).get(name) == [value])


def pieces(row: Locator) -> list[str]:
    return row.locator(".chip").all_inner_texts()


@pytest.fixture(scope="module")
def translator() -> Translator:
    return load_translator(os.environ.get("HEADLIGHT_CHECKPOINT", "en-fr"))


def test_to_the_end_an_alternative_back_and_the_link(page: Page, app: str, shots: Path) -> None:
    decoder = open_decoder(page, app)
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
    page.screenshot(path=shots / "decoder-branches.png", full_page=True)

    page.keyboard.press("ArrowRight")
    wait_for_link(page, "step", "3")
    wait_for_link(page, "branch", "1")
    page.goto(page.url)
    decoder = settled(page)
    expect(decoder).to_have_attribute("data-step", "3")
    assert pieces(decoder.locator(".branch").nth(1)) == forced

    decoder.get_by_role("button", name="Undo").click()
    expect(decoder.locator(".branch")).to_have_count(1, timeout=PATIENCE)


def test_branches_of_branches_and_back_one_by_one(page: Page, app: str) -> None:
    decoder = open_decoder(page, app, "?step=2")
    for count in (2, 3, 4):
        taken = decoder.locator("button.bar.chosen")
        assert taken.count() <= 1
        decoder.locator("button.bar:not(.chosen)").nth(count).click()
        expect(decoder.locator(".branch")).to_have_count(count, timeout=PATIENCE)
        decoder = settled(page)
        page.keyboard.press("ArrowRight")
    decoder.locator(".branch").nth(2).get_by_role("button", name="Remove").click()
    expect(decoder.locator(".branch")).to_have_count(3, timeout=PATIENCE)


def test_keys_and_play(page: Page, app: str) -> None:
    decoder = open_decoder(page, app)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(decoder).to_have_attribute("data-step", "3")
    page.keyboard.press("ArrowLeft")
    expect(decoder).to_have_attribute("data-step", "2")
    decoder.get_by_label("Speed").select_option("4")
    page.keyboard.press(" ")
    expect(decoder.locator(".play")).to_contain_text("Pause")
    expect(decoder).to_have_attribute("data-step", str(last_step(decoder)), timeout=PATIENCE)
    expect(decoder.locator(".play")).to_contain_text("Play")
    page.get_by_label("English sentence").press("ArrowLeft")
    expect(decoder).to_have_attribute("data-step", str(last_step(decoder)))


def test_the_slider_goes_to_any_step(page: Page, app: str) -> None:
    decoder = open_decoder(page, app)
    decoder.locator(".position").fill("4")
    expect(decoder).to_have_attribute("data-step", "4")
    expect(decoder.locator(".target .column[data-position]")).to_have_count(4)
    expect(decoder.locator(".target .column[data-position] .mask.may")).to_have_count(4)
    expect(decoder.locator(".target .column:not([data-position]) .mask.may")).to_have_count(0)


def test_lines_point_at_no_other_piece(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 700, "height": 900})  # the pieces fill several rows
    decoder = open_decoder(page, app, "?step=18&attention_layer=mean")
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


def test_typed_pieces_are_forced_or_say_why_not(page: Page, app: str) -> None:
    decoder = open_decoder(page, app, "?step=2")
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
    expect(decoder.locator(".type .problem")).to_contain_text("Type a French piece")


def test_weights_and_odds_are_those_of_the_model(
    page: Page, app: str, translator: Translator
) -> None:
    decoder = open_decoder(page, app, "?step=3&attention_layer=2&attention_head=4")
    translation = translator.translate(FIRST_SENTENCE)
    recording = translator.record(FIRST_SENTENCE, translation)
    cross = recording.attention("cross")[1, 3, 2]
    drawn = decoder.locator(".source .column").evaluate_all(
        "columns => columns.map((column) => Number(column.dataset.weight))"
    )
    assert drawn == pytest.approx(cross.tolist(), abs=0.5 / 255 + 1e-4)
    past = decoder.locator(".target .column[data-position]").evaluate_all(
        "columns => columns.map((column) => Number(column.dataset.weight))"
    )
    own = recording.attention("decoder")[1, 3, 2, :3]
    assert past == pytest.approx(own.tolist(), abs=0.5 / 255 + 1e-4)
    probabilities = torch.tensor(recording.logits[2]).softmax(dim=0)
    assert bars(decoder) == pytest.approx(probabilities.topk(10).values.tolist(), abs=1e-3)


def bars(decoder: Locator) -> list[float]:
    return decoder.locator("button.bar").evaluate_all(
        "bars => bars.map((bar) => Number(bar.dataset.probability))"
    )


def test_a_forced_piece_beyond_the_top_ten_has_a_bar_of_its_own(
    page: Page, app: str, translator: Translator
) -> None:
    prefix = translator.translate(FIRST_SENTENCE).ids[:13]
    forced = translator.forced_ids("maison")[:1]
    step = list(translator.steps(FIRST_SENTENCE, Greedy(), (*prefix, *forced)))[13]
    assert step.rank > 10
    link = f"?branch=1&step=14&branches={'-'.join(map(str, prefix))}.{forced[0]}"
    decoder = open_decoder(page, app, link)
    expect(decoder.locator("button.bar")).to_have_count(11)
    own = decoder.locator("button.bar.chosen")
    expect(own).to_have_text(re.compile("maison"))
    probability = float(own.get_attribute("data-probability") or 1)
    assert probability == pytest.approx(step.chosen.probability, rel=1e-3)
    rest = decoder.locator(".bar.rest").get_attribute("data-probability")
    assert sum(bars(decoder)) + float(rest or 0) == pytest.approx(1, abs=1e-6)
    decoder.get_by_role("button", name="How the input grows").click()
    row = decoder.locator(".growth-row.used")
    expect(row).to_contain_text("row 14 would say")
    expect(row).to_contain_text("maison was forced")


@torch.inference_mode()
def test_a_moving_slider_redraws_the_bars_from_the_logits(
    page: Page, app: str, translator: Translator
) -> None:
    decoder = open_decoder(page, app, "?strategy=sampling&seed=3")
    source = translator.source(FIRST_SENTENCE)
    logits = translator.scorer(source)(torch.tensor([[translator.tokenizer.begin_id]]))[0]
    move = "(slider) => slider.dispatchEvent(new Event('input', { bubbles: true }))"
    settings: dict[str, float] = {"temperature": 1.0, "top_k": 0, "top_p": 1.0}
    labels = {"temperature": "Temperature", "top_k": "Top-k", "top_p": "Top-p"}
    for name, value in (("temperature", 2.0), ("top_k", 30), ("top_p", 0.5), ("temperature", 0.5)):
        slider = decoder.get_by_label(labels[name], exact=True)
        texts = slider_texts(slider)
        slider.evaluate("(slider, at) => { slider.value = at; }", texts.index(float(value or 0)))
        slider.evaluate(move)
        settings[name] = value
        sampling = Sampling(settings["temperature"], int(settings["top_k"]), settings["top_p"])
        expected, _ = sampling.reshape(normalised(logits))
        padded = [*expected.tolist(), *([0.0] * 10)][:10]
        assert bars(decoder) == pytest.approx(padded, abs=2e-3, rel=5e-3)


def slider_texts(slider: Locator) -> list[float]:
    """Read what each position of a slider means, by moving it there and back."""
    texts = slider.evaluate(
        """(slider) => {
          const before = slider.value;
          const move = (at) => {
            slider.value = at;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            return slider.getAttribute("aria-valuetext");
          };
          const texts = Array.from({ length: Number(slider.max) + 1 }, (_, at) => move(at));
          move(before);
          return texts;
        }"""
    )
    return [0.0 if text == "all" else float(text) for text in texts]


def test_a_settled_slider_samples_anew(page: Page, app: str) -> None:
    decoder = open_decoder(page, app, "?strategy=sampling&seed=3")
    before = pieces(decoder.locator(".branch"))
    decoder.get_by_role("button", name="Roll again").click()
    wait_for_link(page, "seed", "4")
    assert pieces(settled(page).locator(".branch")) != before
    decoder.get_by_label("Top-k", exact=True).fill("0")
    wait_for_link(page, "top_k", "1")
    greedy = open_decoder(page, app)
    free = pieces(greedy.locator(".branch"))
    sampled = open_decoder(page, app, "?strategy=sampling&top_k=1")
    assert pieces(sampled.locator(".branch")) == free


def test_the_beams_tree_grows_and_a_node_shows_its_prefix(
    page: Page, app: str, shots: Path
) -> None:
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
    page.screenshot(path=shots / "decoder-tree.png", full_page=True)
    decoder.get_by_role("button", name="Go on from here").click()
    expect(decoder.locator(".branch")).to_have_count(2, timeout=PATIENCE)
    expect(decoder.locator(".banner")).to_be_hidden()


def test_a_translation_of_ones_own_is_ranked(page: Page, app: str, translator: Translator) -> None:
    decoder = open_decoder(page, app)
    decoder.get_by_role("button", name="Your translation").click()
    given = "L'animal dort <b>."
    box = decoder.get_by_label("A French translation of your own")
    box.fill(given)
    box.press("Enter")
    tokenizer = translator.tokenizer
    forced = (*tokenizer.encode(given), tokenizer.end_id)
    steps = list(translator.steps(FIRST_SENTENCE, Greedy(), forced))
    rows = decoder.locator("tbody tr")
    expect(rows).to_have_count(len(steps), timeout=PATIENCE)
    ranks = rows.evaluate_all("rows => rows.map((row) => Number(row.dataset.rank))")
    assert ranks == [step.rank for step in steps]
    assert decoder.locator("tbody b").count() == 0
    rows.nth(2).get_by_role("button").click()
    expect(decoder).to_have_attribute("data-step", "3")
    expect(decoder.locator(".reason")).to_contain_text("Your translation says so")


def test_a_click_on_the_alignment_goes_to_that_step(page: Page, app: str) -> None:
    decoder = open_decoder(page, app)
    canvas = decoder.locator("canvas")
    box = canvas.bounding_box()
    assert box is not None
    canvas.click(position={"x": box["width"] - 90, "y": box["height"] - 8})
    expect(decoder).to_have_attribute("data-step", str(last_step(decoder)))
    expect(canvas).to_have_attribute("data-row", str(last_step(decoder)))


def test_the_decoders_input_grows_by_one_a_step(page: Page, app: str) -> None:
    decoder = open_decoder(page, app, "?step=4")
    decoder.get_by_role("button", name="How the input grows").click()
    expect(decoder.locator(".growth-row")).to_have_count(4)
    expect(decoder.locator(".growth-row.used")).to_have_count(1)
    expect(decoder.locator(".shapes")).to_contain_text(re.compile("logits\\s+4 \u00d7 \\d+"))
    page.keyboard.press("ArrowRight")
    expect(decoder.locator(".growth-row")).to_have_count(5)


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


def test_a_step_redraws_quickly(page: Page, app: str) -> None:
    decoder = open_decoder(page, app)
    measured = redraws(page, to_and_fro(2 * min(10, last_step(decoder) - 1)))
    assert statistics.median(measured) < 200
