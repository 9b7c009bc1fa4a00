"""A model on another device than the CPU gives what it gives there."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from torch import Tensor

from model.decoding.beam import Beam
from model.decoding.sampling import Sampling
from model.interventions.attention import SetAttention
from model.interventions.base import Intervention
from model.interventions.heads import AblateHead
from model.interventions.masks import HideSource
from model.interventions.patches import PatchActivation
from model.interventions.table import INTERVENTIONS
from model.recording.recording import Recording, record
from model.recording.trace import Decided, Trace, trace
from model.transformer.transformer import Transformer
from model.translator import Translator, load_translator
from tests.fixtures.other_device import Elsewhere, other_device
from tests.model.interventions import samples
from tests.nightly import nightly

TEXTS = ["The cat sleeps.", "The dog sleeps.", "The dog drinks water."]
TEXT = TEXTS[0]
CHANGES = [AblateHead("encoder 1.2"), HideSource(1, 1)]
DOUBLE = {"decoder.0.ffn.out": lambda out: 2 * out}

CALLS: list[Callable[[Translator], object]] = [
    lambda translator: translator.run(TEXT, steps=3, strategy=Sampling(2, seed=1)).translation,
    lambda translator: translator.run(TEXT, CHANGES, steps=2, edits=DOUBLE).translation,
    lambda translator: again(translator),
    lambda translator: translator.translate(TEXT, Beam(2)),
    lambda translator: translator.translate_all(TEXTS, 2),
    lambda translator: translator.translate_all(TEXTS[:2], 2, CHANGES),
    lambda translator: differing(translator).encoder.tolist(),
]


def again(translator: Translator) -> object:
    """Run near a run, whose numbers are known."""
    near = translator.run(TEXT, steps=2)
    return translator.run(TEXT, near=near, steps=4).translation


def differing(translator: Translator) -> Trace:
    """Trace two sentences; which pieces decide does not matter to where numbers are."""
    ids = [translator.source(text).ids for text in TEXTS[:2]]
    given = (translator.tokenizer.begin_id,)
    return trace(translator.model, (ids[0], ids[1]), Decided(given, (5, 6)), "z")


@pytest.mark.parametrize("call", CALLS)
def test_every_call_returns_the_same(
    call: Callable[[Translator], object], translator: Translator, checkpoint_folder: Path
) -> None:
    with other_device() as device:
        elsewhere = load_translator(checkpoint_folder, device)
        assert (elsewhere.device.type, translator.device.type) == (device, "cpu")
        assert call(elsewhere) == call(translator)


def test_a_recording_is_of_numpy_and_can_be_kept(
    translator: Translator, checkpoint_folder: Path
) -> None:
    changes = [PatchActivation("encoder.memory", 1, "The cat sleeps.")]
    with other_device() as device:
        recording = load_translator(checkpoint_folder, device).record(TEXT, "Le", changes)
    kept = pickle.loads(pickle.dumps(recording))
    expected = translator.record(TEXT, "Le", changes)
    for site, array in expected.items():
        np.testing.assert_array_equal(kept[site], array, err_msg=site)
    site = "encoder.memory"
    np.testing.assert_array_equal(
        kept.edited(site, kept[site]), expected.edited(site, expected[site])
    )


SOME = PatchActivation, SetAttention, AblateHead
"""One that brings numbers from elsewhere, one with numbers of its own, and one with neither."""


@pytest.mark.parametrize(
    "kind",
    [*SOME, *nightly(*(kind for kind in INTERVENTIONS if kind not in SOME))],
    ids=lambda kind: kind.__name__,
)
def test_every_intervention_works_there(kind: type[Intervention]) -> None:
    def recorded(model: Transformer, *changes: Intervention) -> Recording:
        donors = samples.donors()
        donors._model = model
        tokens = list(samples.SOURCE_TOKENS), list(samples.TARGET_TOKENS)
        return record(model, samples.SOURCE, samples.TARGET, *tokens, changes, donors=donors)

    for sample in samples.SAMPLES[kind]:
        expected = samples.recorded(*sample.interventions).logits
        with other_device() as device:
            model = copy.deepcopy(samples.plain().model).to(device)
            found = recorded(model, *sample.interventions)
        np.testing.assert_array_equal(found.logits, expected)


def test_a_function_and_the_logits_have_its_tensors(checkpoint_folder: Path) -> None:
    kinds: list[type] = []

    def note(out: Tensor) -> Tensor:
        kinds.append(type(out))
        return out

    with other_device() as device:
        logits = load_translator(checkpoint_folder, device).logits(
            TEXT, "Le", edits={"encoder.1.ffn.out": note}
        )
    assert {*kinds, type(logits)} == {Elsewhere}


@pytest.mark.parametrize("device", ["cuda:99", "gpu", "meta", 3.5])
def test_a_device_that_torch_does_not_have_is_said(checkpoint_folder: Path, device: str) -> None:
    with pytest.raises(ValueError, match=rf"^the device {device!r} cannot be used: torch has 'cpu"):
        load_translator(checkpoint_folder, device)
