"""The families of models: which config means which network."""

from typing import Any

from model.recurrent.config import RecurrentConfig
from model.recurrent.recurrent import Recurrent
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer

Config = ModelConfig | RecurrentConfig
Network = Transformer | Recurrent


def read_config(values: dict[str, Any]) -> Config:
    """Build the config that these values of config.json describe.

    One without a kind is a Transformer's. Raises ValueError when the kind is unknown or a size
    is missing, unknown or wrong.
    """
    family = RecurrentConfig if "kind" in values else ModelConfig
    return family.from_dict(values)


def build(config: Config, dropout: float = 0.0) -> Network:
    """Create the network of a config, with fresh weights."""
    if isinstance(config, RecurrentConfig):
        return Recurrent(config, dropout)
    return Transformer(config, dropout)
