"""Other ways to attend to the source with the trained weights."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from model.recurrent.config import ATTENDING, FIXED
from model.sites.tap import Edit

Choosing = Literal["mean", "largest", "drawn"]
CHOOSING: tuple[Choosing, ...] = ("mean", "largest", "drawn")

_ATTENTION = "decoder.0.cross_attn"
_DRAWS = 1024  # drawn at once, so that a longer prefix repeats the draws of a shorter prefix


@dataclass(frozen=True)
class Looking:
    """Changes to the attention of a recurrent decoder; the defaults change nothing.

    `choosing` decides what c_t is: the weighted mean of the source's states, the state with the
    largest weight, or a state drawn by the weights with `seed`. `temperature` divides the scores.
    Some settings are only for local-p: `window` D, `sigma`, `monotonic`, which puts the centre of
    step t at position t, and `upside_down`, the bell without the minus in its exponent.

    Raises ValueError when the choosing is unknown or a number is not above 0.
    """

    choosing: Choosing = "mean"
    seed: int = 0
    temperature: float = 1.0
    window: float | None = None
    sigma: float | None = None
    monotonic: bool = False
    upside_down: bool = False

    def __post_init__(self) -> None:
        """Check every setting."""
        if self.choosing not in CHOOSING:
            raise ValueError(f"choosing must be one of {CHOOSING}, not {self.choosing!r}")
        if self.seed < 0:
            raise ValueError(f"seed must be 0 or more, not {self.seed}")
        for name in ("temperature", "window", "sigma"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"{name} must be above 0, not {value}")

    def edits(self, kind: str) -> dict[str, Edit]:
        """Return one edit per site for a model of this kind; ValueError when it lacks a site."""
        if kind not in ATTENDING:
            raise ValueError("only a recurrent model can look in other ways; this is a Transformer")
        changed: dict[str, Edit] = {}
        if self.temperature != 1.0:
            changed["scores"] = self._scaled
        if self.choosing != "mean":
            changed["weights"] = self._chosen
        if changed and kind in FIXED:
            raise ValueError("a model with a fixed vector has no weights to change")
        if changed and kind == "bahdanau":
            raise ValueError("a model whose steps wait for its attention cannot look otherwise")
        local: dict[str, Edit] = {}
        if self.window is not None:
            local["window"] = self._wide
        if self.sigma is not None:
            local["sigma"] = self._bell
        if self.monotonic:
            local["position"] = _steps
        if self.upside_down:
            local["gaussian"] = _without_minus
        if local and kind != "local-p":
            raise ValueError(f"only local-p attention has a window, not {kind}")
        return {f"{_ATTENTION}.{name}": edit for name, edit in (changed | local).items()}

    def _scaled(self, scores: Tensor) -> Tensor:
        return scores / self.temperature

    def _wide(self, window: Tensor) -> Tensor:
        return torch.full_like(window, self.window or 0)

    def _bell(self, sigma: Tensor) -> Tensor:
        return torch.full_like(sigma, self.sigma or 0)

    def _chosen(self, weights: Tensor) -> Tensor:
        """Put all the weight of each row (..., S) on one position."""
        if self.choosing == "largest":
            position = weights.argmax(dim=-1)  # B 1 T
        else:
            generator = torch.Generator().manual_seed(self.seed)
            draws = torch.rand(_DRAWS, generator=generator).to(weights.device)
            draws = draws[: weights.size(-2), None]  # T 1
            ends = weights.cumsum(dim=-1) / weights.sum(dim=-1, keepdim=True)  # B 1 T S
            position = (ends <= draws).sum(dim=-1).clamp_max(weights.size(-1) - 1)  # B 1 T
        return torch.nn.functional.one_hot(position, weights.size(-1)).to(weights.dtype)


def _steps(position: Tensor) -> Tensor:
    return torch.arange(position.size(1)).to(position).expand_as(position)  # B T


def _without_minus(gaussian: Tensor) -> Tensor:
    """Return exp(+x) for exp(-x), (B, 1, T, S); outside the window 0 stays."""
    return torch.where(gaussian > 0, 1 / gaussian, 0)
