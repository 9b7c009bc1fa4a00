"""Models that know their positions otherwise: by learned vectors, and by turning q and k."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from model.checkpoints.checkpoint import load_checkpoint, save_checkpoint
from model.decoding.quick_decoder import QuickDecoder
from model.interventions.positions import ScalePositions, ShiftPositions
from model.interventions.prepare import prepare
from model.recording.recording import Recording, record
from model.sites.sites import KINDS, Kind
from model.tokenizer import Tokenizer
from model.transformer.cache import KeyValueCache
from model.transformer.config import ModelConfig, Positions
from model.transformer.positional import sinusoidal_positions
from model.transformer.transformer import Transformer

SOURCE, TARGET = (40, 41, 42, 43, 41, 45, 2), (1, 60, 61, 62, 61)
OTHERS: tuple[Positions, ...] = ("learned", "rotary", "joined")


def made(config: ModelConfig, positions: Positions) -> Transformer:
    torch.manual_seed(3)
    model = Transformer(replace(config, positions=positions))
    return model.eval().requires_grad_(False)


def recorded(model: Transformer) -> Recording:
    return record(model, SOURCE, TARGET, ["s"] * len(SOURCE), ["t"] * len(TARGET))


@pytest.mark.parametrize("positions", OTHERS)
def test_steps_with_a_cache_score_as_the_whole_does(
    config: ModelConfig, positions: Positions
) -> None:
    model = made(config, positions)
    encoded, target = model.encode(torch.tensor([SOURCE])), torch.tensor([TARGET])
    cache = KeyValueCache(config.decoder_layers)
    steps = [model.decode(target[:, :end], *encoded, cache=cache) for end in (1, 2, 5)]
    whole = model.decode(target, *encoded)
    torch.testing.assert_close(torch.cat(steps, dim=1), whole, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("positions", OTHERS)
def test_the_order_of_words_counts(config: ModelConfig, positions: Positions) -> None:
    model = made(config, positions)
    memory = model.encode(torch.tensor([SOURCE]))[0][0]  # S D
    order = [1, 0, *range(2, len(SOURCE))]
    moved = model.encode(torch.tensor([[SOURCE[i] for i in order]]))[0][0]
    assert not torch.allclose(moved, memory[order], atol=1e-3)


def test_a_learned_table_is_part_of_the_weights_and_survives_a_checkpoint(
    config: ModelConfig, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    model = made(config, "learned")
    assert model.state_dict()["positions"].shape == (config.max_length, config.d_model)
    assert "positions" in dict(model.named_parameters())
    save_checkpoint(tmp_path, model.config, model.state_dict(), tokenizer, {"name": "own"})
    loaded = load_checkpoint(tmp_path).model
    assert isinstance(loaded, Transformer)
    assert torch.equal(loaded.positions, model.positions.half().float())
    run = recorded(model)
    np.testing.assert_array_equal(run["decoder.positions"], model.positions[: len(TARGET)])


def test_rotary_positions_add_nothing_and_turn_what_is_recorded(config: ModelConfig) -> None:
    run = recorded(made(config, "rotary"))
    assert not run["encoder.positions"].any()
    np.testing.assert_array_equal(run["encoder.input"], run["encoder.embedding"])
    q, k = run["encoder.0.self_attn.q"], run["encoder.0.self_attn.k"]  # H S Dk
    np.testing.assert_allclose(
        q @ k.swapaxes(1, 2) / config.d_k**0.5, run["encoder.0.self_attn.scores"], atol=1e-5
    )
    # The same word twice has the same query but for the turn.
    waves = sinusoidal_positions(len(SOURCE), config.d_k).unflatten(1, (-1, 2)).flip(-1)
    turns = torch.view_as_complex(waves.contiguous()).numpy()  # S Dk/2
    pairs = q.reshape(*q.shape[:2], -1, 2)
    numbers = pairs[..., 0] + 1j * pairs[..., 1]  # H S Dk/2
    back = numbers / turns
    np.testing.assert_allclose(back[:, 1], back[:, 4], atol=1e-5)
    assert not np.allclose(numbers[:, 1], numbers[:, 4], atol=1e-3)


def test_joined_positions_stand_behind_the_embedding(
    config: ModelConfig, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    model, width = made(config, "joined"), config.d_model * 3 // 4
    assert model.config.d_embedding == width
    assert model.embedding.weight.shape == (config.vocab_size, width)
    run = recorded(model)
    for stack, ids in (("encoder", SOURCE), ("decoder", TARGET)):
        waves = sinusoidal_positions(len(ids), config.d_model - width).numpy()
        rows = model.embedding.weight[list(ids)].numpy() * model.scale
        joined = np.concatenate([rows, waves], axis=1)
        np.testing.assert_allclose(run[f"{stack}.input"], joined, atol=1e-6)
        assert not run[f"{stack}.embedding"][:, width:].any()
        assert not run[f"{stack}.positions"][:, :width].any()
        assert run.config.sites()[f"{stack}.embedding"].meaning.endswith("then zeros")
    parts = run.logit_parts(2, 61, 62)
    assert parts.total == pytest.approx(run.logits[2, 61] - run.logits[2, 62], abs=1e-4)
    memory, mask = model.encode(torch.tensor([SOURCE]))
    quick = QuickDecoder(model, memory, mask)(torch.tensor([TARGET]))[0]
    np.testing.assert_allclose(quick, run.logits, atol=1e-5)
    save_checkpoint(tmp_path, model.config, model.state_dict(), tokenizer, {"name": "own"})
    assert load_checkpoint(tmp_path).model.config == model.config
    with pytest.raises(ValueError, match="only added sinusoids can be shifted"):
        prepare([ShiftPositions("encoder", 1)], model.config)
    with pytest.raises(ValueError, match="divisible by 8, not 12"):
        ModelConfig(d_model=12, heads=2, positions="joined")


@pytest.mark.parametrize("kind", KINDS)
def test_the_parts_of_a_score_add_up_with_rotary_positions(config: ModelConfig, kind: Kind) -> None:
    run = recorded(made(config, "rotary"))
    parts = run.score_parts(kind, 1, 2, 3, 1)
    sublayer = "cross_attn" if kind == "cross" else "self_attn"
    stack = "encoder" if kind == "encoder" else "decoder"
    scores = run[f"{stack}.1.{sublayer}.scores"]
    np.testing.assert_allclose(parts.total, scores[2, 3, 1], atol=1e-5)


def test_what_changes_added_positions_is_refused_where_there_are_none(config: ModelConfig) -> None:
    with pytest.raises(ValueError, match="adds no positions"):
        prepare([ScalePositions("encoder", 0.0)], replace(config, positions="rotary"))
    with pytest.raises(ValueError, match="only added sinusoids can be shifted"):
        prepare([ShiftPositions("encoder", 1)], replace(config, positions="learned"))
    prepare([ScalePositions("encoder", 0.0)], replace(config, positions="learned"))
