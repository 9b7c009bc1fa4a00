"""Every kind of intervention is said in every language."""

import re
from dataclasses import replace

import pytest

from model.interventions.attention import SetAttention, TurnAttention
from model.interventions.base import Intervention
from model.interventions.heads import AblateHead
from model.interventions.link_text import groups
from model.interventions.masks import BlockAttention, HideSource
from model.interventions.table import INTERVENTIONS
from tests.model.interventions.samples import CONFIG, SAMPLES, SOURCE_TOKENS
from viz.language.text import ENGLISH, languages, using
from viz.shell.intervention_words import group_words

TOGETHER: list[tuple[list[Intervention], str]] = [
    ([AblateHead("cross", 1, 0)], "cross 2.1: off (zero output)"),
    (
        [AblateHead("cross", 1, head) for head in (0, 1)],
        "all heads of cross layer 2: off (zero output)",
    ),
    ([AblateHead("cross", n, 1) for n in (0, 1)], "cross head 2: off (zero output)"),
    (
        [AblateHead("encoder", n, head, "mean") for n in (0, 1) for head in (0, 1)],
        "all encoder heads: off (mean output)",
    ),
    ([BlockAttention("cross", 1, 2)], "cross: step 2 → “ins” forbidden"),
    ([BlockAttention("cross", 1, 2, 0)], "cross layer 1: step 2 → “ins” forbidden"),
    ([BlockAttention("cross", 1, 2, 0, 1)], "cross 1.2: step 2 → “ins” forbidden"),
    ([BlockAttention("cross", 1, key, 0, 1) for key in (0, 1)], "cross 1.2: 2 links forbidden"),
    ([BlockAttention("encoder", 3, 0, 0, 1)], "encoder 1.2: “.” → “It” forbidden"),
    ([BlockAttention("decoder", 3, 0)], "decoder: step 4 → 1 forbidden"),
    (
        [SetAttention("encoder", 0, 1, 3, (0.1, 0, 0.9, 0))],
        "encoder 1.2: “.” looks as set, most at “ins”",
    ),
    (
        [SetAttention("encoder", 0, 1, 3, (0.25, 0.25, 0.2498, 0.2502))],
        "encoder 1.2: “.” looks at all keys alike",
    ),
    (
        [SetAttention("cross", 0, 1, 1, (1, 0, 0, 0))],
        "cross 1.2: step 2 looks as set, most at “It”",
    ),
    ([SetAttention("decoder", 0, 1, 1, (1, 0))], "decoder 1.2: step 2 looks as set, most at 1"),
    ([TurnAttention("encoder", 0, (3,))], "encoder, all heads: “It” looks at “.”"),
    ([TurnAttention("encoder", 0, (1, 2), ((1, 0),))], "encoder 2.1: “It” looks at “rains”"),
    (
        [TurnAttention("cross", 1, (0,), ((0, None), (1, None)))],
        "cross, all heads: step 2 looks at “It”",
    ),
    ([TurnAttention("cross", 1, (0, 2), ((1, None),))], "cross layer 2: step 2 looks at 1, 3"),
    (
        [TurnAttention("decoder", 1, (0, 1), ((0, 1), (1, None)))],
        "decoder, some heads: step 2 looks at 1, 2",
    ),
    ([HideSource(1, 2)], "“rains” masked out"),
    ([HideSource(7, 8)], "“8-9” masked out"),
]
"""Interventions that make one chip, and what it says."""


def words(*interventions: Intervention, language: str = ENGLISH) -> list[str]:
    with using(language):
        return [group_words(group, CONFIG, SOURCE_TOKENS) for group in groups(interventions)]


@pytest.mark.parametrize("kind", INTERVENTIONS, ids=lambda kind: kind.__name__)
def test_every_kind_is_said_in_every_language(kind: type[Intervention]) -> None:
    for sample in SAMPLES[kind]:
        said = {
            language: words(*sample.interventions, language=language) for language in languages()
        }
        for texts in said.values():
            assert all(texts)
            assert not re.search(r"[{}]|Message", "".join(texts))
        quoted = "“[^”]*”"  # words of the sentences
        assert not re.search(r"[a-z]{2}", re.sub(quoted, "", "".join(said["zh"])))


@pytest.mark.parametrize(("interventions", "said"), TOGETHER)
def test_what_belongs_together_is_said_at_once(
    interventions: list[Intervention], said: str
) -> None:
    assert words(*interventions) == [said]


def test_layers_that_turn_are_numbered() -> None:
    turned = TurnAttention("cross", 1, (0,), ((1, None), (2, None)))
    larger = replace(CONFIG, decoder_layers=4)
    assert group_words((turned,), larger, SOURCE_TOKENS) == (
        "cross layers 2, 3: step 2 looks at “It”"
    )


def test_layers_and_heads_are_numbered_where_neither_are_all() -> None:
    group = tuple(AblateHead("cross", layer, head) for layer in (0, 2) for head in (1, 3))
    larger = replace(CONFIG, heads=4, decoder_layers=4)
    assert group_words(group, larger, ()) == "cross layers 1, 3 heads 2, 4: off (zero output)"
