"""The time of a "where else?" search: `python -m benchmarks.atlas [--checkpoint NAME] [--exact]`.

It asks every head once, as the first visitor would, for places like a place in the corpus. With
`--exact`, `same` is the share of the eight places that are also found by a search in full
precision, without the stages of the index.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import torch

from benchmarks import table
from model import Translator, load_translator
from model.measures.atlas.atlas import Atlas, load_atlas
from model.measures.atlas.prepared import searched
from model.measures.atlas.search import Vectors, by_output, by_scores, by_words, vectors_of
from model.sites.sites import Head, Kind
from model.words import words_of

PLACES, COUNT, BOUND = 40, 8, 300
"""The number of places to compare, of found places for each, and the bound in milliseconds."""

Result = TypeVar("Result")


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return the result of a function, and its time in milliseconds."""
    started = time.perf_counter()
    result = work()
    return result, 1000 * (time.perf_counter() - started)


def heads_of(atlas: Atlas, kind: Kind) -> list[Head]:
    """List all heads of a kind."""
    return [
        Head(kind, layer, head)
        for layer in range(atlas.layers[kind])
        for head in range(atlas.heads)
    ]


def searches(translator: Translator, atlas: Atlas, head: Head) -> tuple[Vectors, list[float]]:
    """Time a head's searches: by query and key the first time and again, by output, by words."""
    numbers = range(searched(atlas))
    vectors, reading = timed(lambda: vectors_of(translator, atlas, head, numbers))
    at = len(vectors.q) // 2
    _, scores = timed(lambda: by_scores(vectors, vectors.q[at], vectors.k[at], COUNT))
    _, output = timed(lambda: by_output(vectors, vectors.z[at], COUNT))
    number, *place_numbers = map(int, vectors.places[at])
    query, key = (
        next(word.text for word in words_of(tokens) if word.first <= at <= word.last)
        for tokens, at in zip(atlas.tokens(head.kind, number), place_numbers, strict=True)
    )
    _, words = timed(lambda: by_words(atlas, head, query, key, COUNT))
    return vectors, [reading + scores, scores, reading + output, words]


def same(vectors: Vectors, exact: Vectors) -> float:
    """Return the share of sentences found in full precision that are also found from stages."""
    shares: list[float] = []
    for at in np.linspace(0, len(exact.q) - 1, PLACES).astype(int):
        q, k = exact.q[at], exact.k[at]
        exact_sentences, stage_sentences = (
            {place.sentence for place in by_scores(vectors_, q, k, COUNT)}
            for vectors_ in (exact, vectors)
        )
        shares.append(len(exact_sentences & stage_sentences) / COUNT)
    return statistics.fmean(shares)


def row(translator: Translator, atlas: Atlas, bare: Atlas | None, kind: Kind) -> list[str]:
    """Return a row of the table: medians over all heads of a kind, and the slowest first search."""
    times: list[list[float]] = []
    shares: list[float] = []
    for head in heads_of(atlas, kind):
        vectors, took = searches(translator, atlas, head)
        times.append(took)
        if bare:
            exact = vectors_of(translator, bare, head, range(searched(atlas)))
            shares.append(same(vectors, exact))
    first_time, again_time, output, words = (
        statistics.median(column) for column in zip(*times, strict=True)
    )
    slowest = max(took[0] for took in times)
    cells = [f"{median:.0f}" for median in (first_time, slowest, again_time, output, words)]
    return [kind, *cells, *([f"{statistics.fmean(shares):.3f}"] if bare else [])]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument("--exact", action="store_true", help="compare with full precision")
    options = parser.parse_args()
    torch.set_num_threads(1)
    translator = load_translator(options.checkpoint)
    atlas = load_atlas(translator.folder)
    bare = atlas.without_stages() if options.exact else None
    searches(translator, atlas, Head(atlas.kinds[0], 0, 0))  # the first search reads the file
    columns = ["attention", "first", "slowest", "again", "output", "words"]
    table(
        f"Where else? ms over {searched(atlas)} sentences (words: {len(atlas)}), at most {BOUND}",
        [*columns, *(["same"] if bare else [])],
        [row(translator, atlas, bare, kind) for kind in atlas.kinds],
    )


if __name__ == "__main__":
    main()
