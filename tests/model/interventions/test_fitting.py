import pytest

from model.interventions.base import Intervention, Lengths
from model.interventions.compiled import compiled, sizes_for
from model.interventions.fitting import fitting
from model.interventions.heads import AblateHead
from model.interventions.masks import BlockAttention, HideSource, PadSource
from model.interventions.positions import ShiftPositions
from model.interventions.unreachable import unreachable_query
from model.transformer.config import ModelConfig

LENGTHS = Lengths(7, 4)
GOOD = AblateHead("encoder", 0, 0)


@pytest.mark.parametrize(
    "misfit",
    [
        AblateHead("encoder", 9, 0),
        AblateHead("cross", 0, 8),
        HideSource(6, 7),
        PadSource(65),
        BlockAttention("cross", 4, 0),
        BlockAttention("encoder", 0, 7),
        ShiftPositions("encoder", 1000),
    ],
)
def test_what_does_not_exist_is_left_out_alone(config: ModelConfig, misfit: Intervention) -> None:
    assert fitting([misfit, GOOD], config, LENGTHS) == ((GOOD,), (misfit,))


def test_what_reaches_into_the_padding_fits_a_padded_sentence(config: ModelConfig) -> None:
    link, pad = BlockAttention("encoder", 0, 8), PadSource(9)
    assert fitting([link, pad], config, LENGTHS) == ((link, pad), ())


def test_a_target_position_fits_while_the_target_is_being_written(config: ModelConfig) -> None:
    link = BlockAttention("cross", 30, 0)
    assert fitting([link], config, Lengths(7)) == ((link,), ())
    assert fitting([link], config, LENGTHS) == ((), (link,))


def test_what_leaves_a_query_unreachable_is_left_out_and_the_rest_runs(config: ModelConfig) -> None:
    too_many = [BlockAttention("encoder", 3, key, 0, 0) for key in range(7)]
    other = BlockAttention("encoder", 2, 1)
    kept, left = fitting([GOOD, *too_many, other], config, LENGTHS)
    assert (kept, left) == ((GOOD, other), tuple(too_many))
    sizes = sizes_for(kept, config, LENGTHS)
    assert unreachable_query(compiled(kept, sizes)) is None


def test_hiding_the_whole_sentence_is_left_out(config: ModelConfig) -> None:
    hidden = HideSource(0, 6)
    assert fitting([hidden, GOOD], config, LENGTHS) == ((GOOD,), (hidden,))
