import itertools
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

import model
from model import (
    AblateHead,
    BlockAttention,
    Greedy,
    HideSource,
    LiftMask,
    Translator,
    load_translator,
)
from model.checkpoints.checkpoint import Checkpoint
from model.decoding.beam import Beam
from model.decoding.quick_decoder import QuickDecoder
from model.decoding.sampling import Sampling
from model.decoding.steps import Strategy
from model.interventions.base import Intervention
from model.results import Source
from model.tokenizer import Tokenizer
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from model.words import clean

SENTENCE = "The animal didn't cross the street because it was too tired."


def teacher_forced(translator: Translator, source: Source, ids: list[int]) -> torch.Tensor:
    """Score a whole translation in one pass: log-probabilities (T, V)."""
    target = torch.tensor([[translator.tokenizer.begin_id, *ids]])
    with torch.inference_mode():
        logits = translator.model(torch.tensor([source.ids]), target)  # 1 T V
    return logits[0].double().log_softmax(dim=-1)


def test_greedy_steps_are_the_argmax_of_one_teacher_forced_pass(translator: Translator) -> None:
    source = translator.source(SENTENCE)
    chosen = [choice.chosen for choice in translator.choices(source)]
    ids = [candidate.id for candidate in chosen]
    log_probs = teacher_forced(translator, source, ids[:-1])  # T V
    assert log_probs.argmax(dim=-1).tolist() == ids
    best = log_probs.max(dim=-1).values.numpy()
    np.testing.assert_allclose([candidate.log_prob for candidate in chosen], best, atol=1e-4)


def test_every_forced_prefix_is_scored_as_in_a_teacher_forced_pass(translator: Translator) -> None:
    source, forced = translator.source(SENTENCE), [50, 200, 7, 300]
    choices = list(translator.choices(source, forced=forced))
    assert [choice.chosen.id for choice in choices][:4] == forced
    assert [choice.forced for choice in choices[:5]] == [True] * 4 + [False]
    ids = [choice.chosen.id for choice in choices]
    log_probs = teacher_forced(translator, source, ids[:-1])  # T V
    for t, choice in enumerate(choices):
        assert choice.prefix == (translator.tokenizer.begin_id, *ids[:t])
        for candidate in (choice.chosen, *choice.alternatives):
            assert candidate.log_prob == pytest.approx(log_probs[t, candidate.id].item(), abs=1e-4)


def test_steps_show_pieces_with_their_probabilities(translator: Translator) -> None:
    steps = list(translator.steps(SENTENCE))
    assert steps[0].prefix == ("<s>",)
    for before, after in itertools.pairwise(steps):
        assert after.prefix == (*before.prefix, before.chosen.token)
    for step in steps:
        probabilities = [alternative.probability for alternative in step.alternatives]
        assert step.chosen == step.alternatives[0]
        assert len(probabilities) == 10
        assert probabilities == sorted(probabilities, reverse=True)
        assert 0 < sum(probabilities) <= 1
        assert step.chosen.token == translator.tokenizer.token(step.chosen.id)


def test_a_step_tells_its_draw_and_its_probability_to_the_last_digit(
    translator: Translator,
) -> None:
    source = translator.source("The cat sleeps.")
    choices = list(translator.choices(source, Sampling(seed=4)))
    steps = list(translator.steps(source.text, Sampling(seed=4)))
    assert [step.draw for step in steps] == [choice.draw for choice in choices]
    assert all(step.draw is not None for step in steps)
    for step, choice in zip(steps, choices, strict=True):
        exact = math.exp(choice.chosen.log_prob)
        assert step.chosen.probability == pytest.approx(exact, rel=1e-12)


@contextmanager
def decoder_passes(model: Transformer) -> Iterator[list[int]]:
    """Count how often the decoder runs, the quick one too."""
    seen: list[int] = []
    handle = model.decoder.register_forward_hook(lambda *_: seen.append(1))
    call = QuickDecoder.__call__

    def counted(self: QuickDecoder, prefixes: Tensor) -> Tensor:
        seen.append(1)
        return call(self, prefixes)

    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(QuickDecoder, "__call__", counted)
            yield seen
    finally:
        handle.remove()


@pytest.mark.parametrize(
    "interventions", [(), (AblateHead("encoder", 0, 1),), (AblateHead("cross", 0, 1),)]
)
def test_a_draft_saves_passes_wherever_it_is_given(
    translator: Translator, interventions: tuple[Intervention, ...]
) -> None:
    with decoder_passes(translator.model) as plain:
        found = translator.translate(SENTENCE, interventions=interventions)
    with decoder_passes(translator.model) as drafted:
        again = translator.translate(SENTENCE, interventions=interventions, draft=found.ids)
    assert again.ids == found.ids
    assert len(plain) >= len(found.ids) > 8
    assert len(drafted) <= 2


def test_a_change_that_looks_ahead_takes_no_draft(translator: Translator) -> None:
    """Every row would see the draft's later pieces, which nobody has written yet."""
    found = translator.translate(SENTENCE, interventions=[LiftMask("decoder")])
    draft = (*found.ids[:2], *range(60, 70))
    assert translator.translate(SENTENCE, None, [LiftMask("decoder")], draft) == found


def test_a_translation_is_what_its_steps_chose(translator: Translator) -> None:
    translation, steps = translator.translate(SENTENCE, Greedy()), list(translator.steps(SENTENCE))
    chosen = [step.chosen for step in steps if step.chosen.token != "</s>"]
    assert translation.ids == tuple(alternative.id for alternative in chosen)
    assert translation.tokens == tuple(alternative.token for alternative in chosen)
    assert translation.text == translator.tokenizer.decode(list(translation.ids))
    log_prob = sum(np.log(step.chosen.probability) for step in steps)
    assert translation.log_prob == pytest.approx(log_prob)


def test_a_recording_without_target_is_of_the_greedy_translation(translator: Translator) -> None:
    recording, translation = translator.record(SENTENCE), translator.translate(SENTENCE)
    assert recording.target_ids == (1, *translation.ids)
    assert recording.target_tokens == ["<s>", *translation.tokens]
    assert recording.source_tokens[-1] == "</s>"
    assert "".join(recording.source_tokens[:-1]).replace("▁", " ").strip() == SENTENCE
    chosen = [*translation.ids, 2][: len(recording.target_ids)]
    assert recording.logits.argmax(axis=-1)[:-1].tolist() == chosen[:-1]


def test_a_recording_with_a_target_is_of_that_text(translator: Translator) -> None:
    recording = translator.record("The cat sleeps.", "Le  chat\u200b dort.")
    assert translator.tokenizer.decode(list(recording.target_ids)) == "Le chat dort."
    length = len(recording.target_tokens)
    assert recording.attention("cross").shape == (3, 4, length, len(recording.source_tokens))
    assert recording.logits.shape == (length, 340)


def test_interventions_change_the_recording_but_not_what_was_translated(
    translator: Translator,
) -> None:
    wanted = (AblateHead("encoder", 0, 1), LiftMask("decoder"), BlockAttention("cross", 1, 2))
    plain, edited = translator.record(SENTENCE), translator.record(SENTENCE, None, wanted)
    assert edited.target_ids == plain.target_ids
    assert edited.interventions == wanted
    assert not np.allclose(edited.logits, plain.logits)
    np.testing.assert_array_equal(translator.record(SENTENCE).logits, plain.logits)


@pytest.mark.parametrize("text", ["", "   \n\t", "\x00\x07", "\u200b\u200e\ufeff", "\ud800"])
def test_nothing_to_translate_is_said(translator: Translator, text: str) -> None:
    for use in (translator.translate, translator.record, translator.source):
        with pytest.raises(ValueError, match="there is nothing to translate: the text is empty"):
            use(text)


@pytest.mark.parametrize(
    "text",
    [
        "\N{FOX FACE}",
        "动物",
        "مرحبا",
        "<script>alert(1)</script>",
        "a\x00b",
        "</s> <pad>",
        "?" * 99,
    ],
)
def test_any_other_text_is_translated(translator: Translator, text: str) -> None:
    assert np.isfinite(translator.translate(text).log_prob)
    assert np.isfinite(translator.record(text).logits).all()


def test_a_long_text_is_cut_at_the_limit(translator: Translator) -> None:
    source = translator.source("The cat sleeps. " * 300)
    assert source.cut
    assert len(source.ids) == len(source.tokens) == translator.max_tokens == 64
    assert source.ids[-1] == translator.tokenizer.end_id
    assert not translator.source(SENTENCE).cut
    recording = translator.record("The cat sleeps. " * 300, "Le chat dort. " * 300)
    assert (len(recording.source_ids), len(recording.target_ids)) == (64, 64)


def test_a_text_just_at_the_limit_is_not_cut(translator: Translator) -> None:
    assert not translator.source("?" * 62).cut
    assert len(translator.source("?" * 62).ids) == 64
    assert translator.source("?" * 63).cut


@pytest.mark.parametrize(
    ("positions", "most"), [(100, 100), (255, 128), (300, 150), (303, 151), (512, 256), (900, 256)]
)
def test_the_limit_follows_from_the_positions(
    tokenizer: Tokenizer, tmp_path: Path, positions: int, most: int
) -> None:
    sizes = ModelConfig(len(tokenizer), 8, 2, 8, 1, 1, max_length=positions)
    made = Translator(Checkpoint(tmp_path, Transformer(sizes), tokenizer, {}))
    assert made.max_tokens == most


@pytest.mark.parametrize(
    ("edits", "strategy"),
    [
        ((), Greedy()),
        ((AblateHead("cross", 0, 1),), Beam(3)),
        ((LiftMask("decoder"),), Sampling(2.0, seed=4)),
    ],
)
def test_a_run_is_translating_and_recording_in_one(
    translator: Translator, strategy: Strategy, edits: tuple[Intervention, ...]
) -> None:
    short = "The cat sleeps."  # with its translation below 60 pieces
    beyond = (BlockAttention("cross", 60, 0), HideSource(60, 61))
    plain = translator.run(short)
    for near in (None, plain, translator.run(short, edits)):
        found = translator.run(short, (*edits, *beyond), strategy, near=near)
        assert found.translation.ids == translator.translate(short, strategy, edits).ids
        assert found.left_out == tuple(reversed(beyond))
        assert found.recording.interventions == edits
        expected = translator.record(short, found.translation, edits)
        np.testing.assert_array_equal(found.recording.logits, expected.logits)
        chosen = [one.chosen.id for one in found.choices]
        assert tuple(id_ for id_ in chosen if id_ != 2) == found.translation.ids
        assert (found.tree is not None) == isinstance(strategy, Beam)


def test_a_run_that_is_known_is_not_computed_again(translator: Translator) -> None:
    first = translator.run(SENTENCE)
    asked: list[tuple[int, int]] = []
    again = translator.run(
        first.source, near=first, progress=lambda done, all_: asked.append((done, all_))
    )
    assert again.recording is first.recording
    assert asked == []
    forced = (*first.translation.ids[:1], 7)
    other = translator.run(
        first.source,
        forced=forced,
        steps=3,
        near=first,
        progress=lambda done, all_: asked.append((done, all_)),
    )
    assert [one.chosen.id for one in other.choices][:2] == list(forced)
    assert len(other.choices) == 3
    assert asked == [(number, len(first.source.ids)) for number in (1, 2, 3)]


def test_nothing_to_force_is_said(translator: Translator) -> None:
    with pytest.raises(ValueError, match=r"^there is nothing to force: the text is empty$"):
        translator.forced_ids("  ")


def test_many_texts_are_translated_at_once_as_each_alone(translator: Translator) -> None:
    texts = [SENTENCE, "The cat sleeps.", "?", "My sister loves summer. " * 30, "It is."]
    alone = [translator.translate(text) for text in texts]
    together = translator.translate_all(texts, batch=2)
    assert [one.ids for one in together] == [one.ids for one in alone]
    assert [one.text for one in together] == [one.text for one in alone]
    for one, other in zip(together, alone, strict=True):
        assert one.log_prob == pytest.approx(other.log_prob, abs=1e-3)
    with pytest.raises(ValueError, match="the text is empty"):
        translator.translate_all(["It is.", ""])


def test_a_function_of_one_s_own_changes_a_site_in_a_recording_and_a_translation(
    translator: Translator,
) -> None:
    def louder(out: torch.Tensor) -> torch.Tensor:
        out[:, 2] *= 3  # it may write into what it gets
        return out

    site, plain = "encoder.1.ffn.out", translator.record(SENTENCE)
    changed = translator.record(SENTENCE, edits={site: louder})
    expected = plain[site].copy()
    expected[2] *= 3
    np.testing.assert_allclose(changed[site], expected, rtol=1e-6)
    assert changed.target_ids == plain.target_ids
    assert not np.allclose(changed.logits, plain.logits)
    np.testing.assert_array_equal(translator.record(SENTENCE).logits, plain.logits)

    never = {"decoder.logits": lambda logits: logits.index_fill(-1, torch.tensor([2]), 99)}
    assert translator.translate(SENTENCE, edits=never).ids == ()
    off = (AblateHead("encoder", 1, 0), BlockAttention("cross", 0, 1))
    both = translator.record(SENTENCE, plain.target_ids[1:], off, edits={site: louder})
    under = translator.record(SENTENCE, plain.target_ids[1:], off)
    np.testing.assert_allclose(both[site][2], 3 * under[site][2], rtol=1e-6)
    z = {"encoder.1.self_attn.z": lambda z: z + 1}  # after the intervention at the same site
    both = translator.record(SENTENCE, plain.target_ids[1:], off, edits=z)
    np.testing.assert_array_equal(both["encoder.1.self_attn.z"][0], 1)


def test_a_function_that_fits_no_site_is_refused(translator: Translator) -> None:
    near = {"encoder.1.fnn.out": torch.neg}
    with pytest.raises(ValueError, match=r"no site '.*fnn.out'; did you mean 'encoder.1.ffn.out'"):
        translator.record(SENTENCE, edits=near)
    with pytest.raises(ValueError, match="there is no site"):
        translator.translate(SENTENCE, edits=near)
    for wrong, said in ((lambda _: None, "NoneType"), (lambda x: x[0], r"\(\d+, 48\)")):
        with pytest.raises(ValueError, match=rf"encoder.1.ffn.out: .* tensor .*, not {said}$"):
            translator.record(SENTENCE, edits={"encoder.1.ffn.out": wrong})  # pyrefly: ignore[bad-assignment]


def test_sums_that_a_function_broke_are_refused_and_others_stay_exact(
    translator: Translator,
) -> None:
    kept = translator.record(SENTENCE, edits={"encoder.1.ffn.hidden": torch.neg})
    parts = kept.score_parts("cross", 1, 2, 3, 4)
    assert parts.total == pytest.approx(kept.part("cross", 1, "scores")[2, 3, 4], abs=1e-4)
    broken = translator.record(SENTENCE, edits={"encoder.0.norm2": torch.neg})
    with pytest.raises(ValueError, match=r"no exact parts: a function has changed 'encoder.0.norm"):
        broken.score_parts("cross", 1, 2, 3, 4)


def test_the_shipped_model_is_the_one_without_a_name() -> None:
    assert load_translator().folder.name == "en-fr"


def test_a_text_is_cleaned() -> None:
    assert clean(" a\u00a0b\r\n\tc\x00\u200d\u202ed\ue000 ") == "a b cd\ue000"
    assert clean("l\u2019\N{FOX FACE}") == "l\u2019\N{FOX FACE}"


def test_decoding_leaves_no_mode_switched_on_between_its_steps(translator: Translator) -> None:
    steps = translator.steps(SENTENCE)
    next(steps)
    assert not torch.is_inference_mode_enabled()
    assert torch.is_grad_enabled()


def test_threads_can_share_a_translator(translator: Translator) -> None:
    texts = [SENTENCE, "The cat sleeps.", "My sister loves summer."]
    expected = [translator.translate(text) for text in texts]
    found: list[list[object]] = [[], [], []]
    start = threading.Barrier(3)

    def work(number: int) -> None:
        start.wait(timeout=60)
        found[number] += [translator.translate(texts[number]) for _ in range(5)]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert found == [[one] * 5 for one in expected]


def test_the_public_names_are_there() -> None:
    names = {"load_translator", "AblateHead", "LiftMask", "BlockAttention", "Greedy", "Recording"}
    assert names <= set(model.__all__)
    assert all(hasattr(model, name) for name in model.__all__)
