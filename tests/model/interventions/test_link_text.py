import itertools
import random
import re

import pytest

from model.interventions import blocks, masks, positions, scale, sharing
from model.interventions.base import Intervention
from model.interventions.fields import FACTORS, TEXT
from model.interventions.heads import MODES, AblateHead
from model.interventions.link_text import LONGEST, MOST_INTERVENTIONS, groups, read, write
from model.sites.sites import KINDS, STACKS, SUBLAYERS
from tests.model.interventions.made_up import LookAs

SAMPLES: list[Intervention] = [
    *(AblateHead(kind, 3, 0, mode) for kind in KINDS for mode in MODES),
    *(AblateHead("encoder", layer, head) for layer in range(2) for head in range(8)),
    *(masks.LiftMask(kind) for kind in KINDS),
    *(scale.Unscale(kind) for kind in KINDS),
    *(sharing.ShareKeysValues(kind, size) for kind in KINDS for size in (2, 8)),
    masks.BlockAttention("cross", 4, 6),
    masks.BlockAttention("cross", 4, 6, 2),
    masks.BlockAttention("decoder", 4, 2, 2, 7),
    masks.BlockAttention("decoder", 4, 3, 2, 7),
    masks.BlockAttention("encoder", 0, 127, None, 1),
    *(sharing.TieQueries(stack, values) for stack in STACKS for values in (False, True)),
    masks.InvertMask(),
    *(masks.Window(stack, size) for stack in STACKS for size in (1, 5)),
    *(positions.HoldPosition(stack) for stack in STACKS),
    masks.HideSource(3, 3),
    masks.HideSource(5, 8),
    masks.PadSource(40),
    *(
        positions.ScalePositions(stack, factor)
        for stack in STACKS
        for factor in (0.0, 0.5, -1.25, 1e-05)
    ),
    *(positions.ShiftPositions(stack, by) for stack in STACKS for by in (-7, 30)),
    *(positions.ShufflePositions(stack, 4) for stack in STACKS),
    *(positions.RepeatPosition(stack, 6) for stack in STACKS),
    *(blocks.LeaveOutSublayer(stack, 2, one) for stack in STACKS for one in SUBLAYERS[stack]),
    *(blocks.LeaveOutResidual(stack, 0, "ffn") for stack in STACKS),
    *(blocks.LeaveOutNorm(stack, 11, "self_attn") for stack in STACKS),
    *(blocks.SkipLayer(stack, layer) for stack in STACKS for layer in (0, 5)),
    *(blocks.ZeroUnit(stack, 1, unit) for stack in STACKS for unit in (0, 1023, 65_535)),
]


def test_every_pair_of_interventions_comes_back() -> None:
    for pair in itertools.combinations(SAMPLES, 2):
        parsed = read(write(pair))
        assert (set(parsed.interventions), parsed.refused) == (set(pair), ())


def test_larger_combinations_come_back_whatever_their_order() -> None:
    source = random.Random(1)
    for _ in range(300):
        chosen = source.sample(SAMPLES, source.randint(0, len(SAMPLES)))
        text = write(chosen)
        parsed = read(text)
        assert set(parsed.interventions) == set(chosen)
        assert write(parsed.interventions) == text


def test_all_but_one_head_is_a_short_text() -> None:
    heads = [
        AblateHead(kind, layer, head) for kind in KINDS for layer in range(6) for head in range(8)
    ]
    kept = AblateHead("encoder", 3, 1)
    text = write([head for head in heads if head != kept])
    assert text == "zero.e.1-3~5-6.1-8_zero.e.4.1~3-8_zero.d.1-6.1-8_zero.c.1-6.1-8"


def test_a_link_holds_no_character_that_a_browser_would_rewrite() -> None:
    assert not set(write(SAMPLES)) - set("abcdefghijklmnopqrstuvwxyz0123456789.-_~")


def test_a_link_holds_another_sentence_and_a_row_of_numbers() -> None:
    for text in ("It is raining.", "_of.3fa94c", "你好 🦊-2~3", "it's 50 %", ""):
        assert TEXT.read(TEXT.write(text)) == text
        assert re.fullmatch(r"[A-Za-z0-9~-]*", TEXT.write(text))
    assert TEXT.write("It is.") == "It~is-2e-"
    look = LookAs("The cat sat, and 你好.", (0.5, 0.25, 0.25))
    name, _, rest = LookAs.write((look,)).partition(".")
    assert LookAs.read(name, rest) == [look]
    for numbers in (
        (0.25, 0.75),
        (1.0,),
        (1 / 3, 0.0, -1e-05, 0.012345678901234568),
        (1e-100, -5e-324),
    ):
        assert FACTORS.read(FACTORS.write(numbers)) == numbers
        assert re.fullmatch(r"[0-9.e~-]+", FACTORS.write(numbers))


@pytest.mark.parametrize("nonsense", ["a.b", "-g-", "-41", "-110000-", "-d800-", "é", "a_b"])
def test_what_is_no_quoted_text_is_refused(nonsense: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        TEXT.read(nonsense)


@pytest.mark.parametrize("nonsense", ["", "0.5~", "nan", "1~x", "1e9", "0.5.5"])
def test_what_is_no_row_of_numbers_is_refused(nonsense: str) -> None:
    with pytest.raises(ValueError, match=r"is no"):
        FACTORS.read(nonsense)


def test_no_interventions_are_no_text() -> None:
    assert write([]) == ""
    assert read("").interventions == read("").refused == ()


@pytest.mark.parametrize(
    "nonsense",
    [
        "zero",
        "zero.e.1",
        "zero.x.1.1",
        "zero.e.0.1",
        "zero.e.1.9999",
        "zero.e.3-1.1",
        "zero.e.1-999.1-999",
        "zero.e.1.1.1",
        "half.e.1.1",
        "lift.q",
        "lift.d.1",
        "raw.",
        "hide.0-1",
        "hide.5-2",
        "hide.a",
        "pad.0",
        "pad.3-9",
        "pad.-4",
        "block.c.1.1.5",
        "block.c.1.none.5-6",
        "block.c.1.1.5-6~",
        "scale.e.nan",
        "scale.c.0.5",
        "scale.e.1e9",
        "shift.e.1.5",
        "shift.d.99999",
        "shuffle.e.-1",
        "repeat.e.0",
        "repeat.e.x",
        "sub.e.1",
        "sub.c.1.attn",
        "res.e.0.ffn",
        "norm.d.1.mlp",
        "skip.e",
        "unit.e.1.0",
        "unit.d.1.100000",
        "zero.e.\u0661.1",
        "<script>",
        "zero.e.1.1 ",
        "",
    ],
)
def test_nonsense_is_refused_alone(nonsense: str) -> None:
    parsed = read(f"lift.d_{nonsense}_zero.e.1.2")
    assert parsed.interventions == (masks.LiftMask("decoder"), AblateHead("encoder", 0, 1))
    assert parsed.refused == (nonsense,)


def test_a_text_beyond_all_limits_is_cut() -> None:
    parsed = read("_".join(f"zero.e.{layer}.1-32" for layer in range(1, 33)) + "_lift.d" * 3000)
    assert 0 < len(parsed.interventions) <= MOST_INTERVENTIONS + 1024
    assert parsed.refused
    assert len(read("x" * (LONGEST * 3)).refused) == 2


def test_no_more_heads_are_read_than_a_link_may_switch_off() -> None:
    pieces = [f"{mode}.{kind}.1-32.1-32" for mode in MODES for kind in "edc"]  # 1,024 heads each
    parsed = read("_".join(pieces))
    assert (len(parsed.interventions), parsed.refused) == (3 * 1024, tuple(pieces[3:]))


def test_a_link_names_heads_up_to_the_thirty_second() -> None:
    assert read("zero.e.32.32").interventions == (AblateHead("encoder", 31, 31),)
    assert read("zero.e.1.33").refused == ("zero.e.1.33",)
    assert read("zero.e.33.1").refused == ("zero.e.33.1",)


def test_hidden_words_stand_in_the_order_of_the_sentence() -> None:
    hidden = [masks.HideSource(place, place) for place in (9, 1, 10, 0)]
    assert write(hidden) == "hide.1-1_hide.2-2_hide.10-10_hide.11-11"


def test_links_of_the_same_heads_make_one_chip() -> None:
    links = [masks.BlockAttention("cross", 1, key, 2, 3) for key in range(4)]
    assert groups([*links, masks.LiftMask("cross"), *links]) == [
        (masks.LiftMask("cross"),),
        tuple(links),
    ]


@pytest.mark.parametrize(
    ("text", "interventions"),
    [
        ("lift.d", [masks.LiftMask("decoder")]),
        ("raw.c", [scale.Unscale("cross")]),
        ("hide.3-4", [masks.HideSource(2, 3)]),
        ("pad.24", [masks.PadSource(24)]),
        ("scale.e.0.5", [positions.ScalePositions("encoder", 0.5)]),
        ("scale.d.1e-05", [positions.ScalePositions("decoder", 1e-05)]),
        ("shift.d.-3", [positions.ShiftPositions("decoder", -3)]),
        ("shuffle.e.7", [positions.ShufflePositions("encoder", 7)]),
        ("repeat.e.5", [positions.RepeatPosition("encoder", 4)]),
        ("sub.d.4.cross", [blocks.LeaveOutSublayer("decoder", 3, "cross_attn")]),
        ("res.e.1.ffn", [blocks.LeaveOutResidual("encoder", 0, "ffn")]),
        ("norm.d.6.attn", [blocks.LeaveOutNorm("decoder", 5, "self_attn")]),
        ("skip.e.3", [blocks.SkipLayer("encoder", 2)]),
        ("unit.e.3.1024", [blocks.ZeroUnit("encoder", 2, 1023)]),
        ("zero.e.4.1-3~7", [AblateHead("encoder", 3, head) for head in (0, 1, 2, 6)]),
        ("mean.d.1-2.5", [AblateHead("decoder", layer, 4, "mean") for layer in (0, 1)]),
        ("uniform.c.6.8", [AblateHead("cross", 5, 7, "uniform")]),
        ("block.c.4.all.5-7~5-8", [masks.BlockAttention("cross", 4, key, 3) for key in (6, 7)]),
        ("block.e.all.all.1-2", [masks.BlockAttention("encoder", 0, 1)]),
        (
            "lift.e_pad.20_raw.e_zero.c.1.1_block.d.1.2.3-1",
            [
                masks.LiftMask("encoder"),
                masks.PadSource(20),
                scale.Unscale("encoder"),
                AblateHead("cross", 0, 0),
                masks.BlockAttention("decoder", 2, 0, 0, 1),
            ],
        ),
    ],
)
def test_a_link_made_before_says_the_same_and_is_written_the_same(
    text: str, interventions: list[Intervention]
) -> None:
    assert read(text).interventions == tuple(interventions)
    assert write(interventions) == text
