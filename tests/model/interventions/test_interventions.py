import numpy as np
import pytest
import torch

from model.interventions.base import Intervention
from model.interventions.heads import AblateHead
from model.interventions.masks import BlockAttention, LiftMask
from model.interventions.prepare import prepare
from model.recording.recording import Recording, record
from model.sites.sites import KINDS, Kind, attention_site
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from tests.model.interventions.conftest import SOURCE, TARGET, run


@pytest.mark.parametrize("kind", KINDS)
def test_an_ablated_head_puts_out_zeros_and_the_others_stay(
    model: Transformer, plain: Recording, kind: Kind
) -> None:
    site = attention_site(kind, 1, "z")
    edited, expected = run(model, AblateHead(kind, 1, 2)), plain[site].copy()
    expected[2] = 0
    np.testing.assert_array_equal(edited[site], expected)
    assert not np.allclose(edited.logits, plain.logits)


def test_ablating_a_head_is_zeroing_its_columns_of_the_output_matrix(
    model: Transformer, config: ModelConfig
) -> None:
    other = Transformer(config).eval().requires_grad_(False)
    other.load_state_dict(model.state_dict())
    matrix = other.get_parameter("decoder.layers.2.cross_attn.out.weight")
    matrix[:, 3 * config.d_k : 4 * config.d_k] = 0
    expected = other(torch.tensor([SOURCE]), torch.tensor([TARGET]))[0]
    logits = run(model, AblateHead("cross", 2, 3)).logits
    np.testing.assert_allclose(logits, expected, atol=1e-5)


def test_two_heads_of_one_layer_can_be_ablated(model: Transformer) -> None:
    z = run(model, AblateHead("encoder", 0, 1), AblateHead("encoder", 0, 3))[
        "encoder.0.self_attn.z"
    ]
    assert [bool(head.any()) for head in z] == [True, False, True, False]


def test_lifting_the_look_ahead_mask_shows_the_future_in_every_layer(
    model: Transformer, plain: Recording
) -> None:
    lifted = run(model, LiftMask("decoder"))
    assert lifted["decoder.mask"].all()
    assert (lifted.attention("decoder") > 0).all()
    assert not np.triu(plain.attention("decoder"), 1).any()
    np.testing.assert_array_equal(lifted["encoder.memory"], plain["encoder.memory"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_blocked_link_has_no_weight_and_its_row_still_sums_to_one(
    model: Transformer, plain: Recording, kind: Kind
) -> None:
    weights = run(model, BlockAttention(kind, 2, 1, layer=1, head=3)).attention(kind)
    assert weights[1, 3, 2, 1] == 0
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-6)
    before = plain.attention(kind)
    np.testing.assert_array_equal(weights[0], before[0])
    np.testing.assert_array_equal(weights[1, :3], before[1, :3])
    others = before[1, 3, 2].copy()
    others[1] = 0
    np.testing.assert_allclose(weights[1, 3, 2], others / others.sum(), atol=1e-6)


def test_a_link_can_be_blocked_everywhere(model: Transformer) -> None:
    weights = run(model, BlockAttention("cross", 1, 4)).attention("cross")
    assert not weights[:, :, 1, 4].any()
    assert (weights[:, :, 1, 3] > 0).all()


def test_a_lifted_link_can_be_blocked_again(model: Transformer) -> None:
    both = run(model, LiftMask("decoder"), BlockAttention("decoder", 0, 3)).attention("decoder")
    assert not both[:, :, 0, 3].any()
    assert (both[:, :, 0, 2] > 0).all()


def test_blocking_all_that_a_piece_can_see_is_refused(model: Transformer) -> None:
    with pytest.raises(ValueError, match="leave a query without any key"):
        run(model, BlockAttention("decoder", 0, 0))
    everything = [BlockAttention("encoder", 3, key, 0, 0) for key in range(len(SOURCE))]
    with pytest.raises(ValueError, match="leave a query without any key"):
        run(model, *everything)


def test_interventions_can_be_compared_and_kept_as_keys() -> None:
    assert {AblateHead("cross", 1, 2): 1}[AblateHead("cross", 1, 2)] == 1
    assert LiftMask("encoder") != LiftMask("decoder")


def test_a_recording_says_what_was_done_to_it(model: Transformer) -> None:
    assert run(model, LiftMask("decoder")).interventions == (LiftMask("decoder"),)


@pytest.mark.parametrize(
    ("intervention", "message"),
    [
        (AblateHead("encoder", 2, 0), "layer must be 0 to 1, not 2"),
        (AblateHead("cross", 3, 0), "layer must be 0 to 2, not 3"),
        (AblateHead("encoder", 0, 4), "head must be 0 to 3, not 4"),
        (AblateHead("encoder", -1, 0), "layer must be 0 to 1, not -1"),
        (BlockAttention("cross", 0, 0, 0, 9), "head must be 0 to 3, not 9"),
        (BlockAttention("cross", 4, 0), "query must be 0 to 3, not 4"),
        (BlockAttention("encoder", 0, 7), "key must be 0 to 6, not 7"),
        (BlockAttention("encoder", -1, 0), "query must be 0 to 6, not -1"),
    ],
)
def test_what_does_not_exist_cannot_be_changed(
    model: Transformer, intervention: Intervention, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        run(model, intervention)


@pytest.mark.parametrize(("layer", "head", "name"), [(5.0, 3, "layer"), (5, "4", "head")])
def test_a_place_is_a_whole_number(layer: int, head: int, name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be a whole number, from 0, not"):
        AblateHead("encoder", layer, head)


def test_one_edit_a_site(config: ModelConfig) -> None:
    wanted = [
        BlockAttention("cross", 0, 1),
        BlockAttention("cross", 0, 2),
        AblateHead("cross", 0, 0),
    ]
    sites = {attention_site("cross", n, "scores") for n in range(config.layers("cross"))}
    assert set(prepare(wanted, config).edits) == sites | {"decoder.0.cross_attn.z"}


@pytest.mark.parametrize("layer", [1, None])
def test_thousands_of_forbidden_links_are_one_mask_and_run(
    model: Transformer, layer: int | None
) -> None:
    source, target = range(20, 76), [1, *range(3, 50)]
    links = [(query, key) for query in range(len(target)) for key in range(1, len(source))]
    forbidden = [BlockAttention("cross", query, key, layer, 3) for query, key in links]
    assert len(forbidden) > 2500
    names = ["s"] * len(source), ["t"] * len(target)
    weights = record(model, list(source), target, *names, forbidden).attention("cross")
    blocked = weights[1:2] if layer else weights
    assert not blocked[:, 3, :, 1:].any()
    np.testing.assert_array_equal(blocked[:, 3, :, 0], 1)
    assert (weights[:, :3, :, 1:] > 0).all()
