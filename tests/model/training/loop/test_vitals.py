import numpy as np
import pytest
import torch

from model.tokenizer import Tokenizer
from model.training.data.pairs import Pair
from model.training.data.places import find_nouns
from model.training.generated.coreference import CoreferencePair
from model.training.loop.vitals import Watch
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from model.translator import Translator
from model.words import is_punctuation

PRONOUNS = [
    CoreferencePair(
        f"The {noun} left the street because it was tired.",
        "Le chat a quitté la rue parce qu'il était fatigué.",
        "leave",
        "first",
        noun,
        "street",
        "m",
        "tired",
    )
    for noun in ("cat", "teacher")
]


def hidden_of(translator: Translator, pair: Pair, stack: str, layer: int) -> np.ndarray:
    recording = translator.record(pair.source, pair.target)
    return recording[f"{stack}.{layer}.ffn.hidden"]


def test_units_are_counted_over_all_tokens_of_all_sentences(
    translator: Translator, pairs: list[Pair]
) -> None:
    some = pairs[:9]
    vitals = Watch(translator.tokenizer, some, PRONOUNS).measure(translator.model)
    for stack, units in (("encoder", vitals.encoder), ("decoder", vitals.decoder)):
        for layer, live in enumerate(units.live):
            above = np.concatenate([hidden_of(translator, p, stack, layer) for p in some]) > 0
            assert live == pytest.approx(above.mean())
            assert units.none[layer] == pytest.approx((~above.any(1)).mean())
            assert units.ever[layer] == pytest.approx(above.any(0).mean())


def test_heads_are_scored_as_on_recordings_one_by_one(
    translator: Translator, pairs: list[Pair]
) -> None:
    some = pairs[:9]
    vitals = Watch(translator.tokenizer, some, PRONOUNS).measure(translator.model)
    recordings = [translator.record(pair.source, pair.target) for pair in some]
    weights = [recording.attention("encoder") for recording in recordings]
    before = [np.diagonal(w, -1, axis1=2, axis2=3).sum(-1) for w in weights]
    queries = sum(w.shape[2] - 1 for w in weights)
    assert vitals.scores["previous"] == pytest.approx(sum(before) / queries, abs=1e-5)
    aside, count = np.zeros(weights[0].shape[:2]), 0
    for recording, w in zip(recordings, weights, strict=True):
        tokens = recording.source_tokens
        keys = [n for n, t in enumerate(tokens) if t == "</s>" or is_punctuation(t)]
        aside += w[..., keys].sum((-1, -2))
        count += w.shape[2]
    assert vitals.aside == pytest.approx((aside / count).mean(), abs=1e-5)
    looks, queries = [], 0
    for pronoun in PRONOUNS:
        nouns = find_nouns(translator.tokenizer, pronoun)
        at = translator.record(pronoun.source, pronoun.target).attention("encoder")[
            :, :, nouns.pronoun
        ]
        queries += len(nouns.pronoun)
        looks.append(at[..., nouns.antecedent].sum((-1, -2)) - at[..., nouns.other].sum((-1, -2)))
    assert vitals.scores["antecedent"] == pytest.approx(sum(looks) / queries, abs=1e-5)
    best = vitals.best("antecedent")
    assert best.value == pytest.approx(vitals.scores["antecedent"].max(), abs=1e-3)


def test_a_dead_layer_is_seen(config: ModelConfig, tokenizer: Tokenizer, pairs: list[Pair]) -> None:
    model = Transformer(config)
    with torch.no_grad():
        model.encoder.layers[1].ffn.hidden.bias.fill_(-100)  # pyrefly: ignore[missing-attribute]
        model.decoder.layers[0].ffn.hidden.bias[:40] = -100  # pyrefly: ignore[missing-attribute]
    vitals = Watch(tokenizer, pairs[:5], PRONOUNS).measure(model)
    assert model.training
    assert (vitals.encoder.live[1], vitals.encoder.none[1], vitals.encoder.ever[1]) == (0, 1, 0)
    assert vitals.encoder.live[0] > 0.3
    assert vitals.decoder.ever[0] == pytest.approx(0.5, abs=0.05)
    line = vitals.to_dict()
    assert line["live"] == [round(100 * float(v), 2) for v in vitals.encoder.live]
    assert line["none"] == [round(100 * float(v), 2) for v in vitals.encoder.none]


def test_half_precision_is_measured_too(
    config: ModelConfig, tokenizer: Tokenizer, pairs: list[Pair]
) -> None:
    torch.manual_seed(0)
    model = Transformer(config)
    watch = Watch(tokenizer, pairs[:5], PRONOUNS)
    full, half = watch.measure(model), watch.measure(model.bfloat16())
    assert half.encoder.live == pytest.approx(full.encoder.live, abs=0.02)


def test_nothing_to_watch_is_refused(tokenizer: Tokenizer, pairs: list[Pair]) -> None:
    with pytest.raises(ValueError, match="a watch needs sentence pairs and pronoun sentences"):
        Watch(tokenizer, pairs[:5], [])
