from typing import Any

import pytest

from model.transformer.config import (
    LARGEST,
    POSITIONS,
    ModelConfig,
    Positions,
    Variant,
)


def test_the_defaults_are_those_of_the_shipped_model() -> None:
    config = ModelConfig()
    sizes = (config.d_model, config.d_ff, config.heads, config.d_k)
    assert sizes == (256, 1024, 8, 32)
    assert (config.encoder_layers, config.decoder_layers) == (6, 6)


def test_a_config_survives_the_way_through_a_dict(config: ModelConfig) -> None:
    assert ModelConfig.from_dict(config.to_dict()) == config


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"heads": 0}, "heads must be an integer >= 1, not 0"),
        ({"d_ff": 2.5}, r"d_ff must be an integer >= 1, not 2\.5"),
        ({"encoder_layers": True}, "encoder_layers .* not True"),
        ({"pad_id": -1}, "pad_id must be an integer >= 0"),
        ({"heads": 3}, "divisible by heads, not 256 / 3"),
        ({"d_model": 9, "heads": 3}, "even"),
        ({"end_id": 8000}, "below vocab_size=8000"),
        ({"begin_id": 8000}, "below vocab_size=8000"),
        ({"pad_id": 8000}, "below vocab_size=8000"),
        ({"vocab_size": "8000"}, "vocab_size must be an integer"),
    ],
)
def test_a_wrong_size_is_named(sizes: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ModelConfig.from_dict(ModelConfig().to_dict() | sizes)


def test_missing_and_unknown_sizes_are_named() -> None:
    values = ModelConfig().to_dict()
    del values["d_ff"]
    with pytest.raises(ValueError, match=r"\['d_ff', 'depth'\]"):
        ModelConfig.from_dict(values | {"depth": 6})


@pytest.mark.parametrize("positions", POSITIONS)
def test_positions_survive_a_dict_and_only_others_than_the_papers_are_written(
    positions: Positions,
) -> None:
    config = ModelConfig(positions=positions)
    values = config.to_dict()
    assert ModelConfig.from_dict(values) == config
    assert ("positions" in values) == (positions != "sinusoid")


def test_unknown_positions_and_heads_that_cannot_be_turned_are_named() -> None:
    with pytest.raises(ValueError, match="one of sinusoid, learned, rotary, joined, not 'alibi'"):
        ModelConfig.from_dict(ModelConfig().to_dict() | {"positions": "alibi"})
    with pytest.raises(ValueError, match="d_k is 3, not even"):
        ModelConfig(d_model=24, heads=8, positions="rotary")


@pytest.mark.parametrize("pieces", [True, 2.5, -1, 1_000_001])
def test_a_wrong_number_of_target_pieces_is_named(pieces: int) -> None:
    said = f"^target_pieces must be an integer from 1 to 1,000,000, not {pieces}$"
    with pytest.raises(ValueError, match=said):
        ModelConfig(variant=Variant(target_pieces=pieces))


def test_the_largest_and_the_smallest_sizes_are_taken() -> None:
    sizes: dict[str, Any] = dict(LARGEST)
    most = ModelConfig(**sizes, variant=Variant(target_pieces=1_000_000))
    assert most.target_vocab_size == 1_000_000
    least = ModelConfig(9, 2, 1, 1, 1, 1, 1, 0, 0, 0, Variant(target_pieces=1))
    assert least.target_vocab_size == 1
