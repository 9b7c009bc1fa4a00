"""A tiny recurrent checkpoint of every kind, beside the tiny Transformer whose pieces it uses."""

from pathlib import Path

import pytest
import torch

from model.checkpoints.checkpoint import embedding_checksum, save_checkpoint
from model.recurrent.config import ATTENDING, Attending, RecurrentConfig
from model.recurrent.recurrent import Recurrent
from model.tokenizer import Tokenizer
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from model.translator import Translator, load_translator


@pytest.fixture(scope="session")
def recurrent_config(config: ModelConfig) -> RecurrentConfig:
    """Every size differs from every other, so that no two dims can be mistaken."""
    return RecurrentConfig(
        vocab_size=config.vocab_size,
        d_model=config.d_model,
        d_state=36,
        d_score=20,
        window=3,
        max_length=64,
        embedding="tiny",
    )


FIRST_KINDS: tuple[Attending, ...] = ("none", "additive", "lstm")
"""Those that each run looks at: without attention, with it, and with another cell."""

KINDS = [
    pytest.param(kind, marks=() if kind in FIRST_KINDS else pytest.mark.recurrent)
    for kind in ATTENDING
]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def recurrent_folder(
    kind: str,
    recurrent_config: RecurrentConfig,
    model: Transformer,
    tokenizer: Tokenizer,
    checkpoint_folder: Path,
) -> Path:
    config = RecurrentConfig.from_dict(recurrent_config.to_dict() | {"kind": kind})
    torch.manual_seed(11)
    folder = checkpoint_folder.with_name(f"tiny-{kind}")
    network = Recurrent(config).requires_grad_(False)
    for name, weight in network.named_parameters():
        if "bias" in name:
            weight.normal_(std=0.2)  # as after training: nothing hides behind a zero
    card = {"embedding_sha256": embedding_checksum(model.embedding.weight)}
    save_checkpoint(folder, config, network.state_dict(), tokenizer, card)
    return folder


@pytest.fixture
def recurrent(recurrent_folder: Path) -> Translator:
    return load_translator(recurrent_folder)
