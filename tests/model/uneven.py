"""Models as training leaves them: biases that are not zero, norms that are not plain."""

import torch

from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer


def uneven(config: ModelConfig, seed: int, norms: bool = False) -> Transformer:
    """Make a model with random biases and, with `norms`, random gains too."""
    torch.manual_seed(seed)
    model = Transformer(config).eval().requires_grad_(False)
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            torch.nn.init.normal_(parameter, std=0.3)
        elif norms and "norm" in name:
            torch.nn.init.uniform_(parameter, 0.5, 2)
    return model
