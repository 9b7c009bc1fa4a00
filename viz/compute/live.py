"""The model in force, as the model in the page reads it."""

from collections.abc import Mapping

from model.checkpoints.checkpoint import Checkpoint
from model.checkpoints.live import check_live, live_files
from model.translator import Translator
from viz.compute import runs


def check() -> None:
    """Raise ValueError when the model in the page cannot be the model in force."""
    check_live(checkpoint_of(runs.translator()))


def files() -> Mapping[str, tuple[str, bytes]]:
    """Return the name and the content of each file; ValueError when the checkpoint lacks one."""
    return live_files(checkpoint_of(runs.translator()))


def checkpoint_of(loaded: Translator) -> Checkpoint:
    """Return what a translator was made of."""
    return Checkpoint(
        loaded.folder, loaded.network, loaded.tokenizer, loaded.card, loaded.target_tokenizer
    )
