"""What weights start from where it is not what the model itself chooses."""

import torch
from torch import nn

from model.families import Network


def reset_feed_forward(model: Network, gain: float) -> None:
    """Start all feed-forward matrices anew, Glorot with this gain; 0 leaves them as they are.

    The model's own start is smaller (DeepNet's beta, 0.50 in the encoder and 0.34 in the decoder
    of six layers each): with it fewer hidden units stay above zero.
    """
    if not gain:
        return
    for name, parameter in model.named_parameters():
        if ".ffn." in name and parameter.dim() == 2:
            with torch.no_grad():
                nn.init.xavier_uniform_(parameter, gain)
