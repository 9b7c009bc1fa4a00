"""The decoder's weights, odds and ranks in a browser are those of the model."""

import re

import pytest
import torch
from playwright.sync_api import Page, expect

from model import Greedy, Sampling, Translator
from model.decoding.steps import normalised
from tests.browser.decoder import (
    PATIENCE,
    bars,
    open_decoder,
    pieces,
    settled,
    slider_texts,
    wait_for_link,
)
from tests.sentences import FIRST_SENTENCE


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
    shown = decoder.locator("button.bar .number").all_inner_texts()
    read = [float(text.strip("%<\N{NO-BREAK SPACE}")) / 100 for text in shown]
    assert read == pytest.approx(bars(decoder), rel=0.5, abs=1e-5)  # none is written as zero


def test_a_rival_beyond_the_top_ten_has_its_own_probability(
    page: Page, app: str, translator: Translator
) -> None:
    sentence = "The animal didn't cross the street because it was too tired."
    run = translator.run(sentence)
    il, elle = (translator.target_tokenizer.id(piece) for piece in ("il", "elle"))
    step = run.translation.ids.index(il)
    true = torch.tensor(run.recording.logits[step]).softmax(dim=0)[elle].item()
    decoder = open_decoder(page, app, f"?step={step + 1}&sentence={sentence}")
    rival = decoder.locator(f"button.bar[data-id='{elle}']")
    assert float(rival.get_attribute("data-probability") or 1) == pytest.approx(true, rel=1e-3)
    rest = decoder.locator(".bar.rest.all").get_attribute("data-probability")
    assert sum(bars(decoder)) + float(rest or 0) == pytest.approx(1, abs=1e-6)


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
    rest = decoder.locator(".bar.rest.all").get_attribute("data-probability")
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


def test_a_translation_of_ones_own_is_ranked(page: Page, app: str, translator: Translator) -> None:
    decoder = open_decoder(page, app)
    decoder.get_by_role("button", name="Your translation").click()
    given = "L'animal dort <b>."
    box = decoder.get_by_label("A translation of your own")
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
