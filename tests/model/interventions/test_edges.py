"""What interventions take and refuse where a comparison, a default or a size decides."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
import torch
from torch import Tensor

from model.interventions.base import Intervention, Lengths, Sizes, UnreachableQuery
from model.interventions.blocks import LeaveOutNorm, ZeroUnit
from model.interventions.compiled import compiled
from model.interventions.fitting import fitting
from model.interventions.heads import AblateHead, average_head
from model.interventions.masks import (
    BlockAttention,
    ForbidLinks,
    HideSource,
    LiftMask,
    PadSource,
    Window,
)
from model.interventions.message import Message
from model.interventions.positions import RepeatPosition, ShiftPositions, ShufflePositions
from model.interventions.scale import Unscale
from model.recurrent.config import RecurrentConfig
from model.sites.sites import Kind
from model.sites.tap import Edit
from model.transformer.config import ModelConfig, Variant
from model.transformer.positional import sinusoidal_positions


@dataclass(frozen=True)
class Doubled(Intervention):
    """Doubles a norm, and does not say which queries it takes keys from."""

    blind: bool = False

    @property
    def words(self) -> Message:
        return Message("a norm doubled")

    def check(self, sizes: Sizes) -> None:
        """Fit everywhere."""

    def edits(self, sizes: Sizes) -> Sequence[tuple[str, Edit]]:  # noqa: ARG002
        """Double the first norm; blind, take every key from the encoder's queries as well."""
        doubled: list[tuple[str, Edit]] = [("encoder.0.norm1", _twice)]
        return [*doubled, *([("encoder.mask", torch.zeros_like)] if self.blind else [])]


def _twice(tensor: Tensor, *_made_of: Tensor) -> Tensor:
    return 2 * tensor


def everything_forbidden(kind: Kind, query: int, keys: int) -> list[Intervention]:
    return [BlockAttention(kind, query, key, layer=1, head=2) for key in range(keys)]


@pytest.mark.parametrize("known", [True, False])
def test_the_last_of_each_is_taken_and_the_next_one_refused(
    config: ModelConfig, known: bool
) -> None:
    most = config.max_length
    sizes = Sizes(config, Lengths(5, 9) if known else None)
    source, target = (5, 9) if known else (most, most)
    taken = [
        PadSource(1), PadSource(most),
        HideSource(0, 0), HideSource(0, source - 1),
        BlockAttention("decoder", target - 1, target - 1),
        BlockAttention("cross", target - 1, source - 1),
        BlockAttention("encoder", source - 1, source - 1),
        ShufflePositions("encoder", 0), ShufflePositions("encoder", 2**31 - 1),
        RepeatPosition("decoder", most - 1),
        ShiftPositions("encoder", most), ShiftPositions("encoder", -most),
        AblateHead("encoder", 1, 3), AblateHead("decoder", 2, 3),
        Unscale("encoder"),
        ZeroUnit("encoder", 1, config.d_ff - 1),
        Window("encoder", 1), Window("decoder", 999),
    ]  # fmt: skip
    for one in taken:
        one.check(sizes)
    refused = [
        PadSource(0), PadSource(most + 1),
        HideSource(0, source), HideSource(1, 0),
        BlockAttention("decoder", target, 0), BlockAttention("decoder", 0, target),
        BlockAttention("cross", 0, source), BlockAttention("encoder", 0, source),
        Window("encoder", 0), Window("encoder", 4),
        BlockAttention("encoder", 0, 0, layer=2), BlockAttention("decoder", 0, 0, layer=3),
        ShufflePositions("encoder", 2**31), ShufflePositions("encoder", -1),
        RepeatPosition("decoder", most), ShiftPositions("encoder", most + 1),
        AblateHead("encoder", 2, 0), AblateHead("cross", 0, 4),
        ZeroUnit("encoder", 2, 0), ZeroUnit("encoder", 0, config.d_ff),
    ]  # fmt: skip
    for one in refused:
        with pytest.raises(ValueError):  # noqa: PT011
            one.check(sizes)


def test_each_stack_has_as_many_layers_as_it_has(config: ModelConfig) -> None:
    sizes = Sizes(config, Lengths(5, 5))
    counts: dict[Kind, int] = {"encoder": 2, "decoder": 3, "cross": 3}
    for kind, layers in counts.items():
        for one in (Unscale(kind), BlockAttention(kind, 1, 1)):
            assert len(one.edits(sizes)) == layers


def test_a_run_without_padding_or_interventions_stays_as_it_is(config: ModelConfig) -> None:
    run = compiled([], Sizes(config))
    assert run.padded([5, 6, 7]) == [5, 6, 7]
    assert run.target_pieces == 1
    assert not run.edits
    longer = compiled([PadSource(6)], Sizes(config, Lengths(3), 6))
    assert longer.padded([5, 6, 7]) == [5, 6, 7, *[config.pad_id] * 3]


def test_links_of_one_place_are_one_edit_and_others_follow_each_other(config: ModelConfig) -> None:
    sizes = Sizes(config, Lengths(4, 4))
    links = [BlockAttention("encoder", 1, key, layer=0) for key in (0, 2)]
    (edit,) = compiled(links, sizes).edits.values()
    assert isinstance(edit, ForbidLinks)
    assert edit.links == ((None, 1, 0), (None, 1, 2))
    both = compiled([LeaveOutNorm("encoder", 0, "self_attn"), Doubled()], sizes)
    normed, before = torch.ones(1, 4, 3), torch.full((1, 4, 3), 5.0)
    torch.testing.assert_close(both.edits["encoder.0.norm1"](normed, before), 2 * before)


def test_hidden_pieces_of_the_source_take_nothing_from_the_decoder_itself() -> None:
    hidden = HideSource(0, 1)
    assert not hidden.forbids(UnreachableQuery("decoder", 0, 0, 0))
    assert hidden.forbids(UnreachableQuery("cross", 0, 0, 0))


def test_a_piece_just_written_has_no_future_even_without_its_mask(config: ModelConfig) -> None:
    lifted, own = LiftMask("decoder"), BlockAttention("decoder", 0, 0, layer=1, head=2)
    later = BlockAttention("decoder", 3, 0)  # so the target counts as four pieces
    written = fitting([lifted, own, later], config, Lengths(4))
    assert written == ((lifted, later), (own,))
    whole = fitting([lifted, own, later], config, Lengths(4, 4))
    assert whole == ((lifted, own, later), ())  # it may look at what follows


def test_a_query_of_the_target_beyond_the_source_is_found_too(config: ModelConfig) -> None:
    blocked = everything_forbidden("cross", 7, 3)
    assert fitting(blocked, config, Lengths(3, 9)) == ((), tuple(blocked))
    assert fitting(blocked[:2], config, Lengths(3, 9)) == (tuple(blocked[:2]), ())


def test_where_nobody_is_to_blame_all_goes(config: ModelConfig) -> None:
    several = (Doubled(blind=True), Unscale("cross"))
    assert fitting(several, config, Lengths(3, 3)) == ((), several)


def test_a_recurrent_model_takes_none() -> None:
    config = RecurrentConfig.__new__(RecurrentConfig)  # no size of it is asked for
    several = (Unscale("cross"), HideSource(0, 0))
    assert fitting(several, config, Lengths(3, 3)) == ((), several)


def test_the_mean_of_a_head_is_each_sentences_own(config: ModelConfig) -> None:
    z = torch.randn(3, 2, 3, 5)  # B H T Dk, as many sentences as pieces
    found = average_head(1, 2)(z)
    for sentence in range(3):
        expected = (z[sentence, 1, 0] + z[sentence, 1, 1]) / 2
        for piece in range(3):
            torch.testing.assert_close(found[sentence, 1, piece], expected)
    torch.testing.assert_close(found[:, 0], z[:, 0])
    ((_site, edit),) = AblateHead("encoder", 0, 1, "mean").edits(Sizes(config))
    torch.testing.assert_close(edit(z)[0, 1, 2], z[0, 1].mean(dim=0))


def test_shifted_positions_keep_the_layout_and_the_type_of_the_models(config: ModelConfig) -> None:
    halves = replace(config, variant=Variant(layout="two halves"))
    positions = torch.zeros(1, 4, config.d_model, dtype=torch.float64)
    for one in (config, halves):
        ((_site, edit),) = ShiftPositions("encoder", 3).edits(Sizes(one))
        found = edit(positions)
        assert found.dtype == torch.float64
        longer = sinusoidal_positions(7, config.d_model, layout=one.variant.layout)
        torch.testing.assert_close(found[0], longer[3:].double())
    plain = ShiftPositions("encoder", 3).edit(positions)
    torch.testing.assert_close(plain[0], sinusoidal_positions(7, config.d_model)[3:].double())
