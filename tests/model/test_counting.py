"""Screen, links and pictures count from 1, the API from 0: neither can be taken for the other."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from model.interventions.attention import SetAttention, TurnAttention
from model.interventions.base import Intervention
from model.interventions.blocks import LeaveOutSublayer, SkipLayer, ZeroUnit
from model.interventions.heads import AblateHead
from model.interventions.masks import BlockAttention, HideSource, LiftMask, Window
from model.interventions.patches import PatchActivation
from model.interventions.positions import ScalePositions
from model.interventions.scale import ScaleScores
from model.interventions.sharing import ShareKeysValues, TieQueries
from model.sites.sites import Head, head
from model.translator import Translator

SENTENCE = "The animal didn't cross the street because it was too wide."


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("encoder 6.4", Head("encoder", 5, 3)),
        ("cross 1.1", Head("cross", 0, 0)),
        ("Decoder 12.16", Head("decoder", 11, 15)),
    ],
)
def test_a_head_is_read_as_the_screen_names_it(name: str, place: Head) -> None:
    assert head(name) == place
    assert AblateHead(name) == AblateHead(*place)
    assert AblateHead(name, mode="mean") == AblateHead(*place, mode="mean")
    turned = BlockAttention(place.kind, 1, 2, place.layer, place.head)
    assert BlockAttention(query=1, key=2, **vars(head(name))) == turned


@pytest.mark.parametrize(
    "name",
    ["encoder 6", "encoder 0.4", "encoder 6.0", "encoder 00.1", "6.4", "self 6.4", "encoder 6.-4"],
)
@pytest.mark.parametrize("read", [head, AblateHead])
def test_what_names_no_head_is_refused(read: Callable[[str], object], name: str) -> None:
    with pytest.raises(ValueError, match=f"like .encoder 6.4.*not '{re.escape(name)}'"):
        read(name)


def test_what_fits_no_sentence_is_refused_by_run_and_record_in_both_countings(
    translator: Translator,
) -> None:
    layers, heads = translator.config.encoder_layers, translator.config.heads
    below, name = "{0} must be 0 to {1}, not {2}; counted from 1, as on screen, 1 to {2}", "encoder"
    layer, last = below.format("layer", layers - 1, layers), layers - 1
    cases: list[tuple[Intervention, str]] = [
        (AblateHead(name, layers, 0), f"{layer}, not {layers + 1}"),
        (AblateHead(f"{name} {layers + 1}.1"), f"{layer}, not {layers + 1}"),
        (SkipLayer(name, layers), f"{layer}, not {layers + 1}"),
        (
            AblateHead(name, last, heads),
            f"{below.format('head', heads - 1, heads)}, not {heads + 1}",
        ),
        (TurnAttention("cross", 999, (0,)), "query must be 0 to .*, not 999; .*, not 1000"),
    ]
    for wrong, said in cases:
        for use in (translator.run, translator.translate):
            with pytest.raises(ValueError, match=said):
                use(SENTENCE, interventions=[wrong])
        with pytest.raises(ValueError, match=said):
            translator.record(SENTENCE, "Il dort.", [wrong])


def test_what_fits_another_sentence_is_left_out_of_a_run(translator: Translator) -> None:
    pieces = len(translator.source(SENTENCE).ids)
    far = HideSource(pieces, pieces)
    assert translator.run(SENTENCE, [far]).left_out == (far,)


def test_a_link_may_bring_what_another_model_has(translator: Translator) -> None:
    other = AblateHead("encoder", translator.config.encoder_layers, 0)
    assert translator.run(SENTENCE, [other], lenient=True).left_out == (other,)


def test_a_query_without_a_key_is_named_in_both_countings(translator: Translator) -> None:
    blocked = BlockAttention("decoder", 0, 0, 2, 3)
    said = r"query 0 of \('decoder', 2, 3\), from 0; on screen, query 1 of decoder 3.4"
    with pytest.raises(ValueError, match=said):
        translator.translate(SENTENCE, interventions=[blocked])


KINDS, STACKS = "encoder, decoder, cross", "encoder, decoder"


@pytest.mark.parametrize(
    ("of", "given", "said"),
    [
        (AblateHead, ("self", 0, 0), f"kind must be one of {KINDS}, not 'self'"),
        (AblateHead, ("cross", 0, 0, "off"), "mode must be one of zero, mean, uniform, not 'off'"),
        (SetAttention, ("self", 0, 0, 0, (1.0,)), f"kind must be one of {KINDS}"),
        (TurnAttention, ("encoder 6.4", 0, (0,)), f"kind must be one of {KINDS}"),
        (BlockAttention, ("x", 0, 0), f"kind must be one of {KINDS}"),
        (LiftMask, ("self",), f"kind must be one of {KINDS}"),
        (ScaleScores, ("self", 2.0), f"kind must be one of {KINDS}"),
        (ShareKeysValues, ("self", 2), f"kind must be one of {KINDS}"),
        (Window, ("cross", 3), f"stack must be one of {STACKS}, not 'cross'"),
        (SkipLayer, ("middle", 0), f"stack must be one of {STACKS}, not 'middle'"),
        (ZeroUnit, ("both", 0, 0), f"stack must be one of {STACKS}, not 'both'"),
        (ScalePositions, ("cross", 1.0), f"stack must be one of {STACKS}"),
        (TieQueries, ("cross",), f"stack must be one of {STACKS}"),
        (
            LeaveOutSublayer,
            ("encoder", 0, "cross_attn"),
            "sublayer of the encoder must be one of self_attn, ffn, not 'cross_attn'",
        ),
    ],
)
def test_a_kind_that_no_model_has_is_refused_at_once(
    of: Callable[..., Intervention], given: tuple[Any, ...], said: str
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}"):
        of(*given)


def test_a_vector_s_place_is_told_in_both_countings(translator: Translator) -> None:
    with pytest.raises(ValueError, match=r"piece 3 \(4 on screen\)"):
        translator.record(SENTENCE, "Il dort.", [PatchActivation("encoder.memory", 3, "No.")])
