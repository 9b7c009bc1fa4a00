"""A short history in a checkpoint folder of its own, for tests and timings."""

from pathlib import Path
from types import MappingProxyType

import numpy as np
import torch

from model import Recording, load_translator
from model.recording.history import HISTORY, History, KnownSentence, as_bytes, pack_history
from model.sites.sites import KINDS
from model.transformer.transformer import Transformer

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


def known_sentences(recordings: list[Recording]) -> tuple[KnownSentence, ...]:
    """Return the sentences of a history with the pieces of their recordings."""
    return tuple(
        KnownSentence(*pair, tuple(one.source_tokens), tuple(one.target_tokens))
        for pair, one in zip(PAIRS, recordings, strict=True)
    )


def with_history(folder: Path, moments: int, checkpoint: str | Path = "en-fr") -> Path:
    """Link the files of a checkpoint into a folder, and write a history beside them.

    Its moments are mixtures of random weights and the checkpoint's: from noise to French in real
    passes of real networks, but of no training.
    """
    translator = load_translator(checkpoint)
    folder.mkdir(parents=True, exist_ok=True)
    for file in translator.folder.iterdir():
        if file.name != HISTORY:
            (folder / file.name).symlink_to(file.resolve())
    trained = {name: weight.clone() for name, weight in translator.model.state_dict().items()}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        random = Transformer(translator.config).state_dict()
    recordings: list[list[Recording]] = []
    translations, losses = [], []
    for share in np.linspace(0, 1, moments):
        mixed = {n: (1 - share) * random[n] + share * trained[n] for n in trained}
        translator.model.load_state_dict(mixed)
        recordings.append([translator.record(*pair) for pair in PAIRS])
        translations.append(tuple(translator.translate(source).text for source, _ in PAIRS))
        losses.append(np.mean([translator.training_example(*pair, 0.0).loss for pair in PAIRS]))
    history = History(
        np.arange(moments),
        np.array(losses, np.float32),
        known_sentences(recordings[0]),
        tuple(translations),
        MappingProxyType(
            {
                (number, kind): as_bytes(
                    np.stack([moment[number].attention(kind) for moment in recordings])
                )
                for number in range(len(PAIRS))
                for kind in KINDS
            }
        ),
    )
    (folder / HISTORY).write_bytes(pack_history(history))
    return folder
