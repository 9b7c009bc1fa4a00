"""Put an earlier run before the history of the checkpoint that continued from its weights.

`python -m model.training.earlier WEIGHTS --steps 9000 --dev DEV.tsv.gz --out checkpoints/en-fr`
records a run that was repeated for this purpose: WEIGHTS is a folder with its weights after some of
its `--steps` steps, each as STEP.safetensors. Instead of WEIGHTS, `--history checkpoints/en-fr`
takes the existing history of a checkpoint, which holds all runs up to the weights that the later
run continued from.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from model.checkpoints.checkpoint import (
    Checkpoint,
    load_checkpoint,
    read_weights,
    write_whole,
)
from model.command import command
from model.families import transformer_config
from model.recording.history import HISTORY, History, load_history, pack_history
from model.training.data.batches import Batch
from model.training.data.pairs import encode_pairs, read_pairs
from model.training.loop.moments import EVERY, MOMENTS, Moments
from model.training.loop.prepare import dev_batches
from model.training.losses.objectives import Objective
from model.training.losses.side import SideHeads
from model.training.settings import TrainingSettings
from model.transformer.transformer import Transformer


def thinned(history: History, count: int) -> History:
    """Keep about `count` evenly spaced moments, including the first and the last."""
    moments = len(history.steps)
    moments_kept = np.unique(np.linspace(0, moments - 1, min(count, moments)).round().astype(int))
    return _chosen(history, moments_kept)


def _chosen(history: History, indices: NDArray[np.intp]) -> History:
    """Return only these moments, which must include each run's first moment."""
    return replace(
        history,
        steps=history.steps[indices],
        dev_loss=history.dev_loss[indices],
        translations=tuple(history.translations[moment] for moment in indices),
        arrays=MappingProxyType({key: array[indices] for key, array in history.arrays.items()}),
        cuts=history.cuts[indices],
        decided=None if history.decided is None else history.decided[indices],
    )


def joined(earlier: History, later: History, steps: int) -> History:
    """Put the history of `steps` earlier steps before the run that continued from them.

    The later run begins with the last weights of the earlier run, so its step 0 replaces the last
    earlier moment. Raises ValueError when the moments are of other sentences or pieces, or when the
    steps do not fit.
    """
    if earlier.sentences != later.sentences:
        raise ValueError("the earlier run recorded other sentences, or cut them in other pieces")
    if later.runs != (0,):
        raise ValueError("an earlier run stands before this one already")
    if earlier.steps[-1] > steps:
        raise ValueError(f"step {earlier.steps[-1]} is beyond the last of {steps}")
    earlier = _chosen(earlier, np.flatnonzero(earlier.steps < steps))
    return replace(
        later,
        steps=np.concatenate([earlier.steps, later.steps + steps]),
        dev_loss=np.concatenate([earlier.dev_loss, later.dev_loss]),
        translations=(*earlier.translations, *later.translations),
        arrays=MappingProxyType(
            {key: np.concatenate([earlier.arrays[key], later.arrays[key]]) for key in later.arrays}
        ),
        cuts=np.concatenate([earlier.cuts, later.cuts]),
        decided=_decided((earlier, later)),
        runs=(*earlier.runs, len(earlier.steps)),
    )


def _decided(histories: Sequence[History]) -> NDArray[np.float32] | None:
    """Join the shares of decided choices; NaN for a history without them, None without any."""
    if all(history.decided is None for history in histories):
        return None
    return np.concatenate(
        [
            np.full((*history.cuts.shape, 2), np.nan, np.float32)
            if history.decided is None
            else history.decided
            for history in histories
        ]
    )


def record_earlier(
    weights: Path, checkpoint: Checkpoint, settings: TrainingSettings, dev: Sequence[Batch]
) -> History:
    """Record the known sentences with each of the weights in the folder.

    The network and the pieces are those of the checkpoint. Raises ValueError when the folder has no
    weights, or weights for another network.
    """
    files = {int(path.stem): path for path in weights.glob("*.safetensors") if path.stem.isdigit()}
    if not files:
        raise ValueError(f"{weights}: no weights, STEP.safetensors expected")
    model = Transformer(transformer_config(checkpoint.model.config)).eval()
    objective = Objective(model, SideHeads(settings.config), settings)
    with TemporaryDirectory() as folder:
        moments = Moments(Path(folder), checkpoint.tokenizer, settings)
        for step, path in tqdm(sorted(files.items())):
            model.load_state_dict(read_weights(path, model.state_dict()))
            moments.add(model, step, objective.measure(dev))
        return moments.history()


def every_fourth(checkpoint: Checkpoint, settings: TrainingSettings, path: Path) -> list[Batch]:
    """Return the batches on which moments are measured, as in a run."""
    pairs = encode_pairs(read_pairs(path), checkpoint.tokenizer, settings.longest)
    return dev_batches(checkpoint.tokenizer, pairs, settings)[::EVERY]


@command
def main() -> None:
    """Record the earlier run, and write both runs as the checkpoint's history."""
    parser = argparse.ArgumentParser(prog="python -m model.training.earlier", description=__doc__)
    before = parser.add_mutually_exclusive_group(required=True)
    before.add_argument(
        "weights", type=Path, nargs="?", help="folder with STEP.safetensors of the run before"
    )
    before.add_argument("--history", type=Path, help="checkpoint whose history stands before")
    parser.add_argument("--steps", type=int, required=True, help="how many steps were made before")
    parser.add_argument("--dev", type=Path, help="TSV of pairs to measure the loss of WEIGHTS on")
    parser.add_argument("--tokens", type=int, default=2000, help="of a batch, as in the later run")
    parser.add_argument("--out", type=Path, required=True, help="checkpoint with a history")
    parser.add_argument("--keep", type=int, default=MOMENTS // 2, help="of its moments, evenly")
    options = parser.parse_args()
    later = thinned(load_history(options.out), options.keep)
    if options.history:
        earlier = load_history(options.history)
    elif options.dev:
        checkpoint = load_checkpoint(options.out)
        config = transformer_config(checkpoint.model.config)
        settings = TrainingSettings(config=config, tokens=options.tokens)
        dev = every_fourth(checkpoint, settings, options.dev)
        earlier = record_earlier(options.weights, checkpoint, settings, dev)
    else:
        raise ValueError("--dev is needed to measure the loss of the weights on")
    content = pack_history(joined(earlier, later, options.steps))
    write_whole(options.out / HISTORY, content)
    print(f"{len(earlier.steps)} moments before {len(later.steps)}, {len(content)} bytes")


if __name__ == "__main__":
    sys.exit(main())
