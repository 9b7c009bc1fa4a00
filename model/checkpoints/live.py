"""A checkpoint as the model in the page (viz/live/) reads it: its files, or what they would be.

A folder of ours has them. Of a Marian model they are what was read from its folder, in whatever
form that has: the config and the tensors by our own names, both SentencePiece models, and the names
of all pieces.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict

from safetensors.torch import save

from model.checkpoints.checkpoint import CONFIG, TOKENIZER, WEIGHTS, Checkpoint
from model.checkpoints.hub import name_of
from model.families import transformer_config
from model.marian_tokenizer import MarianTokenizer

HALVED = 50_000_000
"""The most weights of a Marian model that are written in single precision."""

MOST_WEIGHTS = 100_000_000
"""The most weights: 0.4 GB of numbers there.

With the 75 million of OPUS-MT's usual models Chromium took up to 1.2 GB of memory. With 231 million
V8 alone took 1.9 GB, and 0.3 s a piece.
"""

VOCABULARY = "vocabulary.json"

_PARTS = {"config": CONFIG, "weights": WEIGHTS, "tokenizer": TOKENIZER}
_UNKNOWN = {"scores": "additive", "positions": "joined"}
"""What the model in the page does not compute, by its name in a config."""


def check_live(checkpoint: Checkpoint) -> None:
    """Raise ValueError when the model in the page cannot be this one."""
    refused = f"{name_of(checkpoint.folder)} does not run in a browser:"
    config = transformer_config(checkpoint.model.config)
    for name, own in _UNKNOWN.items():
        if getattr(config, name) == own:
            raise ValueError(f"{refused} the model there knows no {own} {name}")
    count = sum(weight.numel() for weight in checkpoint.model.parameters())
    if count > MOST_WEIGHTS:
        raise ValueError(
            f"{refused} its {count / 1e6:.0f} million weights take {4 * count / 1e9:.1f} GB there, "
            f"and a page can expect {4 * MOST_WEIGHTS / 1e9:.1f} GB"
        )


def live_files(checkpoint: Checkpoint) -> Mapping[str, tuple[str, bytes]]:
    """Return the name and the content of each file; ValueError when the checkpoint lacks one."""
    source, folder = checkpoint.tokenizer, checkpoint.folder
    if isinstance(source, MarianTokenizer):
        return _marian(checkpoint, source)
    paths = {part: folder / file for part, file in _PARTS.items()}
    if missing := [path.name for path in paths.values() if not path.is_file()]:
        raise ValueError(f"{name_of(folder)} does not run in a browser: it has no {missing[0]}")
    return {part: (path.name, path.read_bytes()) for part, path in paths.items()}


def _marian(checkpoint: Checkpoint, source: MarianTokenizer) -> Mapping[str, tuple[str, bytes]]:
    target = checkpoint.target_tokenizer or source
    weights = checkpoint.model.state_dict()
    halved = sum(tensor.numel() for tensor in weights.values()) > HALVED
    stored = {
        name: (tensor.half() if halved else tensor).contiguous() for name, tensor in weights.items()
    }
    names, others = (one.tokens(list(range(len(one)))) for one in (source, target))
    vocabulary = {
        "source": names,
        "target": None if names == others else others,
        "added": source.added,
    }
    return {
        "config": (CONFIG, json.dumps(asdict(checkpoint.model.config)).encode()),
        "weights": (WEIGHTS, save(stored)),
        "tokenizer": ("source.spm", source.serialized),
        "target": ("target.spm", target.serialized),
        "vocabulary": (VOCABULARY, json.dumps(vocabulary).encode()),
    }
