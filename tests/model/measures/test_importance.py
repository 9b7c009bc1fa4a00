import numpy as np
import pytest
import torch

from model.interventions.base import Intervention
from model.interventions.blocks import LeaveOutResidual, SkipLayer
from model.interventions.heads import MODES, AblateHead, Mode
from model.interventions.masks import HideSource, PadSource
from model.measures.importance import Importance, changes_alone, head_importance, leads_without
from model.recording.recording import record
from model.sites.sites import KINDS, Kind
from model.transformer.transformer import Transformer

SOURCE, TARGET = (40, 41, 42, 43, 44, 45, 2), (1, 60, 61, 62, 63)


def log_prob(model: Transformer, *interventions: Intervention) -> float:
    """Score the target one run at a time."""
    recording = record(model, SOURCE, TARGET, ["s"] * 7, ["t"] * 5, interventions)
    log_probs = torch.tensor(recording.logits).double().log_softmax(dim=-1)
    return sum(float(log_probs[t, piece]) for t, piece in enumerate(TARGET[1:]))


@pytest.mark.parametrize("mode", MODES)
def test_batches_give_what_single_runs_give(model: Transformer, mode: Mode) -> None:
    importance = head_importance(model, SOURCE, TARGET, mode)
    whole = log_prob(model)
    assert importance.log_prob == pytest.approx(whole, abs=1e-5)
    for kind in KINDS:
        falls = importance.falls[kind]
        assert falls.shape == (model.config.layers(kind), model.config.heads)
        expected = [
            [whole - log_prob(model, AblateHead(kind, layer, head, mode)) for head in range(4)]
            for layer in range(len(falls))
        ]
        np.testing.assert_allclose(falls, expected, atol=2e-5)
        assert np.ptp(falls) > 1e-3


def test_progress_reaches_every_head(model: Transformer) -> None:
    seen: list[tuple[int, int]] = []
    head_importance(model, SOURCE, TARGET, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(4 * layers, 32) for layers in range(1, 9)]


def test_the_least_important_heads_come_first(model: Transformer) -> None:
    importance = head_importance(model, SOURCE, TARGET)
    every = importance.least(32)
    falls = [importance.falls[off.kind][off.layer, off.head] for off in every]
    assert min(falls) < 0 < max(falls)
    assert np.abs(falls).tolist() == sorted(np.abs(falls))
    assert len(set(every)) == 32
    assert importance.least(3, "mean") == tuple(
        AblateHead(off.kind, off.layer, off.head, "mean") for off in every[:3]
    )
    assert all(off.mode == "zero" for off in every)
    alike = Importance(0.0, {"cross": np.zeros((1, 3))})
    assert alike.least(2) == (AblateHead("cross", 0, 0), AblateHead("cross", 0, 1))
    kinds: list[Kind] = [off.kind for off in importance.least(0)]
    assert not kinds


def test_nothing_to_score_is_refused(model: Transformer) -> None:
    with pytest.raises(ValueError, match="no translation to score"):
        head_importance(model, SOURCE, TARGET[:1])


def test_each_of_some_interventions_is_measured_alone(model: Transformer) -> None:
    decoder = [LeaveOutResidual("decoder", layer, "ffn") for layer in range(2)] * 6
    some = (SkipLayer("encoder", 1), *decoder, PadSource(9), PadSource(11), HideSource(1, 2))
    told: list[tuple[int, int]] = []
    found = changes_alone(model, SOURCE, TARGET, some, lambda done, of: told.append((done, of)))
    expected = [log_prob(model, one) - log_prob(model) for one in some]
    np.testing.assert_allclose(found, expected, atol=1e-4)
    assert told == [(9, 16), (13, 16), (14, 16), (15, 16), (16, 16)]


def test_the_lead_of_a_piece_without_each_head_is_that_of_single_runs(model: Transformer) -> None:
    others = (LeaveOutResidual("decoder", 1, "ffn"), PadSource(9))
    found = leads_without(model, SOURCE, TARGET, (70, 71), others)
    for kind in KINDS:
        assert found[kind].shape == (model.config.layers(kind), model.config.heads)
        off = AblateHead(kind, 1, 2)
        logits = record(model, SOURCE, TARGET, ["s"] * 7, ["t"] * 5, (*others, off)).logits[-1]
        assert found[kind][1, 2] == pytest.approx(float(logits[70] - logits[71]), abs=1e-4)
    alone = leads_without(model, SOURCE, TARGET, (70, None))
    logits = record(model, SOURCE, TARGET, ["s"] * 7, ["t"] * 5, [AblateHead("cross", 0, 1)]).logits
    assert alone["cross"][0, 1] == pytest.approx(float(logits[-1][70]), abs=1e-4)
