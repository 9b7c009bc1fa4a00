from itertools import pairwise

import pytest

from model.transformer.config import Activation, ModelConfig, Positions, Variant
from viz.pages.layers.architecture.blocks import (
    SOFTMAX,
    block,
    entry_blocks,
    exit_blocks,
    layer_blocks,
    purpose,
)
from viz.pages.layers.architecture.layout import FLOW, LEFT, WIDTH, Drawing, Stack, draw

STACKS: tuple[Stack, Stack] = ("encoder", "decoder")


def six() -> Drawing:
    return draw({"encoder": 6, "decoder": 6}, 2)


def test_every_block_but_the_softmax_is_a_recorded_site() -> None:
    sites = ModelConfig().sites()
    for stack in STACKS:
        inner = [each for layer in range(6) for each in layer_blocks(stack, layer)]
        for each in (*entry_blocks(stack), *inner, *exit_blocks(stack)):
            assert each.site in sites or each.site == SOFTMAX
            assert each.title
            assert purpose(each.site, ModelConfig()).endswith((".", ":"))


@pytest.mark.parametrize(
    ("activation", "written"), [("relu", "max(0, x W1"), ("swish", "swish(x"), ("gelu", "gelu(x")]
)
def test_the_first_half_of_feed_forward_names_the_activation(
    activation: Activation, written: str
) -> None:
    config = ModelConfig(variant=Variant(activation=activation))
    assert purpose("encoder.0.ffn.hidden", config).startswith(written)


def test_the_embedding_says_what_this_model_does_with_its_row() -> None:
    own = ModelConfig(variant=Variant(scaled=False, target_pieces=70))
    assert "times √d_model" in purpose("encoder.embedding", ModelConfig())
    assert "√d_model" not in purpose("encoder.embedding", own)
    assert "a table each" in purpose("decoder.embedding", own)


@pytest.mark.parametrize(
    ("positions", "said"),
    [
        ("sinusoid", "Sines and cosines that"),
        ("learned", "learned in training"),
        ("rotary", "Zeros"),
        ("joined", "side by side"),
    ],
)
def test_the_positions_are_those_of_the_model(positions: Positions, said: str) -> None:
    assert said in purpose("encoder.positions", ModelConfig(positions=positions))


@pytest.mark.parametrize(
    ("variant", "said", "biased"),
    [
        (Variant(), "The same table serves both inputs and the output", False),
        (Variant(target_pieces=70, biased=True), "in the decoder's table", True),
        (Variant(tied=False), "No embedding table is shared", False),
        (Variant(biased=True), "The same table serves", True),
    ],
)
def test_the_scores_come_from_the_model_s_own_table(
    variant: Variant, said: str, biased: bool
) -> None:
    written = purpose("decoder.logits", ModelConfig(variant=variant))
    assert said in written
    assert ("bias" in written) == biased


def test_a_site_that_no_block_stands_for_is_refused() -> None:
    for site in ("encoder.0.self_attn.q", "decoder.mask", "elsewhere.0.norm1", "encoder.softmix"):
        with pytest.raises(ValueError, match="no block"):
            block(site)
    assert block("decoder.4.norm3").layer == 4
    assert block(SOFTMAX).layer is None


def test_both_stacks_run_upwards_and_no_box_covers_another() -> None:
    drawing = six()
    for stack in STACKS:
        own = [box for box in drawing.boxes if box.stack == stack]
        for below, above in pairwise(own):
            beside = above.y == below.y and above.x > below.x + below.width
            assert beside or above.y + above.height < below.y
        assert own[-1].y > 0
        assert own[0].y + own[0].height < drawing.height
        assert max(box.x + box.width for box in own) == LEFT[stack] + WIDTH
    assert LEFT["encoder"] + WIDTH < LEFT["decoder"]


def test_the_other_layers_share_a_row_below_and_one_above() -> None:
    for stack in STACKS:
        closed = [box for box in six().boxes if box.stack == stack and box.block is None]
        assert len({box.y for box in closed[:2]}) == len({box.y for box in closed[2:]}) == 1
        assert closed[0].y > closed[-1].y


def test_one_layer_is_open_and_the_others_are_bars() -> None:
    for stack in STACKS:
        own = [box for box in six().boxes if box.stack == stack]
        open_ = {box.layer for box in own if box.block and box.layer is not None}
        assert open_ == {2}
        assert [box.layer for box in own if box.block is None] == [0, 1, 3, 4, 5]


def test_the_memory_reaches_every_row_of_decoder_layers() -> None:
    lines = [line for line in six().lines if line.kind == "memory"]
    assert len(lines) == 3
    assert len([line for line in six().lines if line.kind == "residual"]) == 5


def test_a_stack_with_fewer_layers_opens_its_last() -> None:
    drawing = draw({"encoder": 2, "decoder": 3}, 2)
    assert [(stack, layer) for stack, layer, _, _ in drawing.frames] == [
        ("encoder", 1),
        ("decoder", 2),
    ]


def test_words_have_a_second_line_where_closed_layers_leave_room() -> None:
    assert [draw({"encoder": 6, "decoder": 6}, layer).words for layer in (0, 3, 5)] == [2, 1, 2]


def test_what_goes_up_leaves_the_middle_of_closed_layers_and_enters_the_linear_layer() -> None:
    lines = {line.path.split()[0].removeprefix("M") for line in six().lines if line.kind == "flow"}
    assert lines == {str(LEFT[stack] + FLOW) for stack in STACKS}
    for stack in STACKS:
        closed = [box for box in six().boxes if box.stack == stack and box.block is None]
        row = [box for box in closed if box.y == closed[-1].y]
        middle = (row[0].x + row[-1].x + row[-1].width) / 2
        assert abs(middle - LEFT[stack] - FLOW) <= 2
    linear, softmax = six().boxes[-2:]
    assert linear.x < LEFT["decoder"] + FLOW < linear.x + linear.width < softmax.x
