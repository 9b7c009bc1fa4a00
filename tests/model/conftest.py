"""A tiny model, tokenizer and checkpoint folder, made once: random weights, real structure."""

from pathlib import Path

import pytest
import torch

from model.checkpoints.checkpoint import save_checkpoint
from model.tokenizer import Tokenizer
from model.training.data.pairs import Pair, learn_tokenizer
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from model.translator import Translator, load_translator

SUBJECTS = {
    "The cat": "Le chat",
    "The dog": "Le chien",
    "My sister": "Ma sœur",
    "The animal": "L'animal",
    "The street": "La rue",
    "Our teacher": "Notre professeur",
}
PREDICATES = {
    "sleeps.": "dort.",
    "didn't come.": "n'est pas venu.",
    "was too tired.": "était trop fatigué.",
    "drinks water.": "boit de l'eau.",
    "is here today.": "est ici aujourd'hui.",
    "loves summer.": "aime l'été.",
    "works at the bank.": "travaille à la banque.",
    "crossed the river.": "a traversé la rivière.",
}


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def pairs() -> list[Pair]:
    return [
        Pair(f"{subject} {predicate}", f"{sujet} {predicat}")
        for subject, sujet in SUBJECTS.items()
        for predicate, predicat in PREDICATES.items()
    ]


@pytest.fixture(scope="session")
def tokenizer(pairs: list[Pair]) -> Tokenizer:
    return learn_tokenizer(pairs, 340)


@pytest.fixture(scope="session")
def config(tokenizer: Tokenizer) -> ModelConfig:
    """Every size differs from every other, so that no two dims can be mistaken."""
    return ModelConfig(
        len(tokenizer),
        d_model=48,
        heads=4,
        encoder_layers=2,
        decoder_layers=3,
        d_ff=80,
        max_length=64,
    )


@pytest.fixture(scope="session")
def model(config: ModelConfig) -> Transformer:
    torch.manual_seed(7)
    return Transformer(config).eval().requires_grad_(False)


@pytest.fixture(scope="session")
def checkpoint_folder(
    model: Transformer, tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    folder = tmp_path_factory.mktemp("checkpoints") / "tiny"
    save_checkpoint(folder, model.config, model.state_dict(), tokenizer, {"name": "tiny"})
    return folder


@pytest.fixture(scope="session")
def translator(checkpoint_folder: Path) -> Translator:
    return load_translator(checkpoint_folder)
