"""Trace held-out minimal pairs and average them: `python -m model.training.trace`.

The mean map is written to trace.npz in the checkpoint's folder. It includes the pairs whose two
pronouns the model gets right, given the same beginning of the translation.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from model.checkpoints.checkpoint import write_whole
from model.command import command
from model.measures.mean_trace import (
    MEAN_TRACE,
    ROLES,
    ROWS,
    MeanTrace,
    mean_trace,
    pack_mean_trace,
)
from model.recording.trace import Decided, Trace, trace
from model.tokenizer import Tokenizer
from model.training.data.minimal import ELLE, IL
from model.training.data.places import find_nouns, find_phrase
from model.training.generated.coreference import (
    CoreferencePair,
    MinimalPair,
    held_out_minimal_pairs,
)
from model.translator import Translator, load_translator

PAIRS = 100


def places_of_roles(tokenizer: Tokenizer, sentence: CoreferencePair) -> list[list[int]]:
    """Return the source pieces of each of ROLES, without the end token."""
    nouns = find_nouns(tokenizer, sentence)
    named = [
        nouns.antecedent,
        nouns.other,
        nouns.pronoun,
        find_phrase(tokenizer, sentence.source, sentence.adjective),
    ]
    used = {piece for places in named for piece in places}
    unnamed = [n for n in range(len(tokenizer.encode(sentence.source))) if n not in used]
    return [*map(list, named), unnamed]


def trace_pair(translator: Translator, pair: MinimalPair) -> Trace | None:
    """Trace the second sentence in the first; None if the model gets either pronoun wrong."""
    tokenizer, (first, second) = translator.tokenizer, pair.sentences
    step = find_nouns(tokenizer, first).translated
    if len(step) != 1:
        return None
    ids = tokenizer.encode(first.target)
    right, wrong = (
        tokenizer.id(ELLE if sentence.gender == "f" else IL) for sentence in pair.sentences
    )
    if ids[step[0]] != right:
        return None
    decided = Decided((tokenizer.begin_id, *ids[: step[0]]), (right, wrong))
    sources = translator.source(first.source).ids, translator.source(second.source).ids
    traced = trace(translator.model, sources, decided, donor=second.source)
    return traced if traced.leads[0] > 0 > traced.leads[1] else None


def measure(translator: Translator, pairs: Sequence[MinimalPair]) -> MeanTrace:
    """Trace all pairs and average them; ValueError when the model gets no pair right."""
    traces: list[Trace] = []
    roles: list[list[list[int]]] = []
    for pair in pairs:
        if traced := trace_pair(translator, pair):
            traces.append(traced)
            roles.append(places_of_roles(translator.tokenizer, pair.sentences[0]))
    return mean_trace(traces, roles, len(pairs), str(translator.card.get("sha256", "")))


@command
def main() -> None:
    """Measure a checkpoint, write trace.npz beside it and print it."""
    parser = argparse.ArgumentParser(prog="python -m model.training.trace")
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--out", type=Path, help="another folder than the checkpoint's")
    options = parser.parse_args()
    translator = load_translator(options.checkpoint)
    mean = measure(translator, held_out_minimal_pairs(options.pairs, unseen_frame=False))
    folder = options.out or translator.folder
    write_whole(folder / MEAN_TRACE, pack_mean_trace(mean))
    print(f"{mean.traced} of {mean.pairs} pairs")
    for names, values in ((ROLES, mean.encoder), (ROWS, mean.decoder)):
        for name, row in zip(names, values, strict=True):
            print(f"{name:12}", *(f"{value:6.2f}" for value in row))


if __name__ == "__main__":
    sys.exit(main())
