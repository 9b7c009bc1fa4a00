"""One matrix for queries and keys: how it is chosen, and what is measured of it."""

import numpy as np
import pytest
import torch

from model.interventions.base import Intervention
from model.interventions.masks import LiftMask
from model.interventions.sharing import TieQueries
from model.recording.recording import Recording, record
from model.sites.sites import STACKS, Stack
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from viz.pages.lab_scale import tying

CONFIG = ModelConfig(vocab_size=9, d_model=8, heads=2, d_ff=6, encoder_layers=2, decoder_layers=2)
SOURCE, TARGET = ["▁a", "▁b", "▁c", "▁d", "</s>"], ["<s>", "▁e", "▁f"]


def recorded(*interventions: Intervention) -> Recording:
    torch.manual_seed(0)
    model = Transformer(CONFIG).eval().requires_grad_(False)
    return record(model, (3, 4, 5, 6, 2), (1, 6, 7), SOURCE, TARGET, interventions)


def test_a_stack_is_tied_in_one_way_or_none() -> None:
    others = (LiftMask("decoder"), TieQueries("decoder", values=True))
    both = (*others, TieQueries("encoder"))
    assert [tying.tied(both, stack) for stack in STACKS] == ["qk", "qkv"]
    assert tying.tied(others, "encoder") == "apart"


@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("values", [False, True])
def test_scores_are_the_same_there_and_back(stack: Stack, values: bool) -> None:
    before, after = recorded(), recorded(TieQueries(stack, values))
    assert tying.looks(before, stack).unlike > 0.1
    assert tying.looks(after, stack).unlike < 1e-6
    scores = tying.all_scores(after, stack)
    np.testing.assert_allclose(scores, scores.swapaxes(-1, -2), atol=1e-6)
    assert (np.diagonal(scores, axis1=-2, axis2=-1) >= 0).all()
    assert tying.largest_error(after, stack) < 1e-6
    assert tying.largest_error(before, stack) > 1e-3


def test_what_a_piece_gives_itself_is_counted_from_the_weights() -> None:
    recording = recorded()
    weights = recording.attention("encoder")
    own = [
        (weights[layer, head, place, place], weights[layer, head, place].max())
        for layer in range(2)
        for head in range(2)
        for place in range(5)
    ]
    found = tying.looks(recording, "encoder")
    assert found.own == pytest.approx(np.mean([each for each, _ in own]))
    assert found.mostly_own == np.mean([each == most for each, most in own])


def test_the_picture_opens_on_the_head_whose_scores_differ_most() -> None:
    recording = recorded()
    head = tying.most_unlike(recording, "encoder")
    apart = {
        (layer, number): np.abs(scores - scores.T).sum() / np.abs(scores).sum()
        for layer, heads in enumerate(tying.all_scores(recording, "encoder"))
        for number, scores in enumerate(heads)
    }
    assert (head.layer, head.head) == max(apart, key=lambda place: apart[place])
