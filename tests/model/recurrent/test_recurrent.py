"""The recurrent model against torch's own units and the equations of their gates."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from model.recording.recording import Recording
from model.recurrent.config import LOOK_FIRST
from model.recurrent.recurrent import Recurrent
from model.translator import Translator

SENTENCE, FRENCH = "The cat sleeps.", "Le chat dort."


@pytest.fixture
def network(recurrent: Translator) -> Recurrent:
    assert isinstance(recurrent.network, Recurrent)
    return recurrent.network


@pytest.fixture
def recording(recurrent: Translator) -> Recording:
    return recurrent.record(SENTENCE, FRENCH)


def copied(units: nn.RNNBase, direction: str) -> nn.RNNBase:
    """Build plain units of one direction with the weights of either."""
    unit = nn.LSTM if isinstance(units, nn.LSTM) else nn.GRU
    own = unit(units.input_size, units.hidden_size, batch_first=True).requires_grad_(False)
    for name, weight in own.named_parameters():
        weight.copy_(dict(units.named_parameters())[name + direction])
    return own


def test_the_encoder_is_torchs_own_in_each_direction_whatever_the_padding(
    network: Recurrent, recurrent: Translator
) -> None:
    rows = [recurrent.source(text).ids for text in (SENTENCE, "My sister was too tired.")]
    longest = max(map(len, rows))
    padded = torch.tensor([[*row, *[network.config.pad_id] * (longest - len(row))] for row in rows])
    memory, mask = network.encode(padded)
    ahead, behind = copied(network.encoder.units, ""), copied(network.encoder.units, "_reverse")
    for row, states, real in zip(rows, memory, mask[:, 0], strict=True):
        assert int(real.sum()) == len(row)
        x = network.embedding(torch.tensor([row]))
        wanted = torch.cat([ahead(x)[0], behind(x.flip(1))[0].flip(1)], dim=-1)[0]
        torch.testing.assert_close(states[: len(row)], wanted)


def test_the_decoder_is_torchs_own_from_its_first_state(
    network: Recurrent, recording: Recording
) -> None:
    x = network.embedding(torch.tensor([recording.target_ids]))
    start = torch.from_numpy(recording["decoder.start"].copy())
    if network.config.kind in LOOK_FIRST:  # each step reads the context that was found before it
        context = torch.from_numpy(recording["decoder.0.cross_attn.context"].copy())
        x = torch.cat([x, context[None]], dim=-1)
    first = start[None, None]
    units = copied(network.decoder.units, "")
    states = units(x, (first, first) if isinstance(units, nn.LSTM) else first)[0]
    np.testing.assert_allclose(recording["decoder.states"], states[0], atol=1e-6)


def sigmoid(x: NDArray[Any]) -> NDArray[Any]:
    return 1 / (1 + np.exp(-x))


def gru(
    x: list[NDArray[Any]], kept: list[NDArray[Any]], h: NDArray[Any], _cell: NDArray[Any]
) -> dict[str, Any]:
    """r, z and n of Cho et al. (2014), as torch writes them."""
    r, z = sigmoid(x[0] + kept[0]), sigmoid(x[1] + kept[1])
    n = np.tanh(x[2] + r * kept[2])
    return {"reset": r, "update": z, "candidate": n, "state": (1 - z) * n + z * h}


def lstm(
    x: list[NDArray[Any]], kept: list[NDArray[Any]], _h: NDArray[Any], cell: NDArray[Any]
) -> dict[str, Any]:
    """i, f, o and the cell of Hochreiter and Schmidhuber (1997), with a gate that forgets."""
    i, f, o = sigmoid(x[0] + kept[0]), sigmoid(x[1] + kept[1]), sigmoid(x[3] + kept[3])
    g = np.tanh(x[2] + kept[2])
    c = f * cell + i * g
    gates = {"input_gate": i, "forget_gate": f, "output_gate": o, "candidate": g, "cell": c}
    return {**gates, "state": o * np.tanh(c)}


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_gates_follow_the_equations_and_make_the_states(
    stack: str, network: Recurrent, recording: Recording
) -> None:
    """One step after another, each with the equations of its unit."""
    units = network.encoder.units if stack == "encoder" else network.decoder.units
    equations, number = (lstm, 4) if isinstance(units, nn.LSTM) else (gru, 3)
    halves = ("", "_reverse") if stack == "encoder" else ("",)
    states = recording["encoder.memory" if stack == "encoder" else "decoder.states"]
    width = states.shape[1] // len(halves)
    for half, direction in enumerate(halves):
        columns = slice(half * width, (half + 1) * width)
        named = {k: v.numpy() for k, v in units.named_parameters() if k.endswith(f"l0{direction}")}
        w, u, b, c = (named[f"{n}_l0{direction}"] for n in
                      ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))  # fmt: skip
        h = cell = recording["decoder.start"] if stack == "decoder" else np.zeros(width)
        steps, read = range(len(states)), recording[f"{stack}.embedding"]
        if w.shape[1] > read.shape[1]:
            read = np.concatenate([read, recording["decoder.0.cross_attn.context"]], axis=1)
        for t in reversed(steps) if direction else steps:
            x, kept = np.split(w @ read[t] + b, number), np.split(u @ h + c, number)
            wanted = equations(x, kept, h, cell)
            h, cell = wanted.pop("state"), wanted.get("cell", cell)
            for name, values in wanted.items():
                found = recording[f"{stack}.{name}"][t, columns]
                np.testing.assert_allclose(found, values, atol=2e-6)
            np.testing.assert_allclose(states[t, columns], h, atol=2e-6)


def test_the_start_and_the_output_follow_their_formulas(
    network: Recurrent, recording: Recording
) -> None:
    memory, half = recording["encoder.memory"], network.config.d_state // 2
    vector = np.concatenate([memory[-1, :half], memory[0, half:]])
    weights = {name: p.numpy() for name, p in network.decoder.named_parameters()}
    start = np.tanh(weights["start.weight"] @ vector + weights["start.bias"])
    np.testing.assert_allclose(recording["decoder.start"], start, atol=1e-6)
    both = np.concatenate(
        [recording["decoder.0.cross_attn.context"], recording["decoder.states"]], axis=1
    )
    attended = np.tanh(both @ weights["join.weight"].T + weights["join.bias"])
    np.testing.assert_allclose(recording["decoder.attended"], attended, atol=1e-6)
    logits = 4 * attended @ network.embedding.weight.numpy().T
    np.testing.assert_allclose(recording.logits, logits, atol=1e-4)


def test_exactly_the_sites_of_the_table_are_recorded(recording: Recording) -> None:
    assert set(recording.arrays) == set(recording.made_by.sites())
    sizes = {"S": len(recording.source_ids), "T": len(recording.target_ids), "H": 1}
    sizes |= {"D": 48, "R": 36, "V": recording.made_by.vocab_size}
    for site in recording.sites():
        assert site.shape == tuple(sizes[dim] for dim in site.dims), site.name
        assert site.meaning


def test_attention_is_one_head_of_one_layer(recording: Recording) -> None:
    if recording.made_by.kind in ("none", "cho"):
        with pytest.raises(ValueError, match=r"the (none|cho) model has no cross attention"):
            recording.attention("cross")
        return
    weights = recording.attention("cross")
    assert weights.shape == (1, 1, len(recording.target_ids), len(recording.source_ids))
    sums = weights.sum(axis=-1)
    if recording.made_by.kind == "local-p":
        assert ((sums > 0) & (sums < 1)).all()
    else:
        np.testing.assert_allclose(sums, 1, rtol=1e-5)
    with pytest.raises(ValueError, match="model has no encoder attention"):
        recording.attention("encoder")


def test_a_recording_says_in_one_sentence_what_only_a_transformer_has(
    recording: Recording,
) -> None:
    with pytest.raises(ValueError, match="this needs a Transformer; the model is recurrent"):
        _ = recording.config


def test_as_many_pieces_as_there_is_room_for_are_read(network: Recurrent) -> None:
    network.embed(torch.full((1, 64), 5))
    with pytest.raises(ValueError, match=r"^65 tokens given, at most 64 fit$"):
        network.embed(torch.full((1, 65), 5))


def test_what_follows_the_last_piece_is_the_last_row_of_all(
    network: Recurrent, recurrent: Translator
) -> None:
    memory, mask = network.encode(torch.tensor([recurrent.source(SENTENCE).ids]))
    target = torch.tensor([[1, 50, 60, 70]])
    every = network.decode(target, memory, mask)
    found = network.follow(target, memory, mask)
    assert found.shape == (1, 1, network.config.vocab_size)
    torch.testing.assert_close(found, every[:, -1:])


@pytest.mark.parametrize("kind", ["additive", "lstm", "bahdanau"], indirect=True)
def test_the_state_after_a_step_looks_or_the_one_before(
    kind: str, network: Recurrent, recording: Recording
) -> None:
    """Luong's order, and Bahdanau's: e = v . tanh(W_q s + W_k h) of either state."""
    w = {name: p.numpy() for name, p in network.decoder.attention.named_parameters()}
    states = recording["decoder.states"]
    if kind == "bahdanau":
        states = np.concatenate([recording["decoder.start"][None], states[:-1]])
    asked, offered = states @ w["query.weight"].T, recording["encoder.memory"] @ w["key.weight"].T
    wanted = np.tanh(asked[:, None] + offered[None]) @ w["v"]  # T S
    np.testing.assert_allclose(recording["decoder.0.cross_attn.scores"][0], wanted, atol=1e-5)
