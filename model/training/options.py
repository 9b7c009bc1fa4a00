"""The command line of `python -m model.training`, as settings and file names."""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from model.families import Config
from model.recurrent.config import ATTENDING, RecurrentConfig
from model.training.settings import WEIGHTS, TrainingSettings
from model.transformer.config import ACTIVATION_NAMES, PAPER, POSITIONS, SCORES, ModelConfig


@dataclass(frozen=True)
class TrainingFile:
    """A file of pairs, and how often one of its pairs is drawn, by phase."""

    path: Path
    weights: tuple[float, ...] = (1.0,)


def training_file(text: str) -> TrainingFile:
    """Read FILE or FILE:WEIGHT,WEIGHT...; ValueError for a weight that is not a number."""
    name, colon, weights = text.rpartition(":")
    if not colon:
        return TrainingFile(Path(text))
    try:
        return TrainingFile(Path(name), tuple(float(weight) for weight in weights.split(",")))
    except ValueError as error:
        raise ValueError(f"{text}: FILE or FILE:WEIGHT,WEIGHT... expected") from error


def parse() -> argparse.Namespace:
    """Read the command line; sizes and settings default to those of `settings.py`."""
    parser = argparse.ArgumentParser(prog="python -m model.training")
    parser.add_argument(
        "--train",
        nargs="+",
        required=True,
        metavar="FILE[:WEIGHTS]",
        help="TSVs of sentence pairs (.gz or not); weights by phase, such as 0.5,0.2,0",
    )
    parser.add_argument(
        "--text", type=Path, nargs="*", default=[], help="more English, a line each"
    )
    parser.add_argument("--dev", type=Path, required=True, help="TSV of other pairs")
    # Not "--run" or "--start": torchrun takes them for the beginning of its own options.
    parser.add_argument(
        "--run-folder", type=Path, default=Path("runs/en-fr"), dest="run", help="state and log"
    )
    parser.add_argument("--out", type=Path, help="checkpoint folder to write, e.g. checkpoints/x")
    parser.add_argument("--resume", action="store_true", help="go on where the run stopped")
    parser.add_argument("--until", type=int, help="stop after this step, to be resumed later")
    parser.add_argument("--minutes", type=float, help="stop, saved, after this long")
    parser.add_argument("--save-every", type=int, default=500, metavar="STEPS")
    parser.add_argument("--bleu", type=int, default=500, metavar="PAIRS", help="dev pairs for BLEU")
    parser.add_argument("--threads", type=int, default=0, help="0: as many as there are cores")
    parser.add_argument("--workers", type=int, default=0, help="1: a process prepares batches")
    _add_family(parser)
    sizes = RecurrentConfig().to_dict() | ModelConfig().to_dict()
    for name, default in (TrainingSettings().to_dict() | sizes).items():
        flag = "--" + name.replace("_", "-")
        if isinstance(default, tuple) and name != "weights":
            parser.add_argument(flag, type=float, nargs="+", default=default)
        elif isinstance(default, int | float) and not name.endswith("_id"):
            parser.add_argument(flag, type=type(default), default=default, dest=name)
    return parser.parse_args()


def _add_family(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--kind",
        choices=(ModelConfig.kind, *ATTENDING),
        default=ModelConfig.kind,
        help="a Transformer, or a recurrent model by how it attends",
    )
    parser.add_argument(
        "--positions",
        choices=POSITIONS,
        default=ModelConfig.positions,
        help="how a Transformer knows where a token stands",
    )
    parser.add_argument(
        "--scores",
        choices=SCORES,
        default=ModelConfig.scores,
        help="how a Transformer compares a query with a key",
    )
    parser.add_argument(
        "--activation",
        choices=ACTIVATION_NAMES,
        default=PAPER.activation,
        help="what stands between the two maps of a Transformer's feed-forward network",
    )
    parser.add_argument(
        "--embedding",
        default="en-fr-words",
        help="whose pieces and embedding a recurrent model uses",
    )
    parser.add_argument(
        "--go-on-from",
        metavar="NAME",
        dest="start",
        help="a checkpoint that gives the weights that fit",
    )
    parser.add_argument(
        "--pieces", metavar="NAME", help="a checkpoint or tokenizer.model whose pieces are used"
    )


def read_settings(options: argparse.Namespace) -> TrainingSettings:
    """Read the settings from the command line; ValueError when they contradict each other."""
    config = _read_config(options)
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value := getattr(options, name), list) else value
        for name in _settable(TrainingSettings())
    }
    weights = tuple(training_file(text).weights for text in options.train)
    if isinstance(
        config, RecurrentConfig
    ):  # a recurrent model has no side tasks, and a single rate
        values |= {"pretrain": 0, "encoder_rate": 1.0} | dict.fromkeys(WEIGHTS, (0.0,))
    return TrainingSettings(config=config, weights=weights, **values)


def _read_config(options: argparse.Namespace) -> Config:
    """Read the sizes of the chosen kind of model."""
    if options.kind == ModelConfig.kind:
        sizes = {name: getattr(options, name) for name in _settable(ModelConfig())}
        variant = replace(PAPER, activation=options.activation)
        choices = {"positions": options.positions, "scores": options.scores, "variant": variant}
        return ModelConfig(**choices, **sizes)
    sizes = {name: getattr(options, name) for name in _settable(RecurrentConfig())}
    return RecurrentConfig(kind=options.kind, embedding=options.embedding, **sizes)


def _settable(defaults: Config | TrainingSettings) -> list[str]:
    return [
        name
        for name, value in defaults.to_dict().items()
        if isinstance(value, int | float | tuple) and name != "weights" and not name.endswith("_id")
    ]
