from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from model.recording.history import as_bytes, load_history
from model.sites.sites import KINDS
from model.tokenizer import Tokenizer
from model.training.data.known_sentences import ENGLISH
from model.training.loop.moments import MOMENTS, Moments, moments_of, spaced
from model.training.settings import TrainingSettings
from model.transformer.transformer import Transformer
from model.translator import Translator


def test_moments_are_about_forty_from_first_to_last_and_spaced_by_powers(
    settings: TrainingSettings,
) -> None:
    for steps, pretrain in ((9000, 0), (12_000, 3000), (500, 100)):
        found = sorted(moments_of(replace(settings, steps=steps, pretrain=pretrain)))
        assert {0, 1, pretrain, steps} <= set(found)
        assert abs(len(found) - MOMENTS) <= 5
        later = [step - pretrain for step in found if step > pretrain + 20]
        ratios = [b / a for a, b in pairwise(later)]
        assert max(ratios) < 1.4
    assert moments_of(replace(settings, steps=3, pretrain=0)) == {0, 1, 2, 3}
    assert spaced(5, 5, 9) == set()


def test_the_history_is_what_a_translator_says_and_shows(
    translator: Translator, settings: TrainingSettings, tmp_path: Path
) -> None:
    settings = replace(settings, config=translator.config)
    moments = Moments(tmp_path / "history", translator.tokenizer, settings)
    moments.write(tmp_path)
    assert not (tmp_path / "history.npz").exists()
    moments.add(translator.model, 0, 9.0)
    moments.add(translator.model, 4, 2.5)
    moments.write(tmp_path)
    history = load_history(tmp_path)
    assert history.steps.tolist() == [0, 4]
    assert history.dev_loss.tolist() == [9.0, 2.5]
    assert [sentence.source for sentence in history.sentences] == [p.source for p in ENGLISH]
    for number, sentence in enumerate(history.sentences):
        recording = translator.record(sentence.source, sentence.target)
        assert list(sentence.source_tokens) == recording.source_tokens
        assert list(sentence.target_tokens) == recording.target_tokens
        assert len(recording.source_tokens) <= translator.config.max_length
        assert history.translations[1][number] == translator.translate(sentence.source).text
        for kind in KINDS:
            expected = as_bytes(recording.attention(kind))
            assert np.array_equal(history.attention(number, kind)[1], expected)


def test_moments_that_are_trained_again_are_forgotten(
    model: Transformer, tokenizer: Tokenizer, settings: TrainingSettings, tmp_path: Path
) -> None:
    settings = replace(settings, config=model.config)
    moments = Moments(tmp_path / "history", tokenizer, settings)
    for step in (0, 3, 9):
        moments.add(model, step, 1.0)
    moments.rewind(5)
    moments.write(tmp_path)
    assert load_history(tmp_path).steps.tolist() == [0, 3]
