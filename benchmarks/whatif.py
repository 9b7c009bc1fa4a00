"""The cost of a change of the model: `python -m benchmarks.whatif [--checkpoint NAME]`."""

import argparse
import os
import statistics

import torch
from playwright.sync_api import Page

from benchmarks import medians, table
from browser.app import app_in_chromium
from browser.waiting import limited
from model import AblateHead, Translator, load_translator
from model.measures.importance import head_importance
from model.sites.sites import KINDS

SENTENCE = "The animal didn't cross the street because it was too tired."
DONOR = "The animal didn't cross the street because it was too wide."
ROUNDS = 5
HEADS = 5

TOGGLE = """
async ([board, place]) => {
  const root = document.querySelector('[data-testid="stApp"]');
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  let changed = performance.now();
  const observer = new MutationObserver(() => (changed = performance.now()));
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  observer.observe(root, all);
  const shadow = board.getRootNode();
  const cells = () => shadow.querySelectorAll(".cell");
  const before = cells()[place].getAttribute("aria-pressed");
  const started = performance.now();
  cells()[place].click();
  const running = () => root.dataset.testScriptState !== "notRunning";
  const same = () => cells()[place].getAttribute("aria-pressed") === before;
  while (same() || running() || performance.now() - changed < 250) await painted();
  observer.disconnect();
  return changed - started;
}
"""


def toggles(page: Page, places: list[int]) -> list[float]:
    """Press cells of the board; return the milliseconds from each to the page's last change."""
    boards = page.locator(".boards")  # each press draws new cells
    work = limited(TOGGLE, "the page after a press on a head")
    return [float(page.evaluate(work, [boards.element_handle(), cell])) for cell in places]


def in_browser() -> list[float]:
    """Toggle heads of all kinds, each for the first time, after one head to warm up."""
    with app_in_chromium() as (address, browser):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"{address}/lab_heads")
        page.locator(".boards").wait_for(timeout=60_000)
        page.locator('[data-testid="stPlotlyChart"] .main-svg').nth(2).wait_for(timeout=60_000)
        page.wait_for_timeout(3000)
        count = page.locator(".cell").count()
        step = count // (HEADS + 1)
        times = toggles(page, [number * step + number for number in range(HEADS + 1)])
    return times[1:]


def model_rows(translator: Translator) -> list[tuple[str, str, str, str]]:
    """Time a toggle and the importance of all heads without the page."""
    sentence = translator.source(SENTENCE).text
    before = translator.translate(sentence)
    ids = (translator.tokenizer.begin_id, *before.ids, translator.tokenizer.end_id)
    source = translator.source(sentence).ids
    off = [(AblateHead(kind, 1, 2),) for kind in KINDS]
    *translated, recorded, measured, traced, by_head = medians(
        ROUNDS,
        *(
            lambda intervention=intervention: translator.translate(
                sentence, interventions=intervention
            )
            for intervention in off
        ),
        lambda: translator.record(sentence, before, off[0]),
        lambda: head_importance(translator.model, source, ids),
        lambda: translator.trace(sentence, DONOR, before),
        lambda: translator.trace(sentence, DONOR, before, "z"),
    )
    rows = [
        (f"translate, one {kind} head off", f"{time:.0f} ms", "", "")
        for kind, time in zip(KINDS, translated, strict=True)
    ]
    heads = sum(translator.config.layers(kind) for kind in KINDS) * translator.config.heads
    return [
        *rows,
        ("record, one head off", f"{recorded:.0f} ms", "", ""),
        (f"importance of all {heads} heads", f"{measured:.0f} ms", "", "5000 ms"),
        (f"trace of {len(source)} pieces", f"{traced:.0f} ms", "", "1000 ms"),
        (f"the same of z of all {heads} heads", f"{by_head:.0f} ms", "", ""),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", default="en-fr")
    checkpoint = parser.parse_args().checkpoint
    torch.set_num_threads(1)
    rows = model_rows(load_translator(checkpoint))
    os.environ["HEADLIGHT_CHECKPOINT"] = checkpoint
    times = in_browser()
    middle, most = f"{statistics.median(times):.0f} ms", f"{max(times):.0f} ms at most"
    rows.append((f"toggle a head to repainted, of {len(times)}", middle, most, "400 ms"))
    table("What if (one thread)", ("what", "median", "in relation", "bound"), rows)


if __name__ == "__main__":
    main()
