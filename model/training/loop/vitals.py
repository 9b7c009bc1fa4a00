"""Signs of life of a model in training: the units that fire, and the heads' attention.

They are measured on a fixed sample, many sentences at a time, on the model's own device. This
costs next to nothing and shows a dying layer early.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.measures.head_roles import BestHead, Roles, Scores, best_head, names_of
from model.sites.sites import Stack
from model.sites.tap import Recorder
from model.tokenizer import Tokenizer
from model.training.data.pairs import Pair
from model.training.data.places import find_nouns
from model.training.generated.coreference import CoreferencePair
from model.transformer.transformer import Transformer

SAMPLE, PRONOUNS = 128, 64
"""The numbers of sentences and pronoun sentences for watching a run."""

_BATCH = 64


@dataclass(frozen=True, eq=False)
class Units:
    """Shares, 0 to 1, of a stack's hidden feed-forward units; each array is (L,).

    `live`: units above zero, mean over tokens. `none`: tokens with no unit above zero.
    `ever`: units above zero at one token at least.
    """

    live: NDArray[np.float64]
    none: NDArray[np.float64]
    ever: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Vitals:
    """The units of both stacks and every encoder head's scores (see `head_roles.py`)."""

    encoder: Units
    decoder: Units
    scores: Scores

    @property
    def aside(self) -> float:
        """Return the mean weight of encoder heads on the end token and on punctuation together."""
        return float(self.scores["end"].mean() + self.scores["punctuation"].mean())

    def best(self, score: str) -> BestHead:
        """Return the encoder head with the highest score of this name."""
        return best_head("encoder", score, self.scores[score])

    def to_dict(self) -> dict[str, object]:
        """Return the figures for a line of the log."""
        heads = {name: self.best(name) for name in ("previous", "next", "antecedent")}
        return {
            "live": _percent(self.encoder.live),
            "none": _percent(self.encoder.none),
            "live_decoder": _percent(self.decoder.live),
            "none_decoder": _percent(self.decoder.none),
            "end": round(float(self.scores["end"].mean()), 3),
            "aside": round(self.aside, 3),
            **{name: [head.value, head.layer, head.head] for name, head in heads.items()},
        }


def _percent(shares: NDArray[np.float64]) -> list[float]:
    return [round(100 * float(share), 2) for share in shares]


class _UnitCount:
    """Counts, layer by layer, how often hidden units of a stack are above zero."""

    def __init__(self, layers: int, width: int) -> None:
        self.fired = torch.zeros(layers, width, dtype=torch.float64)  # L F
        self.none = torch.zeros(layers, dtype=torch.float64)  # L
        self.tokens = 0

    def add(self, stack: Stack, recorder: Recorder, real: Tensor) -> None:
        """Add a batch; `real` (B, S) is True where there is a token."""
        for layer in range(len(self.fired)):
            above = recorder.recorded[f"{stack}.{layer}.ffn.hidden"][real] > 0  # N F
            self.fired[layer] += above.sum(0).cpu()
            self.none[layer] += (~above.any(1)).sum().cpu()
        self.tokens += int(real.sum())

    def units(self) -> Units:
        count, width = max(self.tokens, 1), self.fired.size(1)
        return Units(
            (self.fired.sum(1) / (count * width)).numpy(),
            (self.none / count).numpy(),
            (self.fired > 0).double().mean(1).numpy(),
        )


class Watch:
    """A fixed sample of pairs and pronoun sentences on which any model can be measured."""

    def __init__(
        self, tokenizer: Tokenizer, pairs: Sequence[Pair], pronouns: Sequence[CoreferencePair]
    ) -> None:
        """Encode the sample once; ValueError when one of the two is empty."""
        if not pairs or not pronouns:
            raise ValueError("a watch needs sentence pairs and pronoun sentences")
        self.tokenizer = tokenizer
        self.pairs = sorted(
            zip(
                tokenizer.encode_all([pair.source for pair in pairs]),
                tokenizer.encode_all([pair.target for pair in pairs]),
                strict=True,
            ),
            key=lambda pair: len(pair[0]),
        )
        self.pronouns = tokenizer.encode_all([pair.source for pair in pronouns])
        self.nouns = [find_nouns(tokenizer, pair) for pair in pronouns]

    @torch.no_grad()
    def measure(self, model: Transformer) -> Vitals:
        """Measure a model without dropout; afterwards it has the same mode as before."""
        training = model.training
        model.eval()
        config = model.config
        counts = {
            "encoder": _UnitCount(config.encoder_layers, config.d_ff),
            "decoder": _UnitCount(config.decoder_layers, config.d_ff),
        }
        roles = Roles("encoder")
        for start in range(0, len(self.pairs), _BATCH):
            self._add_pairs(model, self.pairs[start : start + _BATCH], counts, roles)
        for start in range(0, len(self.pronouns), _BATCH):
            self._add_pronouns(model, slice(start, start + _BATCH), roles)
        model.train(training)
        scores = {name: roles.means[name].value() for name in names_of("encoder")}
        return Vitals(counts["encoder"].units(), counts["decoder"].units(), scores)

    def _add_pairs(
        self,
        model: Transformer,
        pairs: Sequence[tuple[list[int], list[int]]],
        counts: dict[str, _UnitCount],
        roles: Roles,
    ) -> None:
        recorder, config = Recorder(), model.config
        src = self._pad(model, [[*source, config.end_id] for source, _ in pairs])
        tgt = self._pad(model, [[config.begin_id, *target] for _, target in pairs])
        model(src, tgt, recorder)
        counts["encoder"].add("encoder", recorder, src != config.pad_id)
        counts["decoder"].add("decoder", recorder, tgt != config.pad_id)
        for row, weights in enumerate(_weights(model, recorder, src)):
            roles.add_positions(weights, self.tokenizer.tokens([*pairs[row][0], config.end_id]))

    def _add_pronouns(self, model: Transformer, chosen: slice, roles: Roles) -> None:
        recorder = Recorder()
        rows = [[*ids, model.config.end_id] for ids in self.pronouns[chosen]]
        src = self._pad(model, rows)
        model.encode(src, recorder)
        for nouns, weights in zip(self.nouns[chosen], _weights(model, recorder, src), strict=True):
            roles.add_antecedent(weights, nouns.pronoun, nouns.antecedent, nouns.other)

    def _pad(self, model: Transformer, rows: list[list[int]]) -> Tensor:
        config = model.config
        width = min(max(map(len, rows)), config.max_length)
        padded = [(row + [config.pad_id] * width)[:width] for row in rows]
        return torch.tensor(padded, device=model.embedding.weight.device)


def _weights(model: Transformer, recorder: Recorder, src: Tensor) -> list[NDArray[np.float32]]:
    """Cut a batch's encoder attention into sentences, each (L, H, S, S) with its own S."""
    layers = range(model.config.layers("encoder"))
    layer_weights = [recorder.recorded[f"encoder.{layer}.self_attn.weights"] for layer in layers]
    stacked = torch.stack(layer_weights, dim=1).float().cpu().numpy()  # B L H S S
    lengths = (src != model.config.pad_id).sum(1).tolist()
    return [sentence[..., :n, :n] for sentence, n in zip(stacked, lengths, strict=True)]
