"""A short history of training in a checkpoint folder of its own, for tests and timings."""

from pathlib import Path
from types import MappingProxyType

import numpy as np

from model import Translator
from model.learning.descent import Descent, descend
from model.learning.recipe import Recipe
from model.recording.history import HISTORY, History, KnownSentence, as_bytes, pack_history
from model.recording.sites import KINDS

PAIRS = (
    (
        "The animal didn't cross the street because it was too tired.",
        "L'animal n'a pas traversé la rue parce qu'il était trop fatigué.",
    ),
    (
        "The animal didn't cross the street because it was too wide.",
        "L'animal n'a pas traversé la rue parce qu'elle était trop large.",
    ),
)


def with_history(translator: Translator, folder: Path, steps: int = 12) -> Path:
    """Link the files of a checkpoint into a folder and write a short history beside them.

    Random weights learn each pair by itself in a few steps of descent: real numbers, but of no
    real training.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for file in translator.folder.iterdir():
        if file.name != HISTORY:
            (folder / file.name).symlink_to(file.resolve())
    found = [_learned(translator, *pair, steps) for pair in PAIRS]
    sentences = tuple(
        KnownSentence(*pair, one.source_tokens, one.input_tokens)
        for pair, one in zip(PAIRS, found, strict=True)
    )
    losses = np.mean([[moment.loss for moment in one.moments] for one in found], axis=0)
    history = History(
        np.arange(steps + 1),
        losses.astype(np.float32),
        sentences,
        tuple(
            tuple(one.moments[moment].translation for one in found) for moment in range(steps + 1)
        ),
        MappingProxyType(
            {
                (number, kind): as_bytes(one.attention(kind))
                for number, one in enumerate(found)
                for kind in KINDS
            }
        ),
    )
    (folder / HISTORY).write_bytes(pack_history(history))
    return folder


def _learned(translator: Translator, source: str, target: str, steps: int) -> Descent:
    ids = translator.pair_ids(source, target)
    limits = translator.limits(translator.source(source))
    recipe = Recipe(steps, rate=0.3, start="fresh")
    return descend(translator.model, translator.tokenizer, *ids, limits, recipe, seconds=600)
