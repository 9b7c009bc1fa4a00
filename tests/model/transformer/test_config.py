import pytest

from model.transformer.config import ModelConfig


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
