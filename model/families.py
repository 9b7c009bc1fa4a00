"""The two families of models: their configs, and the functions only a Transformer has."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from model.decoding.cached_scorer import CachedScorer
from model.decoding.edited_scorer import EditedScorer
from model.decoding.steps import Scorer
from model.recurrent.config import RecurrentConfig
from model.recurrent.recurrent import Recurrent
from model.recurrent.scorer import RecurrentScorer
from model.sites.tap import NO_TAP, Edit, Editor
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer

Config = ModelConfig | RecurrentConfig
Network = Transformer | Recurrent


def read_config(values: dict[str, Any]) -> Config:
    """Build the config that these values of config.json describe.

    A config without a kind is a Transformer's. Raises ValueError when the kind is unknown or a size
    is missing, unknown or wrong.
    """
    family = RecurrentConfig if "kind" in values else ModelConfig
    return family.from_dict(values)


def build(config: Config, dropout: float = 0.0) -> Network:
    """Create the network of a config, with fresh weights."""
    if config.kind != "transformer":
        return Recurrent(config, dropout)
    return Transformer(config, dropout)


def scorer(
    network: Network,
    source_ids: Sequence[int],
    draft: Sequence[int] = (),
    edits: Mapping[str, Edit] | None = None,
) -> Scorer:
    """Encode a source once, under edits; return a scorer of the piece after prefixes (N, T).

    A Transformer keeps keys and values unless its decoder is edited. It also scores the guesses of
    a draft, which begins with the begin id. A recurrent model runs each prefix anew: its steps are
    so cheap that this takes no more time.
    """
    if isinstance(network, Recurrent):
        return RecurrentScorer(network, source_ids, edits)
    if edits and any(site.startswith("decoder.") for site in edits):
        return EditedScorer(network, source_ids, edits, draft)
    tap = Editor(edits) if edits else NO_TAP
    return CachedScorer(network, *network.encode(torch.tensor([source_ids]), tap), draft)


def transformer_config(config: Config) -> ModelConfig:
    """Return a config typed as a Transformer's; ValueError when it is a recurrent model's."""
    if config.kind != "transformer":
        raise ValueError(f"this needs a Transformer; the model is recurrent ({config.kind})")
    return config


def transformer(network: Network) -> Transformer:
    """Return a model typed as a Transformer; ValueError when it is a recurrent one."""
    transformer_config(network.config)
    assert isinstance(network, Transformer)
    return network
