"""What a recurrent config accepts, and that its file says which family it is of."""

import pytest
import torch

from model.families import build, read_config
from model.recurrent.config import ATTENDING, RecurrentConfig
from model.recurrent.recurrent import Recurrent
from model.sites.sites import KINDS
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer


@pytest.mark.parametrize("kind", ATTENDING)
def test_a_config_survives_its_file(kind: str) -> None:
    config = RecurrentConfig.from_dict(RecurrentConfig().to_dict() | {"kind": kind})
    assert read_config(config.to_dict()) == config


def test_a_config_without_a_kind_is_that_of_a_transformer(config: ModelConfig) -> None:
    assert read_config(config.to_dict()) == config
    assert isinstance(build(config), Transformer)
    assert isinstance(build(RecurrentConfig(vocab_size=50, d_state=8)), Recurrent)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"kind": "convolution"}, "kind must be one of none, cho, dot, .* not 'convolution'"),
        ({"d_state": 7}, "d_state must be even, not 7"),
        ({"window": 0}, "window must be an integer >= 1, not 0"),
        ({"embedding": ""}, "embedding must name a checkpoint, not be ''"),
        ({"end_id": 8000}, "special ids must be below vocab_size=8000"),
        ({"begin_id": 8000}, "special ids must be below vocab_size=8000"),
        ({"pad_id": 8000}, "special ids must be below vocab_size=8000"),
        ({"heads": 8}, r"missing or unknown sizes \['heads'\]"),
    ],
)
def test_a_wrong_config_is_named_in_one_sentence(changed: dict[str, int | str], said: str) -> None:
    with pytest.raises(ValueError, match=said) as raised:
        read_config(RecurrentConfig().to_dict() | changed)
    assert "\n" not in str(raised.value)


def test_an_embedding_of_another_width_is_refused() -> None:
    made = Recurrent(RecurrentConfig(vocab_size=50, d_state=8))
    with pytest.raises(
        ValueError, match=r"the embedding has the shape \(50, 32\), not \(50, 256\)"
    ):
        made.share(torch.zeros(50, 32))


def test_the_configs_of_both_families_answer_the_same_questions() -> None:
    transformer = ModelConfig(heads=4, encoder_layers=2, decoder_layers=3)
    answers = [(transformer.layers(kind), kind in transformer.kinds) for kind in KINDS]
    assert (answers, transformer.heads) == ([(2, True), (3, True), (3, True)], 4)
    for attending in ATTENDING:
        config = RecurrentConfig(attending)
        attends = attending not in ("none", "cho")
        answers = [(config.layers(kind), kind in config.kinds) for kind in KINDS]
        assert answers == [(0, False), (0, False), (int(attends), attends)]
        assert config.heads == 1
