"""The paper's numbers and the model's: its own paper's model gives the same on both sides."""

import pytest
import torch

from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from viz.pages.about.paper import rows


def test_a_model_of_the_papers_sizes_has_the_papers_numbers() -> None:
    """With 37,000 pieces for both languages it also has its 65 million parameters."""
    config = ModelConfig(
        vocab_size=37_000, d_model=512, heads=8, d_ff=2048, encoder_layers=6, decoder_layers=6
    )
    with torch.device("meta"):
        count = sum(one.numel() for one in Transformer(config).parameters())
    found = [(row["paper"], row["this model"]) for row in rows(config, count, None)]
    assert [one for one, other in found if one != other and other] == [
        "about 37,000 (English to German)",
        "65 M",
    ]
    own = next(other for one, other in found if one == "65 M")
    assert float(own.split()[0]) == pytest.approx(65, rel=0.05)
