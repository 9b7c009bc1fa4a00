"""Which head decides, on made-up weights of which the answer can be read."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from model.checkpoints.examples import StoryPair
from model.measures.deciding import deciding_heads
from model.measures.swing import Swing
from model.recording.recording import Recording
from model.sites.sites import KINDS, Kind, attention_site
from model.transformer.config import ModelConfig

SOURCE = ("▁The", "▁cat", "▁left", "▁the", "▁garden", "▁as", "▁it", "▁was")
TARGET = ["<s>", "▁Le", "▁chat", "▁quitte", "▁le", "▁jardin", "▁car"]
CAT, GARDEN, IT = 1, 4, 6  # in the source
CHAT, JARDIN = 2, 5  # in the target
On = tuple[float, float]
"""The weights of a query on the two words."""

STORY = StoryPair("", "", "it", ("cat", "garden"), ("chat", "jardin"))


def side(config: ModelConfig, last: str, looks: dict[tuple[Kind, int, int], On]) -> Recording:
    """Record nothing: every query looks at the first key, but for those of some heads.

    `looks` are the weights of the deciding query on the two words, by kind, layer and head.
    """
    source = [*SOURCE, last]
    arrays: dict[str, np.ndarray] = {}
    for kind in KINDS:
        rows = len(source) if kind == "encoder" else len(TARGET)
        keys = len(TARGET) if kind == "decoder" else len(source)
        for layer in range(config.layers(kind)):
            weights = np.zeros((config.heads, rows, keys), np.float32)
            weights[..., 0] = 1
            arrays[attention_site(kind, layer, "weights")] = weights
    for (kind, layer, head), on in looks.items():
        row = arrays[attention_site(kind, layer, "weights")][head, IT if kind == "encoder" else -1]
        row[[CHAT, JARDIN] if kind == "decoder" else [CAT, GARDEN]] = on
    ids = tuple(range(len(source))), tuple(range(len(TARGET)))
    return Recording(config, *ids, source, TARGET, (), MappingProxyType(arrays))


@pytest.fixture
def sides(config: ModelConfig) -> tuple[Recording, Recording]:
    first: dict[tuple[Kind, int, int], On] = {
        ("encoder", 1, 2): (0.9, 0.0),
        ("encoder", 0, 1): (0.5, 0.0),
        ("cross", 2, 3): (0.6, 0.1),
        ("decoder", 0, 1): (0.5, 0.25),
    }
    second: dict[tuple[Kind, int, int], On] = {
        ("encoder", 1, 2): (0.1, 0.75),
        ("encoder", 0, 1): (0.5, 0.25),
        ("cross", 2, 3): (0.5, 0.2),
        ("decoder", 0, 1): (0.25, 0.5),
    }
    return side(config, "▁tired", first), side(config, "▁wet", second)


def test_each_kind_names_its_head_and_the_widest_comes_first(
    sides: tuple[Recording, Recording],
) -> None:
    found = deciding_heads(STORY, *sides)
    assert [(one.kind, one.layer, one.head) for one in found] == [
        ("encoder", 1, 2),
        ("decoder", 0, 1),
        ("cross", 2, 3),
    ]
    assert [one.moved for one in found] == pytest.approx([0.75, 0.25, 0.1])
    assert found[0].one == pytest.approx((0.9, 0.1))
    assert found[0].other == pytest.approx((0.0, 0.75))
    assert found[1] == Swing("decoder", 0, 1, (0.5, 0.25), (0.25, 0.5))


def test_a_kind_that_lacks_one_of_the_words_is_left_out(
    sides: tuple[Recording, Recording],
) -> None:
    def kinds(story: StoryPair) -> list[Kind]:
        return [one.kind for one in deciding_heads(story, *sides)]

    assert kinds(replace(STORY, asks="")) == ["decoder", "cross"]
    assert kinds(replace(STORY, asks="they")) == ["decoder", "cross"]
    assert kinds(replace(STORY, target=("chat", ""))) == ["encoder", "cross"]
    assert kinds(replace(STORY, target=("", ""))) == ["encoder", "cross"]
    assert kinds(replace(STORY, source=("dog", "garden"))) == ["decoder"]


def test_the_words_that_differ_may_decide_themselves(sides: tuple[Recording, Recording]) -> None:
    for one in sides:
        one["encoder.0.self_attn.weights"][3, IT, -1] = 0.5
    (found, *_others) = deciding_heads(
        replace(STORY, source=("tired", "wet"), target=("", "")), *sides
    )
    assert (found.kind, found.layer, found.head) == ("encoder", 0, 3)
    assert (found.one, found.other) == ((0.5, 0.0), (0.0, 0.5))


def test_a_word_in_no_sentence_is_named(sides: tuple[Recording, Recording]) -> None:
    story = StoryPair("", "", "", ("dog", "garden"))
    with pytest.raises(
        ValueError,
        match=r"^no word of the source asks in the encoder; no word 'dog' in: The cat .* tired; "
        r"no word of the translation decides$",
    ):
        deciding_heads(story, *sides)
