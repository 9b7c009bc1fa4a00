"""The loss of a finished model on pairs."""

from collections.abc import Sequence
from typing import Any

from model.training.data.pairs import Pair, encode_pairs
from model.training.loop.prepare import dev_batches
from model.training.losses.objectives import Objective
from model.training.losses.side import SideHeads
from model.training.settings import WEIGHTS, TrainingSettings
from model.translator import Translator


def loss_of(translator: Translator, pairs: Sequence[Pair], *, ahead: bool = False) -> float:
    """Return the loss on pairs, in nats a piece; with `ahead`, without the look-ahead mask."""
    translation_alone: dict[str, Any] = dict.fromkeys(WEIGHTS, (0.0,))
    settings = TrainingSettings(
        translator.network.config, pretrain=0, look_ahead=int(ahead), **translation_alone
    )
    encoded = encode_pairs(list(pairs), translator.tokenizer, settings.longest)
    objective = Objective(translator.network, SideHeads(settings.config), settings)
    return objective.measure(dev_batches(translator.tokenizer, encoded, settings))
