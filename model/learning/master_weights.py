"""Muon for the hidden matrices, AdamW for the rest, on float32 master weights."""

from typing import Any

import torch
from torch import Tensor, nn

from model.learning.muon import Muon


class MasterWeights:
    """Float32 weights behind a model that computes in bfloat16.

    The passes use a bfloat16 copy (twice as fast on a CPU as autocast). Gradients are converted to
    float32, the optimizers step there, and the result is rounded back into the model. With `dtype`
    float32 the model's own weights are the master.
    """

    def __init__(
        self,
        model: nn.Module,
        dtype: torch.dtype,
        peak: float,
        weight_decay: float,
        embedding_rate: float = 1.0,
        *,
        side: nn.Module | None = None,
        muon: bool = True,
    ) -> None:
        """Take the weights of the model and of the side tasks' heads; convert both to `dtype`.

        Embeddings learn at `embedding_rate` times the rate of the rest. Without `muon`, AdamW steps
        the hidden matrices too, with the same weight decay.
        """
        self.names = [name for name, _ in model.named_parameters()]
        self.side_names = [name for name, _ in side.named_parameters()] if side else []
        self.model = model.to(dtype)
        self.side = side.to(dtype) if side else None
        self.copies = [*model.parameters(), *(side.parameters() if side else ())]
        self.masters = [nn.Parameter(p.detach().float().clone()) for p in self.copies]
        hidden, encoder, embeddings, rest, encoder_rest = self._sorted()
        matrices = _groups((hidden, "rest"), (encoder, "encoder"))
        groups = _groups((rest, "rest"), (encoder_rest, "encoder"), (embeddings, "embedding"))
        self.optimizers: tuple[torch.optim.Optimizer, ...] = (
            Muon(matrices, peak, weight_decay) if muon else _adamw(matrices, peak, weight_decay),
            _adamw(groups, peak, 0.0),
        )
        self.embedding_rate = embedding_rate

    def _sorted(self) -> tuple[list[nn.Parameter], ...]:
        """Sort the masters: matrices, encoder matrices, embeddings, others, encoder's others."""
        hidden, encoder, embeddings, rest, encoder_rest = [], [], [], [], []
        for name, master in zip(self.names, self.masters, strict=False):
            of_encoder = name.startswith("encoder.")
            if "embedding" in name:
                embeddings.append(master)
            elif master.dim() == 2:
                (encoder if of_encoder else hidden).append(master)
            else:
                (encoder_rest if of_encoder else rest).append(master)
        return hidden, encoder, embeddings, rest + self.masters[len(self.names) :], encoder_rest

    @torch.no_grad()
    def start_from(self, weights: dict[str, Tensor]) -> int:
        """Take the weights with the same name and shape; return their number."""
        count = 0
        for name, master in zip(self.names, self.masters, strict=False):
            if name in weights and weights[name].shape == master.shape:
                master.copy_(weights[name])
                count += 1
        self.publish()
        return count

    def collect(self) -> Tensor:
        """Move the model's gradients to the masters: one flat float32 tensor, ready to reduce.

        A weight that the step did not use gets no gradient and stays unchanged.
        """
        taught = [copy.grad is not None for copy in self.copies]
        gradients = [copy.grad for copy in self.copies if copy.grad is not None]
        flat = torch.cat([gradient.flatten() for gradient in gradients]).float()
        parts = iter(flat.split([gradient.numel() for gradient in gradients]))
        for copy, master, has in zip(self.copies, self.masters, taught, strict=True):
            copy.grad = None
            master.grad = next(parts).view_as(master) if has else None
        return flat

    def step(self, learning_rate: float, clip: float, encoder_rate: float = 1.0) -> Tensor:
        """Clip, update the masters, round them into the model; return the gradient's norm ().

        The encoder learns at `encoder_rate` times the learning rate.
        """
        rates = {"rest": 1.0, "encoder": encoder_rate, "embedding": self.embedding_rate}
        norm = nn.utils.clip_grad_norm_(self.masters, clip)
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = learning_rate * rates[group["part"]]
            optimizer.step()
        self.publish()
        return norm

    @torch.no_grad()
    def publish(self) -> None:
        """Copy the masters into the model."""
        for copy, master in zip(self.copies, self.masters, strict=True):
            copy.copy_(master)

    def weights(self) -> dict[str, Tensor]:
        """Return the model's masters by name."""
        return {n: p.detach() for n, p in zip(self.names, self.masters, strict=False)}

    def side_weights(self) -> dict[str, Tensor]:
        """Return the masters of the side tasks' heads by name."""
        heads = self.masters[len(self.names) :]
        return {n: p.detach() for n, p in zip(self.side_names, heads, strict=True)}

    def state_dict(self) -> dict[str, object]:
        """Return the state that a resumed run needs."""
        return {
            "weights": self.weights(),
            "side": self.side_weights(),
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
        }

    @torch.no_grad()
    def load_state_dict(self, state: dict[str, object]) -> None:
        """Restore a state; KeyError when it belongs to another model.

        Without optimizers (a state made small by `parcel.py`) they start anew.
        """
        weights, side, optimizers = (state[key] for key in ("weights", "side", "optimizers"))
        assert isinstance(weights, dict)
        assert isinstance(side, dict)
        assert isinstance(optimizers, list)
        saved = [*(weights[n] for n in self.names), *(side[n] for n in self.side_names)]
        for master, value in zip(self.masters, saved, strict=True):
            master.copy_(value)
        for optimizer, optimizer_state in zip(self.optimizers, optimizers, strict=bool(optimizers)):
            optimizer.load_state_dict(optimizer_state)
        self.publish()


def _adamw(groups: list[dict[str, Any]], peak: float, weight_decay: float) -> torch.optim.AdamW:
    return torch.optim.AdamW(
        groups, lr=peak, betas=(0.9, 0.98), eps=1e-9, weight_decay=weight_decay
    )


def _groups(*parts: tuple[list[nn.Parameter], str]) -> list[dict[str, Any]]:
    """Make an optimizer's named groups; each step sets their rates."""
    return [{"params": masters, "part": part} for masters, part in parts if masters]
