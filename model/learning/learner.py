"""A copy of a model that learns one pair of sentences, step by step."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from model.decoding.edited_scorer import EditedScorer
from model.decoding.greedy import Greedy
from model.decoding.steps import Limits
from model.learning.cross_entropy import smoothed_cross_entropy
from model.learning.master_weights import MasterWeights
from model.learning.recipe import EMBEDDING_RATE, SEED, WEIGHT_DECAY, Recipe, Start
from model.sites.sites import KINDS, Kind, attention_site
from model.sites.tap import NO_TAP, Recorder, Tap
from model.transformer.transformer import Transformer


@dataclass(frozen=True, eq=False)
class Seen:
    """The copy at one moment: its loss, its translation (end token last), its attention."""

    loss: float
    ids: tuple[int, ...]
    attention: dict[Kind, Tensor]


@dataclass(frozen=True, eq=False)
class LearningStep:
    """The copy before a step, and the norms of each block's gradient and change."""

    seen: Seen
    gradients: list[float]
    updates: list[float]


class Learner:
    """A copy of a model with its optimizer, on one pair."""

    def __init__(
        self, model: Transformer, pair: tuple[Tensor, Tensor, Tensor], recipe: Recipe
    ) -> None:
        self.model, self.pair, self.recipe = model, pair, recipe
        names = [_block(name) for name, _ in model.named_parameters()]
        self.blocks = tuple(dict.fromkeys(names))
        self._places = [self.blocks.index(name) for name in names]
        self._draft: tuple[int, ...] = ()
        self._masters: MasterWeights | None = None
        if recipe.optimizer == "run":
            self._masters = MasterWeights(
                model, torch.float32, recipe.rate, WEIGHT_DECAY, EMBEDDING_RATE
            )

    def _loss(self, tap: Tap) -> Tensor:
        source, inputs, targets = self.pair
        logits = self.model(source, inputs, tap)[0]  # T V
        pad_id = self.model.config.pad_id
        return smoothed_cross_entropy(logits, targets, self.recipe.smoothing, pad_id)

    def gradient(self, tap: Tap = NO_TAP) -> tuple[float, list[float]]:
        """Return the loss and the norm of each block's gradient; leave no gradient behind."""
        loss = self._loss(tap)
        loss.backward()
        norms = self.norms(self._gradients())
        self.model.zero_grad()
        return loss.item(), norms

    def step(self, limits: Limits) -> LearningStep:
        """Take one step and return the copy's state before it."""
        recorder = Recorder()
        loss = self._loss(recorder)
        seen = self._seen(loss, recorder, limits)
        loss.backward()
        gradients = self.norms(self._gradients())
        updates = self._plain_step() if self._masters is None else self._run_step(self._masters)
        return LearningStep(seen, gradients, updates)

    @torch.no_grad()
    def look(self, limits: Limits) -> Seen:
        """Return the loss, translation and attention of the copy now."""
        recorder = Recorder()
        return self._seen(self._loss(recorder), recorder, limits)

    @torch.no_grad()
    def _plain_step(self) -> list[float]:
        """Take w - rate x clipped gradient; return the norm of each block's change.

        torch.optim.SGD does the same, but its first use imports torch's compiler: over a second
        more.
        """
        nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.clip)
        changes = [gradient.mul_(-self.recipe.rate) for gradient in self._gradients()]
        for weight, change in zip(self.model.parameters(), changes, strict=True):
            weight += change
        norms = self.norms(iter(changes))
        self.model.zero_grad()
        return norms

    def _run_step(self, masters: MasterWeights) -> list[float]:
        """Take a step of the trainer's optimizers; return the norm of each block's change."""
        before = [weight.detach().clone() for weight in self.model.parameters()]
        masters.collect()
        masters.step(self.recipe.rate, self.recipe.clip)
        pairs = zip(self.model.parameters(), before, strict=True)
        return self.norms(current.detach() - earlier for current, earlier in pairs)

    def _gradients(self) -> Iterator[Tensor]:
        for weight in self.model.parameters():
            assert weight.grad is not None
            yield weight.grad

    def norms(self, tensors: Iterator[Tensor]) -> list[float]:
        """Return the norm of each block of tensors, given in the order of the parameters."""
        squares = [0.0] * len(self.blocks)
        for block, tensor in zip(self._places, tensors, strict=True):
            squares[block] += float(tensor.detach().norm()) ** 2
        return [square**0.5 for square in squares]

    def _seen(self, loss: Tensor, recorder: Recorder, limits: Limits) -> Seen:
        sites, config = recorder.recorded, self.model.config
        attention: dict[Kind, Tensor] = {
            kind: torch.stack(
                [
                    sites[attention_site(kind, layer, "weights")][0].detach()
                    for layer in range(config.layers(kind))
                ]
            )  # L H T S
            for kind in KINDS
        }
        return Seen(loss.item(), self._translate(limits), attention)

    @torch.no_grad()
    def _translate(self, limits: Limits) -> tuple[int, ...]:
        """Translate greedily, with the previous translation as a draft that one pass checks."""
        scorer = EditedScorer(self.model, self.pair[0][0].tolist(), {}, self._draft)
        chosen = tuple(choice.chosen.id for choice in Greedy().steps(scorer, limits))
        self._draft = (limits.begin_id, *chosen)
        return chosen


def copy_of(model: Transformer, start: Start) -> Transformer:
    """Copy a model for training without dropout, with its own or with random weights."""
    if start == "trained":
        return copy.deepcopy(model).requires_grad_(True)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        return Transformer(model.config).eval()


def _block(name: str) -> str:
    """Return the block of a weight: decoder.0.norm2.weight belongs to decoder.0.cross_attn.

    Weights outside the layers have a row for each piece: they form one block with the embedding.
    """
    stack, *rest = name.split(".")
    if stack not in ("encoder", "decoder"):
        return "embedding"
    layer, part = rest[1], rest[2]
    norms = {"norm1": "self_attn", "norm2": "cross_attn", "norm3": "ffn"}
    if stack == "encoder":
        norms["norm2"] = "ffn"
    return f"{stack}.{layer}.{norms.get(part, part)}"
