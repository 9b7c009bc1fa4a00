"""Models that differ in one part: additive scores, no ReLU, one big head."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.checkpoints.checkpoint import load_checkpoint, save_checkpoint
from model.interventions.base import Intervention
from model.interventions.blocks import LeaveOutReLU
from model.interventions.prepare import prepare
from model.interventions.scale import ScaleScores, Unscale
from model.interventions.sharing import TieQueries
from model.recording.recording import Recording, record
from model.sites.sites import KINDS, Kind, attention_site
from model.tokenizer import Tokenizer
from model.transformer.cache import KeyValueCache
from model.transformer.config import PAPER, ModelConfig
from model.transformer.transformer import Transformer

SOURCE, TARGET = (40, 41, 42, 43, 41, 45, 2), (1, 60, 61, 62, 61)
OTHERS: dict[str, dict[str, Any]] = {
    "additive": {"scores": "additive"},
    "no relu": {"variant": replace(PAPER, activation="none")},
    "one head": {"heads": 1},
}


def made(config: ModelConfig, other: str) -> Transformer:
    torch.manual_seed(3)
    model = Transformer(replace(config, **OTHERS[other]))
    return model.eval().requires_grad_(False)


def recorded(model: Transformer, *changes: Intervention) -> Recording:
    pieces = ["s"] * len(SOURCE), ["t"] * len(TARGET)
    return record(model, SOURCE, TARGET, *pieces, interventions=changes)


@pytest.mark.parametrize("other", OTHERS)
def test_steps_with_a_cache_score_as_the_whole_does(config: ModelConfig, other: str) -> None:
    model = made(config, other)
    encoded, target = model.encode(torch.tensor([SOURCE])), torch.tensor([TARGET])
    cache = KeyValueCache(config.decoder_layers)
    steps = [model.decode(target[:, :end], *encoded, cache=cache) for end in (1, 2, 5)]
    whole = model.decode(target, *encoded)
    torch.testing.assert_close(torch.cat(steps, dim=1), whole, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("other", OTHERS)
def test_it_survives_a_checkpoint(
    config: ModelConfig, tokenizer: Tokenizer, tmp_path: Path, other: str
) -> None:
    model = made(config, other)
    save_checkpoint(tmp_path, model.config, model.state_dict(), tokenizer, {"name": "own"})
    loaded = load_checkpoint(tmp_path).model
    assert loaded.config == model.config
    for name, tensor in loaded.state_dict().items():
        assert torch.equal(tensor, model.state_dict()[name].half().float())


@pytest.mark.parametrize("kind", KINDS)
def test_an_additive_score_is_v_tanh_of_query_and_key(config: ModelConfig, kind: Kind) -> None:
    run = recorded(made(config, "additive"))
    q, k, scores = (run.part(kind, 1, part) for part in ("q", "k", "scores"))  # H T Dk ...
    stack, _, sublayer, _ = attention_site(kind, 1, "q").split(".")
    vector = run.weights[f"{stack}.layers.1.{sublayer}.score_vector"]
    for head, query, key in np.ndindex(scores.shape):
        wanted = vector[head] @ np.tanh(q[head, query] + k[head, key])
        assert scores[head, query, key] == pytest.approx(wanted, abs=1e-5)
    np.testing.assert_allclose(run.unedited_scores(kind, 1), scores, atol=1e-5)
    assert "tanh" in run.config.sites()[attention_site(kind, 1, "scores")].meaning


def test_a_factor_on_additive_scores_is_known(config: ModelConfig) -> None:
    run = recorded(made(config, "additive"), ScaleScores("encoder", 3.0))
    np.testing.assert_allclose(run.score_factors("encoder", 0), 3.0, rtol=1e-4)


def test_what_takes_scores_for_products_is_refused_where_they_are_additive(
    config: ModelConfig,
) -> None:
    additive = replace(config, scores="additive")
    for change in (Unscale("encoder"), TieQueries("encoder")):
        with pytest.raises(ValueError, match="no dot products"):
            prepare([change], additive)
        prepare([change], config)
    with pytest.raises(ValueError, match="no product of query and key"):
        recorded(made(config, "additive")).score_parts("encoder", 0, 0, 1, 1)
    with pytest.raises(ValueError, match="rotary positions"):
        replace(additive, positions="rotary")


def test_without_relu_both_layers_of_feed_forward_are_one_matrix(config: ModelConfig) -> None:
    run = recorded(made(config, "no relu"))
    first, second = (
        run.weights.linear(f"encoder.layers.1.ffn.{part}") for part in ("hidden", "out")
    )
    np.testing.assert_array_equal(run["encoder.1.ffn.hidden"], run["encoder.1.ffn.before_relu"])
    wanted = run["encoder.1.norm1"] @ (first[0] @ second[0]) + first[1] @ second[0] + second[1]
    np.testing.assert_allclose(run["encoder.1.ffn.out"], wanted, atol=1e-5)
    assert "max(0" not in run.config.sites()["encoder.1.ffn.hidden"].meaning
    with pytest.raises(ValueError, match="learned without ReLU"):
        prepare([LeaveOutReLU("encoder", 0)], run.config)


def test_only_choices_that_differ_from_the_papers_are_written(config: ModelConfig) -> None:
    assert {"positions", "scores", "activation"}.isdisjoint(config.to_dict())
    values = replace(config, **OTHERS["additive"]).to_dict()
    assert values == config.to_dict() | {"scores": "additive"}
    for wrong in ({"scores": "cosine"}, {"activation": "sine"}):
        with pytest.raises(ValueError, match="one of"):
            ModelConfig.from_dict(config.to_dict() | wrong)
