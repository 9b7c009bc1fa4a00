"""Interventions and functions of one's own work alike in every way to run a model."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
import torch
from torch import Tensor

from model.decoding.beam import Beam
from model.interventions.base import Intervention
from model.interventions.heads import AblateHead
from model.interventions.masks import HideSource, LiftMask, PadSource
from model.interventions.patches import PatchActivation
from model.sites.tap import Edit
from model.translator import Translator

TEXTS = [
    "The cat sleeps.",
    "The dog didn't come.",
    "The dog was too tired.",
    "The animal crossed the river.",
    "The cat drinks water.",
    "The street is here today.",
]
TEXT = TEXTS[3]


def negative(tensor: Tensor) -> Tensor:
    return -tensor


def first_row(tensor: Tensor) -> Tensor:
    """Write into the first of the batch, as one does who knows that there is one."""
    tensor[0] = tensor[0] * 3
    return tensor


CHANGES: list[tuple[Sequence[Intervention], Mapping[str, Edit]]] = [
    ((AblateHead("encoder 1.1"), AblateHead("encoder 2.3", mode="mean")), {}),
    ((AblateHead("cross 1.2"), LiftMask("decoder")), {}),
    ((PadSource(14), HideSource(1, 1)), {}),
    ((PatchActivation("encoder.memory", 0, "The dog sleeps."),), {}),
    ((), {"encoder.1.ffn.out": negative}),
    ((AblateHead("encoder 1.1"),), {"decoder.0.cross_attn.out": first_row}),
]


@pytest.mark.parametrize(("interventions", "edits"), CHANGES)
def test_many_texts_at_once_are_as_one_by_one(
    translator: Translator, interventions: Sequence[Intervention], edits: Mapping[str, Edit]
) -> None:
    together = translator.translate_all(TEXTS, 4, interventions, edits)
    alone = [translator.translate(text, None, interventions, edits=edits) for text in TEXTS]
    assert [one.ids for one in together] == [one.ids for one in alone]
    np.testing.assert_allclose([one.log_prob for one in together], [one.log_prob for one in alone])
    plain = translator.translate_all(TEXTS)
    assert [one.log_prob for one in together] != [one.log_prob for one in plain]


@pytest.mark.parametrize(("interventions", "edits"), CHANGES)
@pytest.mark.parametrize("strategy", [None, Beam(3)])
def test_run_steps_record_and_logits_agree_with_translate(
    translator: Translator,
    interventions: Sequence[Intervention],
    edits: Mapping[str, Edit],
    strategy: Beam | None,
) -> None:
    wanted = translator.translate(TEXT, strategy, interventions, edits=edits)
    run = translator.run(TEXT, interventions, strategy, edits=edits)
    assert run.translation == wanted
    steps = list(translator.steps(TEXT, strategy, (), interventions, edits))
    pieces = [step.chosen.id for step in steps if step.chosen.id != translator.tokenizer.end_id]
    assert tuple(pieces) == wanted.ids
    if any(one.looks_ahead for one in interventions):
        return  # then the recording of the whole differs from the steps
    recorded = translator.record(TEXT, wanted, interventions, edits)
    np.testing.assert_array_equal(run.recording.logits, recorded.logits)
    logits = translator.logits(TEXT, wanted, interventions, edits)
    np.testing.assert_allclose(logits, recorded.logits, atol=1e-5)


def test_a_run_near_a_changed_one_is_computed_anew(translator: Translator) -> None:
    edits: Mapping[str, Edit] = {"encoder.memory": negative}
    changed, plain = translator.run(TEXT, edits=edits), translator.run(TEXT)
    for near, again in ((changed, {}), (plain, edits), (changed, edits)):
        found = translator.run(TEXT, near=near, edits=again)
        wanted = changed if again else plain
        assert found.translation.ids == wanted.translation.ids
        np.testing.assert_allclose(found.recording.logits, wanted.recording.logits, atol=1e-4)


CALLS: list[Callable[..., object]] = [
    lambda own, edits: own.record(TEXT, "Le chat", edits=edits),
    lambda own, edits: own.translate(TEXT, edits=edits),
    lambda own, edits: own.run(TEXT, edits=edits),
    lambda own, edits: list(own.steps(TEXT, edits=edits)),
    lambda own, edits: own.translate_all(TEXTS, edits=edits),
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("edits", "said"),
    [
        (
            {"encoder.0.ffn.out": lambda x: x * torch.nan},
            r"^encoder\.0\.ffn\.out: .* NaN for (\d+) o",
        ),
        ({"encoder.0.self_attn.scores": lambda x: x - torch.inf}, "NaN|without any key"),
        ({"encoder.memory": lambda x: x + torch.inf}, "NaN|without any key"),
        ({"encoder.memory": lambda _x: None}, r"must return a tensor \(1, "),
        ({"encoder.memori": negative}, r"no site 'encoder.memori'; did you mean 'encoder.memory'"),
        ([negative], "edits must be functions by the names of sites"),
        ([negative], "interventions go into interventions="),
    ],
)
def test_a_function_that_makes_nonsense_is_said(
    translator: Translator, call: Callable[..., object], edits: object, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        call(translator, edits)


def test_logits_have_a_gradient_by_what_a_function_returns(translator: Translator) -> None:
    site, target = "encoder.input", "Le chat dort."
    read = translator.record(TEXT, target)[site]
    vectors = torch.tensor(read[None], requires_grad=True)
    logits = translator.logits(TEXT, target, [AblateHead("encoder 1.1")], {site: lambda _: vectors})
    (slope,) = torch.autograd.grad(logits[1, 9], vectors)
    step = 1e-2 * slope / slope.norm()
    with torch.no_grad():
        moved, plain = (
            translator.logits(TEXT, target, [AblateHead("encoder 1.1")], {site: lambda _, x=x: x})
            for x in (vectors + step, vectors)
        )
    assert not plain.requires_grad
    assert float(moved[1, 9] - plain[1, 9]) == pytest.approx(float((step * slope).sum()), rel=0.05)
