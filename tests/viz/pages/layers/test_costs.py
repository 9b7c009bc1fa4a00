import math
from dataclasses import replace

import numpy as np
import pytest

from model.transformer.config import ModelConfig, Variant
from model.transformer.transformer import Transformer
from tests.viz.inputs import CONFIG, SOURCE, TARGET, tiny_model, tiny_recording
from viz.pages.layers.cost_panel import finding
from viz.pages.layers.costs import Sizes, costs, growth, table_one

SIZES = Sizes(CONFIG, len(SOURCE), len(TARGET))


def test_parameters_add_up_to_the_model_s() -> None:
    counted = sum(cost.parameters * cost.times for cost in costs(SIZES))
    assert counted == sum(parameter.numel() for parameter in tiny_model().parameters())


@pytest.mark.parametrize(
    "variant",
    [
        Variant(biased=True),
        Variant(tied=False),
        Variant(target_pieces=29),
        Variant(target_pieces=29, tied=False, biased=True),
    ],
)
def test_parameters_add_up_with_tables_of_other_kinds(variant: Variant) -> None:
    config = replace(CONFIG, variant=variant)
    found = costs(Sizes(config, 5, 3))
    counted = sum(cost.parameters * cost.times for cost in found)
    assert counted == sum(parameter.numel() for parameter in Transformer(config).parameters())
    assert found[-1].multiply_adds == 3 * config.d_model * config.target_vocab_size


def products_of(kind: str) -> int:
    """Count multiply-adds from the shapes of what one sublayer of layer 0 was recorded with."""
    recording = tiny_recording()
    q, k = (recording[f"{kind}.{part}"] for part in ("q", "k"))
    heads, queries, narrow = q.shape
    keys = k.shape[1]
    width = heads * narrow
    projections = 2 * queries * width * width + 2 * keys * width * width
    scores_and_mix = 2 * recording[f"{kind}.weights"].size * narrow
    assert recording[f"{kind}.weights"].shape == (heads, queries, keys)
    return projections + scores_and_mix


@pytest.mark.parametrize(
    ("block", "site"),
    [
        ("Encoder self-attention", "encoder.0.self_attn"),
        ("Decoder self-attention", "decoder.0.self_attn"),
        ("Cross-attention", "decoder.0.cross_attn"),
    ],
)
def test_attention_is_counted_as_its_shapes_say(block: str, site: str) -> None:
    found = {cost.block: cost for cost in costs(SIZES)}
    assert found[block].multiply_adds == products_of(site)


def test_feed_forward_and_output_worked_out_by_hand() -> None:
    small = ModelConfig(7, 4, 2, 10, 1, 1, max_length=8)
    found = {cost.block: cost for cost in costs(Sizes(small, 3, 2))}
    assert found["Encoder feed-forward"].multiply_adds == 3 * (4 * 10 + 10 * 4)
    assert found["Decoder feed-forward"].multiply_adds == 2 * (4 * 10 + 10 * 4)
    assert found["Encoder feed-forward"].parameters == 4 * 10 + 10 + 10 * 4 + 4
    output = found["Output layer, shared with the embedding"]
    assert (output.parameters, output.multiply_adds) == (0, 2 * 4 * 7)


def test_attention_and_recurrence_cost_the_same_where_n_is_d() -> None:
    curve = growth(np.array([1.0, 256.0, 512.0]), 256, 3)
    np.testing.assert_array_equal(curve.n, [1, 256, 512])
    assert curve.attention[0] < curve.recurrence[0]
    assert curve.attention[1] == curve.recurrence[1] == 256**3
    assert curve.attention[2] > curve.recurrence[2]
    np.testing.assert_array_equal(curve.convolution, 3 * curve.recurrence)


def test_table_one_of_the_paper() -> None:
    attention, recurrent, convolution, restricted = table_one(27, 256, 3, 5)
    assert (attention.operations, attention.sequential, attention.path) == (27 * 27 * 256, 1, 1)
    assert (recurrent.operations, recurrent.sequential, recurrent.path) == (27 * 256**2, 27, 27)
    assert (convolution.operations, convolution.path) == (3 * 27 * 256**2, 3)
    assert (restricted.operations, restricted.path) == (5 * 27 * 256, 6)
    assert [row.path for row in table_one(1, 256, 3, 5)] == [1, 1, 1, 1]
    assert [table_one(n, 256, 3, 5)[2].path for n in (2, 3, 4, 9, 10)] == [1, 1, 2, 2, 3]
    rows = attention, recurrent, convolution, restricted
    assert [(row.name, *row.formulas) for row in rows] == [
        ("self-attention", "n² d", "1", "1"),
        ("recurrent", "n d²", "n", "n"),
        ("convolutional", "k n d²", "1", "⌈log_k n⌉"),
        ("self-attention, restricted", "r n d", "1", "⌈n / r⌉"),
    ]
    letters = {"n": 27, "d": 256, "k": 3, "r": 5}
    for row in rows:
        assert row.operations == worked_out(row.formulas[0], letters)
        assert row.sequential == worked_out(row.formulas[1], letters)


def worked_out(formula: str, letters: dict[str, int]) -> int:
    """Put numbers into a sum of products such as 2 S d² + 2 S² d."""
    found = 0
    for term in formula.split(" + "):
        factors = [one.removesuffix("²") for one in term.split() for _ in range(1 + ("²" in one))]
        found += math.prod(letters[one] if one in letters else int(one) for one in factors)
    return found


@pytest.mark.parametrize(
    ("variant", "first", "last"),
    [
        (
            Variant(),
            ["Embedding, shared with the output"],
            "Output layer, shared with the embedding",
        ),
        (Variant(tied=False), ["Embedding"], "Output layer"),
        (
            Variant(target_pieces=29),
            ["Embedding of the source", "Embedding of the target"],
            "Output layer, shared with the target's embedding",
        ),
    ],
)
def test_every_block_has_its_name_its_number_and_its_formula(
    variant: Variant, first: list[str], last: str
) -> None:
    config = replace(CONFIG, variant=variant)
    found = costs(Sizes(config, 5, 3))
    inner, outer = CONFIG.encoder_layers, CONFIG.decoder_layers
    assert [(cost.block, cost.times) for cost in found] == [
        *((name, 1) for name in first),
        ("Encoder self-attention", inner),
        ("Encoder feed-forward", inner),
        ("Encoder norms, both", inner),
        ("Decoder self-attention", outer),
        ("Cross-attention", outer),
        ("Decoder feed-forward", outer),
        ("Decoder norms, all three", outer),
        (last, 1),
    ]
    letters = {"S": 5, "T": 3, "d": config.d_model, "F": config.d_ff}
    letters["V"] = config.target_vocab_size
    for cost in found:
        assert bool(cost.formula) == (cost.multiply_adds > 0)
        if cost.formula:
            assert cost.multiply_adds == worked_out(cost.formula, letters), cost.block
        else:
            assert (cost.multiply_adds, cost.formula) == (0, "")


@pytest.mark.parametrize(("source", "target"), [(3, 3), (40, 40), (17, 19), (30, 20), (200, 200)])
def test_every_block_that_costs_most_is_named(source: int, target: int) -> None:
    blocks = costs(Sizes(ModelConfig(), source, target))
    most = max(cost.multiply_adds * cost.times for cost in blocks)
    said = finding(blocks)
    for cost in blocks:
        assert (cost.block in said) == (cost.multiply_adds * cost.times == most)
