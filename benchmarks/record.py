"""The cost of recording: `python -m benchmarks.record [--checkpoint NAME]`."""

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

import torch
from torch import Tensor

from benchmarks import medians, table
from model.command import command
from model.recording.recording import record
from model.sites.tap import NO_TAP
from model.translator import Translator, load_translator

SENTENCE = "The animal didn't cross the street because it was too tired."
TOKENS = 12
ROUNDS = 60
FRESH_PROCESSES = 3

FRESH = """
import sys, time
import torch
torch.set_num_threads(1)
started = time.perf_counter()
from model import load_translator
load_translator(sys.argv[1]).translate(sys.argv[2])
print(time.perf_counter() - started)
"""


class CountingTap:
    """Counts the calls of its tap in a forward pass."""

    def __init__(self) -> None:
        """Start at zero."""
        self.calls, self.scopes = 0, 0

    def __call__(self, name: str, tensor: Tensor, *made_of: Tensor) -> Tensor:  # noqa: ARG002
        """Count a tensor."""
        self.calls += 1
        return tensor

    def at(self, scope: str) -> "CountingTap":  # noqa: ARG002
        """Count a scope."""
        self.scopes += 1
        return self


@torch.inference_mode()
def forward_and_record(translator: Translator) -> list[tuple[str, str, str, str]]:
    """Time a bare pass and the recording of the same pass; count the calls of a pass's tap."""
    model, begin, end = translator.model, translator.tokenizer.begin_id, translator.tokenizer.end_id
    source = [*translator.source(SENTENCE).ids[: TOKENS - 1], end]
    target = [begin, *translator.tokenizer.encode(SENTENCE)[: TOKENS - 1]]
    names = translator.tokenizer.tokens(source), translator.tokenizer.tokens(target)
    src, tgt, count = torch.tensor([source]), torch.tensor([target]), CountingTap()
    model(src, tgt, count)

    def tap_nothing() -> None:
        for _ in range(count.scopes):
            NO_TAP.at("encoder")
        for _ in range(count.calls):
            NO_TAP("weights", src)

    bare, recorded, taps = medians(
        ROUNDS,
        lambda: model(src, tgt),
        lambda: record(model, source, target, *names),
        tap_nothing,
    )
    size = f"{len(source)} x {len(target)} tokens"
    calls = f"{count.calls} sites, {count.scopes} scopes"
    return [
        (f"forward, {size}", f"{bare:.2f} ms", "", ""),
        (f"recording, {size}", f"{recorded:.2f} ms", f"{recorded / bare:.2f} x forward", "1.50 x"),
        (f"NO_TAP, {calls}", f"{taps:.3f} ms", f"{100 * taps / bare:.2f} % of forward", "1.00 %"),
    ]


def first_translation(checkpoint: str) -> tuple[str, str, str, str]:
    """Time loading and the first translation in fresh processes that have imported torch."""
    command = [sys.executable, "-c", FRESH, checkpoint, SENTENCE]
    root = Path(__file__).parent.parent
    seconds = [
        float(
            subprocess.run(command, cwd=root, capture_output=True, check=True, timeout=120).stdout
        )
        for _ in range(FRESH_PROCESSES)
    ]
    return ("load and first translation", f"{statistics.median(seconds):.2f} s", "", "2.00 s")


@command
def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.record", description=__doc__)
    parser.add_argument("--checkpoint", default="en-fr", help="a name under checkpoints/ or a path")
    checkpoint = parser.parse_args().checkpoint
    torch.set_num_threads(1)  # as the server does
    translator = load_translator(checkpoint)
    rows = [*forward_and_record(translator), first_translation(checkpoint)]
    table(f"Recording ({checkpoint}, one thread)", ("what", "median", "share", "at most"), rows)


if __name__ == "__main__":
    sys.exit(main())
