"""Interventions in recordings and in translations: what they leave alone and what they refuse."""

import numpy as np
import pytest
import torch

from model.interventions.base import Intervention, Lengths, UnreachableQuery
from model.interventions.compiled import canonical, compiled, sizes_for
from model.interventions.heads import AblateHead
from model.interventions.masks import (
    BlockAttention,
    HideSource,
    InvertMask,
    LiftMask,
    PadSource,
    Window,
)
from model.interventions.positions import ScalePositions, ShiftPositions, ShufflePositions
from model.interventions.prepare import prepare
from model.interventions.scale import Unscale
from model.interventions.unreachable import unreachable_query
from model.recording.recording import Recording, record
from model.sites.sites import KINDS, Kind, attention_site
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from model.translator import Translator

SOURCE, TARGET = (40, 41, 42, 43, 44, 45, 2), (1, 60, 61, 62)
SENTENCE = "My sister crossed the river."


def run(model: Transformer, *interventions: Intervention) -> Recording:
    return record(model, SOURCE, TARGET, ["s"] * 7, ["t"] * 4, interventions)


@pytest.fixture(scope="module")
def plain(model: Transformer) -> Recording:
    return run(model)


@pytest.mark.parametrize("kind", ["encoder", "cross"])
def test_lifting_a_mask_that_hides_nothing_changes_nothing(
    model: Transformer, plain: Recording, kind: Kind
) -> None:
    lifted = run(model, LiftMask(kind))
    for site in plain.sites():
        np.testing.assert_array_equal(lifted[site.name], plain[site.name])


@pytest.mark.parametrize("kind", KINDS)
def test_switching_off_all_heads_leaves_exactly_the_bias_in_the_residual(
    model: Transformer, config: ModelConfig, kind: Kind
) -> None:
    off = run(model, *(AblateHead(kind, 1, head) for head in range(config.heads)))
    out = attention_site(kind, 1, "out")
    stack, sublayer = ("encoder" if kind == "encoder" else "decoder"), out.split(".")[2]
    bias = model.get_parameter(f"{stack}.layers.1.{sublayer}.out.bias").numpy()
    np.testing.assert_array_equal(off[out], np.broadcast_to(bias, off[out].shape))
    before, after = {
        "encoder": ("encoder.0.norm2", "norm1"),
        "decoder": ("decoder.0.norm3", "norm1"),
        "cross": ("decoder.1.norm1", "norm2"),
    }[kind]
    residual = off[before] + bias
    centred = residual - residual.mean(axis=-1, keepdims=True)
    expected = centred / np.sqrt(residual.var(axis=-1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(off[f"{stack}.1.{after}"], expected, atol=1e-5)


@pytest.mark.parametrize("length", [8, 12, 40])
def test_padding_under_its_mask_leaves_every_logit(
    model: Transformer, plain: Recording, length: int
) -> None:
    padded = run(model, PadSource(length))
    np.testing.assert_allclose(padded.logits, plain.logits, atol=1e-5)
    assert padded.source_tokens == ["s"] * 7 + ["<pad>"] * (length - 7)
    assert len(padded.source_ids) == length
    assert not padded.attention("cross")[..., 7:].any()
    assert not padded.attention("encoder")[..., 7:].any()


def test_padding_without_its_mask_is_looked_at(model: Transformer, plain: Recording) -> None:
    unmasked = run(model, PadSource(12), LiftMask("encoder"), LiftMask("cross"))
    assert (unmasked.attention("encoder")[..., 7:] > 0).all()
    assert (unmasked.attention("cross")[..., 7:] > 0).all()
    assert not np.allclose(unmasked.logits, plain.logits, atol=1e-3)


def test_a_source_that_is_long_enough_is_not_padded(model: Transformer, plain: Recording) -> None:
    np.testing.assert_array_equal(run(model, PadSource(5)).logits, plain.logits)


def test_a_hidden_word_is_seen_by_nobody(model: Transformer) -> None:
    hidden = run(model, HideSource(2, 3))
    for kind in ("encoder", "cross"):
        weights = hidden.attention(kind)
        assert not weights[..., 2:4].any()
        np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-6)


def test_the_mean_of_a_decoder_head_does_not_look_ahead(model: Transformer) -> None:
    mean = AblateHead("decoder", 0, 1, "mean")
    longer = run(model, mean).logits
    shorter = record(model, SOURCE, TARGET[:2], ["s"] * 7, ["t"] * 2, [mean]).logits
    np.testing.assert_allclose(longer[:2], shorter, atol=1e-5)


def test_what_undoes_others_comes_first_and_nothing_twice() -> None:
    hide, lift = HideSource(0, 0), LiftMask("cross")
    scale, shift = ScalePositions("encoder", 0.5), ShiftPositions("encoder", 2)
    assert canonical([hide, lift, hide]) == (lift, hide)
    window = Window("encoder", 3)
    assert canonical([scale, hide, shift]) == (shift, scale, hide)
    assert canonical([hide, window, lift]) == (lift, window, hide)


def test_what_is_hidden_stays_hidden_in_a_window(model: Transformer, config: ModelConfig) -> None:
    window, hide = Window("encoder", 3), HideSource(1, 1)
    mask = run(model, hide, window)["encoder.mask"]
    near = np.abs(np.subtract.outer(np.arange(7), np.arange(7))) <= 1
    near[:, 1] = False
    np.testing.assert_array_equal(mask, near)
    alone = [Window("encoder", 1), hide]
    assert unreachable(list(alone), config) == UnreachableQuery("encoder", 0, 0, 1)


def test_the_smaller_of_two_windows_holds(model: Transformer) -> None:
    both = run(model, Window("decoder", 1), Window("decoder", 5)).logits
    np.testing.assert_array_equal(both, run(model, Window("decoder", 1)).logits)


def unreachable(interventions: list[Intervention], config: ModelConfig) -> UnreachableQuery | None:
    sizes = sizes_for(interventions, config, Lengths(7, 4))
    return unreachable_query(compiled(interventions, sizes))


@pytest.mark.parametrize(
    ("interventions", "row"),
    [
        ([BlockAttention("decoder", 0, 0)], UnreachableQuery("decoder", 0, 0, 0)),
        (
            [HideSource(0, 5), BlockAttention("cross", 0, 6, 1, 3)],
            UnreachableQuery("cross", 1, 3, 0),
        ),
        (
            [BlockAttention("decoder", 1, key, 2, 3) for key in (0, 1)],
            UnreachableQuery("decoder", 2, 3, 1),
        ),
        ([HideSource(0, 6)], UnreachableQuery("encoder", 0, 0, 0)),
        (
            [HideSource(0, 5), BlockAttention("cross", 2, 6, 1, None)],
            UnreachableQuery("cross", 1, 0, 2),
        ),
        (
            [PadSource(9), *(BlockAttention("encoder", 8, key, 1, 2) for key in range(7))],
            UnreachableQuery("encoder", 1, 2, 8),
        ),
    ],
)
def test_a_query_left_with_nothing_is_found_before_the_model_runs(
    model: Transformer, interventions: list[Intervention], row: UnreachableQuery
) -> None:
    assert unreachable(interventions, model.config) == row
    named = f"query {row.query + 1} of {row.kind} {row.layer + 1}.{row.head + 1}"
    with pytest.raises(ValueError, match=f"on screen, {named}$"):
        run(model, *interventions)


@pytest.mark.parametrize(
    "interventions",
    [
        [LiftMask("decoder"), BlockAttention("decoder", 0, 0)],
        [InvertMask()],
        [Window("decoder", 3)],
        [PadSource(9), LiftMask("cross"), HideSource(0, 6), LiftMask("encoder")],
        [HideSource(0, 5)],
        [BlockAttention("cross", 0, key) for key in range(6)],
    ],
)
def test_a_query_with_one_key_left_runs(
    model: Transformer, interventions: list[Intervention]
) -> None:
    assert unreachable(interventions, model.config) is None
    assert np.isfinite(run(model, *interventions).logits).all()


@pytest.mark.parametrize(
    ("intervention", "message"),
    [
        (HideSource(3, 2), "no pieces 3 to 2, from 0, or 4 to 3 on screen: the source has 7"),
        (HideSource(2, 7), "no pieces 2 to 7, .*: the source has 7"),
        (HideSource(-1, 2), "no pieces -1 to 2"),
        (PadSource(65), "length must be 1 to 64, not 65"),
        (PadSource(0), "length must be 1 to 64, not 0"),
    ],
)
def test_what_does_not_exist_is_refused(
    model: Transformer, intervention: Intervention, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        run(model, intervention)


@pytest.mark.parametrize(
    "interventions",
    [
        [AblateHead("encoder", 0, 1)],
        [AblateHead("cross", 1, 1, "mean"), Unscale("decoder")],
        [AblateHead("decoder", 2, 0, "mean"), HideSource(1, 2)],
        [PadSource(20), LiftMask("encoder"), LiftMask("cross")],
        [BlockAttention("cross", 3, 1), BlockAttention("decoder", 2, 1, 0, 1)],
    ],
)
def test_a_translation_under_interventions_is_what_its_recording_says(
    translator: Translator, interventions: list[Intervention]
) -> None:
    translation = translator.translate(SENTENCE, interventions=interventions)
    assert len(translation.ids) > 4
    recording = translator.record(SENTENCE, translation, interventions)
    chosen = recording.logits[: len(translation.ids)].argmax(axis=-1)
    assert tuple(chosen.tolist()) == translation.ids


@pytest.mark.parametrize(
    "interventions",
    [
        [AblateHead("cross", 1, 1)],
        [AblateHead("decoder", 1, 1, "mean"), BlockAttention("cross", 3, 1)],
        [LiftMask("decoder")],
        [ShufflePositions("decoder", 3)],
        [AblateHead("encoder", 0, 0)],
    ],
)
def test_a_draft_changes_nothing_but_the_time(
    translator: Translator, interventions: list[Intervention]
) -> None:
    expected = translator.translate(SENTENCE, interventions=interventions)
    for draft in (expected.ids, translator.translate(SENTENCE).ids, expected.ids[:2]):
        found = translator.translate(SENTENCE, interventions=interventions, draft=draft)
        assert found.ids == expected.ids
        assert found.log_prob == pytest.approx(expected.log_prob, abs=1e-4)


@pytest.mark.parametrize("stack", ["encoder", "cross"])
def test_every_step_is_scored_with_the_change(translator: Translator, stack: Kind) -> None:
    change = [AblateHead(stack, 1, head) for head in range(4)]
    choices = list(translator.choices(translator.source(SENTENCE), interventions=change))
    found = translator.translation(choices)
    logits = translator.record(SENTENCE, found, change).logits
    log_probs = torch.tensor(logits).double().log_softmax(dim=-1)
    for row, choice in enumerate(choices):
        expected = float(log_probs[row, choice.chosen.id])
        assert choice.chosen.log_prob == pytest.approx(expected, abs=1e-4)
    assert np.abs(translator.record(SENTENCE, found).logits - logits).max() > 1e-2


def test_without_interventions_the_translation_is_the_plain_one(translator: Translator) -> None:
    padded = translator.translate(SENTENCE, interventions=[PadSource(20)])
    assert padded.ids == translator.translate(SENTENCE).ids


def test_a_link_of_a_query_that_is_not_written_yet_does_nothing_yet(
    translator: Translator,
) -> None:
    blocked = [BlockAttention("cross", 4, 1)]
    plain = list(translator.steps(SENTENCE))
    edited = list(translator.steps(SENTENCE, interventions=blocked))
    for before, after in zip(plain[:4], edited[:4], strict=True):
        assert before.chosen.token == after.chosen.token
        assert before.chosen.probability == pytest.approx(after.chosen.probability, rel=1e-4)
    before, after = plain[4].chosen.probability, edited[4].chosen.probability
    assert before != pytest.approx(after, rel=1e-4)


def test_a_position_beyond_the_final_sentence_is_refused(translator: Translator) -> None:
    translation = translator.translate(SENTENCE)
    beyond = BlockAttention("cross", len(translation.ids) + 1, 0)
    assert translator.translate(SENTENCE, interventions=[beyond]).ids == translation.ids
    with pytest.raises(ValueError, match="query must be 0 to"):
        translator.record(SENTENCE, translation, [beyond])
    with pytest.raises(ValueError, match="query must be 0 to"):
        translator.translate(SENTENCE, interventions=[BlockAttention("encoder", 40, 0)])


def test_a_translation_that_would_look_at_nothing_is_refused(translator: Translator) -> None:
    with pytest.raises(ValueError, match="leave a query without any key"):
        translator.translate(SENTENCE, interventions=[BlockAttention("decoder", 0, 0)])


def test_positions_are_checked_only_where_the_lengths_are_known(config: ModelConfig) -> None:
    link = BlockAttention("cross", 30, 0)
    assert prepare([link], config)
    with pytest.raises(ValueError, match="query must be 0 to 3, not 30;"):
        prepare([link], config, Lengths(7, 4))
