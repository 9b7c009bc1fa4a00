"""Muon for the hidden matrices, AdamW for the rest, on float32 master weights."""

import torch
from torch import Tensor, nn


class MasterWeights:
    """Float32 weights behind a model that computes in bfloat16.

    The passes use a bfloat16 copy (twice as fast on a CPU as autocast); gradients are brought to
    float32, the optimizers step there, and the result is rounded back into the model. With
    `dtype` float32 the model's own weights are the master.
    """

    def __init__(
        self,
        model: nn.Module,
        dtype: torch.dtype,
        peak: float,
        weight_decay: float,
        embedding_rate: float = 1.0,
    ) -> None:
        """Take the model's weights as masters and turn the model to `dtype`.

        Embeddings learn at `embedding_rate` times the rate of the rest.
        """
        self.names = [name for name, _ in model.named_parameters()]
        self.masters = [nn.Parameter(p.detach().float().clone()) for p in model.parameters()]
        self.model = model.to(dtype)
        hidden, embeddings, rest = [], [], []
        for name, master in zip(self.names, self.masters, strict=True):
            matrices = embeddings if "embedding" in name else hidden
            (matrices if master.dim() == 2 else rest).append(master)
        self.optimizers: tuple[torch.optim.Optimizer, ...] = (
            torch.optim.Muon(
                hidden, lr=peak, weight_decay=weight_decay, adjust_lr_fn="match_rms_adamw"
            ),
            torch.optim.AdamW(rest, lr=peak, betas=(0.9, 0.98), eps=1e-9, weight_decay=0.0),
        )
        self.rates: tuple[float, ...] = (1.0, 1.0)
        if embeddings:  # a model may use those of another checkpoint, which do not learn
            adam = torch.optim.AdamW(
                embeddings, lr=peak, betas=(0.9, 0.98), eps=1e-9, weight_decay=0.0
            )
            self.optimizers, self.rates = (*self.optimizers, adam), (1.0, 1.0, embedding_rate)

    @torch.no_grad()
    def start_from(self, weights: dict[str, Tensor]) -> int:
        """Take the weights whose name and shape are also found here; return how many."""
        taken = 0
        for name, master in zip(self.names, self.masters, strict=True):
            if name in weights and weights[name].shape == master.shape:
                master.copy_(weights[name])
                taken += 1
        self.publish()
        return taken

    def collect(self) -> Tensor:
        """Move the model's gradients to the masters: one flat float32 tensor, ready to reduce."""
        gradients = [p.grad for p in self.model.parameters() if p.grad is not None]
        flat = torch.cat([gradient.flatten().float() for gradient in gradients])
        for parameter in self.model.parameters():
            parameter.grad = None
        parts = flat.split([master.numel() for master in self.masters])
        for master, part in zip(self.masters, parts, strict=True):
            master.grad = part.view_as(master)
        return flat

    def step(self, learning_rate: float, clip: float) -> float:
        """Clip, update the masters, round them into the model; return the gradient's norm."""
        norm = nn.utils.clip_grad_norm_(self.masters, clip)
        for optimizer, rate in zip(self.optimizers, self.rates, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = learning_rate * rate
            optimizer.step()
        self.publish()
        return float(norm)

    @torch.no_grad()
    def publish(self) -> None:
        """Copy the masters into the model."""
        for parameter, master in zip(self.model.parameters(), self.masters, strict=True):
            parameter.copy_(master)

    def weights(self) -> dict[str, Tensor]:
        """Return the masters by name."""
        return {name: p.detach() for name, p in zip(self.names, self.masters, strict=True)}

    def state_dict(self) -> dict[str, object]:
        """Return all that a resumed run needs."""
        return {
            "weights": self.weights(),
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
        }

    @torch.no_grad()
    def load_state_dict(self, state: dict[str, object]) -> None:
        """Take up a state; KeyError when it belongs to another model."""
        weights, optimizers = state["weights"], state["optimizers"]
        assert isinstance(weights, dict)
        assert isinstance(optimizers, list)
        for name, master in zip(self.names, self.masters, strict=True):
            master.copy_(weights[name])
        for optimizer, saved in zip(self.optimizers, optimizers, strict=True):
            optimizer.load_state_dict(saved)
        self.publish()
