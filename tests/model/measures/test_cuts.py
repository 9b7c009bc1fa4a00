"""Links cut and memory carried over: as the interventions do it, and as done by hand."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from model import Translator, load_translator
from model.interventions.masks import BlockAttention
from model.measures.cuts import (
    Change,
    CutSentence,
    Link,
    carry_over,
    changes,
    edits_when_changed,
    outcomes,
)
from model.recording.recording import record
from model.sites.sites import Kind
from model.sites.tap import Editor
from tests.sentences import TIRED_OR_WIDE

HEADS: tuple[tuple[Kind, int, int], ...] = (("cross", 4, 6), ("encoder", 5, 3))


@pytest.fixture(scope="module")
def translator() -> Translator:
    return load_translator("en-fr")


@pytest.fixture(scope="module")
def sides(translator: Translator) -> tuple[CutSentence, CutSentence]:
    """Both sentences up to il or elle: the cross link first, in one head and then in all."""
    found = []
    for text in (TIRED_OR_WIDE.first, TIRED_OR_WIDE.second):
        recording = translator.record(text)
        it, animal, street = (
            recording.source_tokens.index(piece) for piece in ("▁it", "▁animal", "▁street")
        )
        step = len(recording.target_ids) - 5
        everywhere = (
            Link("cross", (step, step), ((it, it),)),
            Link("encoder", (it, it), ((animal, animal), (street, street))),
        )
        alone = (
            replace(link, head=(layer, head))
            for link, (_kind, layer, head) in zip(everywhere, HEADS, strict=True)
        )
        links = (*alone, *everywhere)
        found.append(CutSentence(recording.source_ids, recording.target_ids, links, (it, it)))
    return found[0], found[1]


def test_every_combination_is_listed_bit_by_bit() -> None:
    assert changes(2, carries=True) == [
        Change(tuple(n + beyond for n in cut), carried)
        for beyond in (0, 2)
        for carried in (False, True)
        for cut in ((), (0,), (1,), (0, 1))
    ]
    assert changes(1, carries=False) == [Change(), Change((0,)), Change(), Change((1,))]


def test_a_link_forbids_all_its_pieces_in_all_heads() -> None:
    link = Link("encoder", (4, 5), ((1, 2), (7, 7)))
    assert set(link.forbidden()) == {
        BlockAttention("encoder", query, key) for query in (4, 5) for key in (1, 2, 7)
    }


def test_a_link_of_one_head_forbids_its_pieces_there_alone() -> None:
    link = Link("cross", (4, 4), ((1, 2),), (3, 5))
    assert set(link.forbidden()) == {BlockAttention("cross", 4, key, 3, 5) for key in (1, 2)}


@pytest.mark.parametrize("cut", [(), (0,), (1,), (2, 3)])
def test_cut_links_give_what_a_recording_under_the_interventions_gives(
    translator: Translator, sides: tuple[CutSentence, CutSentence], cut: tuple[int, ...]
) -> None:
    side, other = sides
    asked = changes(2, carries=True)
    found = outcomes(translator.model, side, other, asked, HEADS)[asked.index(Change(cut))]
    forbidden = [one for number in cut for one in side.links[number].forbidden()]
    ids = side.source_ids, side.target_ids
    source, target = (["x"] * len(one) for one in ids)
    recording = record(translator.network, *ids, source, target, forbidden)
    np.testing.assert_allclose(found.logits.numpy(), recording.logits, atol=2e-4)
    for (kind, layer, head), weights in zip(HEADS, found.weights, strict=True):
        expected = recording.attention(kind)[layer, head]
        np.testing.assert_allclose(weights.numpy(), expected, atol=1e-5)


@pytest.mark.parametrize("cut", [(), (0,), (1,)])
def test_memory_is_carried_over_as_by_hand(
    translator: Translator, sides: tuple[CutSentence, CutSentence], cut: tuple[int, ...]
) -> None:
    model, (side, other) = translator.model, sides
    with torch.inference_mode():
        memories = [
            model.encode(torch.tensor([one.source_ids]), Editor(one.edits(model, cut)))
            for one in sides
        ]
        memory, mask = memories[0]
        (it, _), (its, _) = side.carried or (0, 0), other.carried or (0, 0)
        swapped = torch.cat(
            [memory[:, :it], memories[1][0][:, its : its + 1], memory[:, it + 1 :]], dim=1
        )
        target = torch.tensor([side.target_ids])
        expected = model.decode(target, swapped, mask, Editor(side.edits(model, cut)))
        change = Change(cut, carried=True)
        (found,) = outcomes(model, side, other, [change], HEADS)
        edits = edits_when_changed(model, side, other, change)
        edited = model(torch.tensor([side.source_ids]), target, Editor(edits))
    torch.testing.assert_close(found.logits, expected[0], atol=2e-4, rtol=0)
    torch.testing.assert_close(edited, expected, atol=2e-4, rtol=0)


def test_what_cannot_be_carried_is_refused(
    translator: Translator, sides: tuple[CutSentence, CutSentence]
) -> None:
    side, other = sides
    bare = CutSentence(other.source_ids, other.target_ids, other.links)
    with pytest.raises(ValueError, match="nothing to carry over"):
        outcomes(translator.model, side, bare, [Change(carried=True)], HEADS)
    with pytest.raises(ValueError, match="2 vectors expected, got 1"):
        carry_over(torch.zeros(1, 4), (3, 4))
    memory = torch.zeros(1, 5, 4)
    put = carry_over(torch.ones(2, 4), (1, 2))(memory)
    assert put.sum(dim=-1).tolist() == [[0, 4, 4, 0, 0]]
    assert not memory.any()
