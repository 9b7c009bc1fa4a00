"""The cost of learning on one sentence: `python -m benchmarks.learning [--checkpoint NAME]`."""

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import torch

from benchmarks import medians, table
from model import Translator, load_translator
from model.learning.descent import descend
from model.learning.dropout import draws
from model.learning.example import one_by_one, training_example
from model.learning.forcing import feed
from model.learning.recipe import Optimizer, Recipe
from model.recording.history import LARGEST, load_history
from tests.fixtures.history import with_history
from viz.pages.learning.marks import find_marks
from viz.pages.learning.timeline import pack

SENTENCE = "The animal didn't cross the street because it was too tired."
TARGET = "La bête n'a pas traversé la rue, car elle était trop fatiguée."
ROUNDS, STEPS, MOMENTS = 5, 20, 40

Row = tuple[str, str, str, str]


def memory() -> float:
    """Return the peak memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def single_rows(translator: Translator) -> list[Row]:
    """Time each computation of the topics once."""
    ids = translator.pair_ids(SENTENCE, TARGET)
    model, tokenizer = translator.model, translator.target_tokenizer
    names = ("training example", "all rows, one by one too", "teacher forcing", "two dropout draws")
    times = medians(
        ROUNDS,
        lambda: training_example(translator, translator.pair_ids(SENTENCE, TARGET)),
        lambda: one_by_one(model, *ids),
        lambda: feed(model, tokenizer, *ids, 0.5),
        lambda: draws(model, *ids, 3, 0.1, (0, 1)),
    )
    return [
        (name, f"{milliseconds:.0f} ms", "", "")
        for name, milliseconds in zip(names, times, strict=True)
    ]


def descent_row(translator: Translator, optimizer: Optimizer) -> Row:
    """Time steps of descent, with the memory that they add to the earlier peak."""
    ids = translator.pair_ids(SENTENCE, TARGET)
    limits = translator.limits(translator.source(SENTENCE))
    recipe = Recipe(STEPS, 0.1 if optimizer == "plain" else 0.001, optimizer)
    before, started = memory(), time.perf_counter()
    result = descend(translator.model, translator.tokenizers, *ids, limits, recipe)
    seconds = time.perf_counter() - started
    added = f"{memory() - before:.0f} MB more"
    return (
        f"descent, {optimizer}: {result.taken} of {STEPS} steps",
        f"{seconds:.1f} s",
        added,
        "3 s",
    )


def history_rows(checkpoint: str) -> list[Row]:
    """Time reading a history of two sentences and packing one of them."""
    with tempfile.TemporaryDirectory() as name:
        folder = with_history(Path(name) / "copy", MOMENTS, checkpoint)
        size = (folder / "history.npz").stat().st_size
        (reading,) = medians(ROUNDS, lambda: load_history(folder))
        history = load_history(folder)
    head = ("cross", 0, 0)
    (packing,) = medians(ROUNDS, lambda: pack(history, 0, find_marks(history, 0), head))
    sent = len(pack(history, 0, (), head))
    count = len(history.sentences)
    return [
        (
            f"read a history, {count} sentences",
            f"{reading:.0f} ms",
            megabytes(size),
            megabytes(LARGEST),
        ),
        ("find marks, pack one sentence", f"{packing:.0f} ms", megabytes(sent), ""),
    ]


def megabytes(size: float) -> str:
    """Write bytes as MB."""
    return f"{np.round(size / 1e6, 1)} MB"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", default="en-fr")
    checkpoint = parser.parse_args().checkpoint
    torch.set_num_threads(1)
    translator = load_translator(checkpoint)
    rows = single_rows(translator)
    rows += [descent_row(translator, "plain"), descent_row(translator, "run")]
    rows += history_rows(checkpoint)
    table("Learning (one thread)", ("what", "median", "size or memory", "bound"), rows)


if __name__ == "__main__":
    main()
