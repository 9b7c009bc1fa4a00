"""The numbers of the recurrent page against torch's own cells and against counting."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from model.recording.recording import Recording
from model.recurrent.config import ATTENDING, RecurrentConfig
from model.recurrent.recurrent import Recurrent
from model.sites.tap import Recorder
from viz.pages.recurrent.numbers import (
    gru_gates,
    largest_difference,
    lstm_gates,
    recomputed_step,
    recorded_step,
)

SOURCE, TARGET = [5, 9, 4, 7, 2], [1, 8, 6, 3]
Weight = Callable[[str], NDArray[np.floating]]


def made(kind: str) -> tuple[Recording, Weight]:
    torch.manual_seed(2)
    sizes = {"vocab_size": 12, "d_model": 10, "d_state": 8, "d_score": 6, "window": 2}
    config = RecurrentConfig.from_dict(RecurrentConfig().to_dict() | {"kind": kind} | sizes)
    network = Recurrent(config).eval().requires_grad_(False)
    network.share(torch.randn(12, 10))
    for name, parameter in network.named_parameters():
        if "bias" in name:
            parameter.normal_(std=0.3)  # nothing hides behind a zero
    recorder = Recorder()
    network(torch.tensor([SOURCE]), torch.tensor([TARGET]), recorder)
    arrays = {name: tensor[0].numpy() for name, tensor in recorder.finish().items()}
    tokens = [str(id_) for id_ in SOURCE], [str(id_) for id_ in TARGET]
    recording = Recording(config, tuple(SOURCE), tuple(TARGET), *tokens, (), arrays)
    return recording, lambda name: network.get_parameter(name).numpy()


@pytest.mark.parametrize("kind", ATTENDING)
def test_every_step_is_recomputed_from_the_weights(kind: str) -> None:
    recording, weight = made(kind)
    for t in range(len(TARGET)):
        again = recomputed_step(recording, t, weight)
        assert largest_difference(recorded_step(recording, t), again) < 1e-5
        assert again.weights.shape == ((0,) if kind in ("none", "cho") else (len(SOURCE),))


def test_a_wrong_number_shows_as_a_difference() -> None:
    recording, weight = made("additive")
    found = recorded_step(recording, 1)

    def other(name: str) -> NDArray[np.floating]:
        return weight(name) * (1.1 if name == "decoder.attention.v" else 1.0)

    assert largest_difference(found, recomputed_step(recording, 1, other)) > 1e-3


def test_gates_make_the_state_of_torchs_cell() -> None:
    recording, weight = made("dot")
    cell = torch.nn.GRUCell(10, 8).requires_grad_(False)
    for name, parameter in cell.named_parameters():
        parameter.copy_(torch.from_numpy(weight(f"decoder.gru.{name}_l0")))
    x, before = recording["decoder.embedding"][2], recording["decoder.states"][1]
    gates = gru_gates(x, before, weight)
    wanted = cell(*(torch.from_numpy(part.copy())[None] for part in (x, before)))[0].numpy()
    found = gates["update"] * before + (1 - gates["update"]) * gates["candidate"]
    np.testing.assert_allclose(found, wanted, atol=1e-5)


def test_gates_make_the_state_and_the_cell_of_torchs_lstm() -> None:
    recording, weight = made("lstm")
    cell = torch.nn.LSTMCell(10, 8).requires_grad_(False)
    for name, parameter in cell.named_parameters():
        parameter.copy_(torch.from_numpy(weight(f"decoder.lstm.{name}_l0")))
    x = recording["decoder.embedding"][2]
    before, held = (recording[f"decoder.{name}"][1] for name in ("states", "cell"))
    gates = lstm_gates(x, before, held, weight)
    read, state, kept = (torch.from_numpy(part.copy())[None] for part in (x, before, held))
    wanted = cell(read, (state, kept))
    np.testing.assert_allclose(gates["cell"], wanted[1][0], atol=1e-5)
    shown = gates["output_gate"] * np.tanh(gates["cell"])
    np.testing.assert_allclose(shown, wanted[0][0], atol=1e-5)
