"""Long sums are shortened without losing anything, and every part has its name."""

import numpy as np
import pytest

from model.recording.parts import Parts, ScoreParts
from viz.figures.theme import LIGHT
from viz.pages.why.figures import boards_figure, in_lines, products_figure, signed, terms_figure
from viz.pages.why.sums import (
    Match,
    Products,
    above_mean,
    best_match,
    grouped,
    head_table,
    merged,
    products,
    rest_of,
    shortened,
    terms,
)
from viz.pages.why.words import NORMS, PROJECTION, REST, origin, origin_name, part_name

NAMES = (
    "decoder.embedding",
    "decoder.0.self_attn.z.1",
    "decoder.0.self_attn.out.bias",
    "decoder.0.norm1.bias",
    "decoder.1.cross_attn.z.2",
    "decoder.1.norm2.bias",
    "decoder.1.ffn.out",
)
VALUES = np.array([0.5, -4.0, 0.25, 1.0, 3.0, 2.0, -0.75])


def test_the_biases_of_the_norms_are_one_part() -> None:
    names, values = grouped(NAMES, VALUES)
    assert names.count(NORMS) == 1
    assert values[names.index(NORMS)] == 3.0
    assert len(names) == 6
    assert values.sum() == VALUES.sum()


def test_the_biases_of_a_projection_are_one_part() -> None:
    for part in ("q", "k"):
        assert merged(f"encoder.4.self_attn.{part}.bias") == PROJECTION
    for name in ("encoder.4.self_attn.v.bias", "decoder.4.cross_attn.out.bias"):
        assert merged(name) == name
    assert merged("decoder.2.norm3.bias") == NORMS
    assert merged("decoder.2.norm3.scale") == "decoder.2.norm3.scale"


def test_the_rest_of_a_score_is_all_but_what_is_named() -> None:
    table = Products(("a", REST), ("b", "c", REST), np.array([[1.0, 2, 4], [8, 16, 32]]))
    assert rest_of(table) == 4 + 8 + 16 + 32
    assert rest_of(Products(("a",), ("b",), np.array([[1.0]]))) == 0


def test_the_largest_come_first_and_the_rest_is_added_up() -> None:
    shown = terms(Parts(NAMES, VALUES), 4)
    assert shown.names == ("decoder.0.self_attn.z.1", NORMS, "decoder.1.cross_attn.z.2", REST)
    np.testing.assert_allclose(shown.values, [-4, 3, 3, 0.0])
    assert shown.values.sum() == VALUES.sum()
    names, _ = shortened(NAMES, VALUES, 20)
    assert REST not in names
    assert REST not in shortened(NAMES, VALUES, len(NAMES))[0]
    assert REST in shortened(NAMES, VALUES, len(NAMES) - 1)[0]
    assert names[0] == "decoder.0.self_attn.z.1"


def test_a_score_s_table_keeps_the_whole_score() -> None:
    values = np.random.default_rng(0).normal(size=(6, 7))
    query = (
        "encoder.embedding",
        *(f"encoder.{n}.ffn.out" for n in range(4)),
        "encoder.4.self_attn.q.bias",
    )
    parts = ScoreParts(query, NAMES, values)
    table = products(parts, 4)
    assert table.values.shape == (4, 4)
    assert table.query[-1] == table.key[-1] == REST
    assert table.values.sum() == pytest.approx(parts.total)


def test_what_every_key_has_alike_is_gone_above_the_mean() -> None:
    rows = [ScoreParts(("a",), ("b", "c"), np.array([[1.0, value]])) for value in (2.0, 4.0)]
    lead = above_mean(rows[1], rows)
    np.testing.assert_allclose(lead.values, [[0.0, 1.0]])
    assert (lead.query, lead.key) == (("a",), ("b", "c"))


def test_heads_stand_in_their_places() -> None:
    found = head_table(Parts(NAMES, VALUES), "cross_attn", 2, 3)
    assert found.tolist() == [[0, 0, 0], [0, 0, 3]]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("encoder.embedding", "embedding"),
        ("decoder.positions", "position"),
        ("encoder.2.self_attn.out", "encoder 3: self-attention"),
        ("decoder.4.cross_attn.out", "cross 5"),
        ("decoder.4.cross_attn.z.5", "cross 5.6"),
        ("decoder.0.self_attn.z.0", "decoder 1.1"),
        ("decoder.4.cross_attn.out.bias", "cross 5: bias of W_O"),
        ("decoder.5.ffn.out", "decoder 6: feed-forward"),
        (NORMS, "LayerNorm biases"),
        (PROJECTION, "bias of the projection"),
        (REST, "all the rest"),
    ],
)
def test_parts_are_named_from_one(name: str, said: str) -> None:
    assert part_name(name) == said


def test_figures_hold_the_sums_and_escape_tokens() -> None:
    parts = ScoreParts(NAMES[:2], NAMES[4:6], np.array([[1.0, 2.0], [3.0, -7.0]]))
    figure = products_figure(products(parts, 9), "<b>", "▁k", LIGHT)
    cells, sums = (np.array(trace.z) for trace in figure.data)  # pyrefly: ignore[missing-attribute]
    assert sums[-1][-1] == pytest.approx(parts.total)
    assert np.nansum(cells) == pytest.approx(parts.total)
    drawn = [shape for shape in figure.layout.shapes if shape.type == "rect"]  # pyrefly: ignore[missing-attribute]
    lengths = sorted((bar.x1 - bar.x0) / 0.48 for bar in drawn)
    assert lengths == pytest.approx([-1, -1, 3 / 4, 4 / 5])
    assert "&lt;b&gt;" in figure.layout.annotations[0].text  # pyrefly: ignore[missing-attribute]
    bars = terms_figure(terms(Parts(NAMES, VALUES), 9), "lead", LIGHT)
    assert sum(bars.data[0].x) == pytest.approx(VALUES.sum())  # pyrefly: ignore[missing-attribute]
    boards = boards_figure([("cross", np.eye(3)), ("decoder", np.zeros((3, 3)))], "logits", LIGHT)
    assert [len(trace.z) for trace in boards.data] == [3, 3]  # pyrefly: ignore[missing-attribute]


def test_all_that_a_layer_wrote_matches_together() -> None:
    names = (
        "encoder.embedding",
        "encoder.0.self_attn.out",
        "encoder.0.ffn.out",
        "encoder.0.norm1.bias",
    )
    values = np.array([[1.0, 0, 0, 0], [0, 2, 2, 0], [0, 1, 1, 5.5], [0, 0, 0, -9]])
    up = best_match(ScoreParts(names, names, values))
    assert (up.query, up.key, up.value) == ("encoder.0", "encoder.0", 6.0)
    down = best_match(ScoreParts(names, names, -values - 1))
    assert down.value < 0
    key = ("encoder.0.norm1.bias", "encoder.0.self_attn.k.bias", "encoder.1.ffn.out")
    biased = ScoreParts(("encoder.0.norm1.bias",), key, np.array([[3.0, 9.0, 1.0]]))
    pushed = best_match(biased)  # the others push every key
    assert pushed == Match(NORMS, "encoder.1", 1.0, biases_push_more=True)
    assert origin("decoder.4.cross_attn.k") == "decoder.4.cross_attn.k"
    assert origin("decoder.4.cross_attn.k.bias") == PROJECTION
    assert origin_name("encoder.4") == "encoder layer 5"
    assert origin_name("encoder.embedding") == "embedding"


def test_columns_are_named_in_short_lines() -> None:
    names = ("encoder.4.ffn.out", "encoder.1.self_attn.out", NORMS)
    table = Products(("encoder.embedding",), names, np.ones((1, 3)))
    written = products_figure(table, "a", "b", LIGHT).layout.xaxis.ticktext  # pyrefly: ignore[missing-attribute]
    assert written[:2] == ("encoder 5:<br>feed-<br>forward", "encoder 2:<br>self-<br>attention")
    assert in_lines("\u7f16\u7801\u5668 5\uff1a\u524d\u9988\u7f51\u7edc") == (
        "\u7f16\u7801\u5668 5\uff1a<br>\u524d\u9988\u7f51\u7edc"
    )
    assert in_lines("\u5f52\u4e00\u5316\u7684\u504f\u7f6e") == (
        "\u5f52\u4e00\u5316<br>\u7684\u504f\u7f6e"
    )


def test_signs_are_written_as_elsewhere() -> None:
    assert [signed(value) for value in (1.0, -0.5, -0.001)] == [
        "+1.00",
        "\N{MINUS SIGN}0.50",
        "0.00",
    ]
