"""The time of decoding and stepping: `python -m benchmarks.decode [--checkpoint NAME]`."""

import argparse
import os
import statistics

import torch
from playwright.sync_api import Page

from benchmarks import medians, table
from browser.app import app_in_chromium
from browser.waiting import limited
from model import Beam, Greedy, Sampling, Translator, load_translator
from model.decoding.steps import Limits, Strategy
from model.recording.recording import record

SENTENCE = "The animal didn't cross the street because it was too tired."
TOKENS = 20
ROUNDS = 7
STEPS = 20

PRESS = """
async ([root, key]) => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  await painted();
  const before = root.dataset.step;
  const started = performance.now();
  document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  while (root.dataset.step === before) await painted();
  await painted();
  return performance.now() - started;
}
"""


def redraws(page: Page, keys: list[str]) -> list[float]:
    """Press keys on the decoder page; return the milliseconds from each to the painted picture."""
    root = page.locator(".decoder").element_handle()
    return [
        float(page.evaluate(limited(PRESS, f"a step after {key}"), [root, key])) for key in keys
    ]


def to_and_fro(steps: int) -> list[str]:
    """Return `steps` keys, half of them forward and half back."""
    return ["ArrowRight"] * (steps // 2) + ["ArrowLeft"] * (steps // 2)


@torch.inference_mode()
def decode_recorded(translator: Translator) -> None:
    """Decode greedily, recording everything in a whole pass at every step."""
    source = translator.source(SENTENCE)
    ids = [translator.tokenizer.begin_id]
    for _ in range(TOKENS):
        tokens = translator.tokenizer.tokens(ids)
        recording = record(translator.model, source.ids, ids, list(source.tokens), tokens)
        ids.append(int(recording.logits[-1].argmax()))


@torch.inference_mode()
def decode_plainly(translator: Translator, strategy: Strategy) -> None:
    """Decode without recording, as `translate` does, to a fixed length."""
    limits = Limits(translator.tokenizer.begin_id, -1, TOKENS + 1)
    assert (
        len(list(strategy.steps(translator.scorer(translator.source(SENTENCE)), limits))) == TOKENS
    )


def by_rows(checkpoint: str) -> Translator:
    """Load a translator whose matrices are stored row by row in memory, as in the file."""
    loaded = load_translator(checkpoint)
    for parameter in loaded.network.parameters():
        parameter.data = parameter.data.contiguous()
    return loaded


def decoding_rows(checkpoint: str) -> list[tuple[str, str, str, str]]:
    """Time the same number of tokens with and without recording, and the other strategies."""
    translator, rowwise = load_translator(checkpoint), by_rows(checkpoint)
    strategies: list[Strategy] = [Greedy(), Sampling(), Beam(4)]
    recorded, plain_time, *plain = medians(
        ROUNDS,
        lambda: decode_recorded(translator),
        lambda: decode_plainly(rowwise, Greedy()),
        *(
            lambda strategy=strategy: decode_plainly(translator, strategy)
            for strategy in strategies
        ),
    )
    names = ["greedy", "sampling", "beam 4"]
    rows = [(f"greedy, {TOKENS} tokens, all recorded", f"{recorded:.0f} ms", "", "500 ms")]
    for name, time in zip(names, plain, strict=True):
        bound = "3.0 x faster" if name == "greedy" else ""
        ratio = f"{recorded / time:.1f} x faster"
        rows.append((f"{name}, {TOKENS} tokens, unrecorded", f"{time:.0f} ms", ratio, bound))
    ratio = f"{plain_time / plain[0]:.2f} x the time"
    rows.append(("greedy, unrecorded, weights by rows", f"{plain_time:.0f} ms", ratio, ""))
    return rows


def stepping_row(checkpoint: str) -> tuple[str, str, str, str]:
    """Time steps forward and back on the page, in headless Chromium."""
    os.environ["HEADLIGHT_CHECKPOINT"] = checkpoint
    with app_in_chromium() as (address, browser):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"{address}/decoder")
        page.locator(".decoder[data-busy='false']").wait_for(timeout=60_000)
        steps = min(
            STEPS, 2 * int(page.locator(".decoder .position").get_attribute("max") or 2) - 2
        )
        measured = redraws(page, to_and_fro(steps))
    most = f"{max(measured):.0f} ms at most"
    return (
        f"a step on the page, of {steps}",
        f"{statistics.median(measured):.0f} ms",
        most,
        "200 ms",
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", default="en-fr")
    checkpoint = parser.parse_args().checkpoint
    torch.set_num_threads(1)
    rows = [*decoding_rows(checkpoint), stepping_row(checkpoint)]
    table("Decoding (one thread)", ("what", "median", "in relation", "bound"), rows)


if __name__ == "__main__":
    main()
