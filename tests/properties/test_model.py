"""Tokenizer, masks and interventions keep their promises for input that nobody thought of."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model import AblateHead, Intervention, LiftMask, Translator
from model.interventions.masks import BlockAttention, HideSource, PadSource
from model.interventions.positions import ScalePositions, ShiftPositions
from model.sites.sites import KINDS, STACKS
from model.tokenizer import Tokenizer
from model.words import WORD_START

SENTENCE, TARGET = "The cat sleeps.", "Le chat dort."
FEW = settings(max_examples=25)


@given(st.text(max_size=40))
def test_the_pieces_of_any_text_cover_it_in_order(tokenizer: Tokenizer, text: str) -> None:
    pieces = tokenizer.pieces(text)
    assert [piece.id for piece in pieces] == tokenizer.encode(text)
    assert all(piece.surface == text[piece.start : piece.end] for piece in pieces)
    starts = [piece.start for piece in pieces]
    assert starts == sorted(starts)
    assert all(0 <= piece.start <= piece.end <= len(text) for piece in pieces)


@given(st.text(max_size=40))
def test_what_was_decoded_once_stays_as_it_is(tokenizer: Tokenizer, text: str) -> None:
    once = tokenizer.decode(tokenizer.encode(text))
    assert tokenizer.decode(tokenizer.encode(once)) == once


@given(st.lists(st.integers(0, 300), max_size=20))
def test_any_pieces_can_be_named_and_looked_up_again(tokenizer: Tokenizer, ids: list[int]) -> None:
    names = tokenizer.tokens(ids)
    assert [tokenizer.id(name) for name in names] == ids
    assert WORD_START not in tokenizer.decode(ids)


def interventions() -> st.SearchStrategy[Intervention]:
    """Make interventions up that fit the tiny model, or nearly so."""
    kind, layer, head, place = st.sampled_from(KINDS), *(st.integers(0, most) for most in (3, 4, 9))
    stack = st.sampled_from(STACKS)
    return st.one_of(
        st.builds(AblateHead, kind, layer, head, st.sampled_from(("zero", "mean", "uniform"))),
        st.builds(LiftMask, kind),
        st.builds(BlockAttention, kind, place, place, st.none() | layer, st.none() | head),
        st.builds(HideSource, place, place),
        st.builds(PadSource, st.integers(0, 20)),
        st.builds(ScalePositions, stack, st.floats(-2, 2)),
        st.builds(ShiftPositions, stack, st.integers(-9, 9)),
    )


@FEW
@given(st.lists(interventions(), max_size=5))
def test_whatever_is_changed_weights_are_shares_or_it_is_refused(
    translator: Translator, changes: list[Intervention]
) -> None:
    try:
        recording = translator.record(SENTENCE, TARGET, changes)
    except ValueError:
        return
    off = [one.kind for one in changes if isinstance(one, AblateHead)]
    for kind in KINDS:
        weights = recording.attention(kind)
        assert np.isfinite(weights).all()
        assert (weights >= 0).all()
        sums = weights.sum(axis=-1)
        assert np.allclose(sums, 1, atol=1e-5) or kind in off
    assert np.isfinite(recording.logits).all()


@FEW
@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12))
def test_a_forbidden_link_has_no_weight_and_the_others_share_it(
    translator: Translator, links: set[tuple[int, int]]
) -> None:
    free = translator.record(SENTENCE, TARGET)
    allowed = np.ones(free.attention("encoder").shape[-2:], dtype=bool)
    for query, key in links:
        if query < len(allowed) and key < len(allowed):
            allowed[query, key] = False
    changes = [BlockAttention("encoder", query, key, 0) for query, key in links]
    if not allowed.any(axis=1).all():
        with pytest.raises(ValueError, match="look at"):
            translator.record(SENTENCE, TARGET, changes)
        return
    fitting = [one for one in changes if max(one.query, one.key) < len(allowed)]
    found = translator.record(SENTENCE, TARGET, fitting).attention("encoder")[0]  # H S S
    assert (found[:, ~allowed] == 0).all()
    expected = np.where(allowed, free.attention("encoder")[0], 0)
    assert np.allclose(found, expected / expected.sum(axis=-1, keepdims=True), atol=1e-5)


@FEW
@given(st.lists(st.integers(4, 300), min_size=1, max_size=12), st.integers(4, 300))
def test_what_comes_later_changes_nothing_before(
    translator: Translator, ids: list[int], last: int
) -> None:
    """The look-ahead mask, seen from outside."""
    text = translator.tokenizer.decode(ids) or "chat"
    first = translator.record(SENTENCE, text)
    longer = translator.record(SENTENCE, f"{text} {translator.tokenizer.decode([last])}")
    same = 0
    for one, other in zip(first.target_ids, longer.target_ids, strict=False):
        if one != other:
            break
        same += 1
    assert same >= 1
    assert np.allclose(first.logits[:same], longer.logits[:same], atol=1e-4)
