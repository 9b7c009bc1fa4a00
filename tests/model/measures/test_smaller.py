"""Fewer bits and fewer weights, against numpy and torch's own quantisation."""

import json
from pathlib import Path

import pytest
import torch

from model import load_translator
from model.checkpoints.card import SMALLER
from model.checkpoints.checkpoint import CHECKPOINTS
from model.measures.smaller import (
    moved,
    pruned,
    quantised,
    read,
    shrunk,
    size,
)
from model.training.smaller import BITS, SHARES


@pytest.mark.parametrize("bits", [8, 4])
def test_rounding_is_torchs_to_so_many_bits(bits: int) -> None:
    matrix = torch.randn(5, 40, generator=torch.Generator().manual_seed(1))
    most = 2 ** (bits - 1) - 1
    scale = matrix.abs().amax(dim=1) / most
    zero = torch.zeros(5, dtype=torch.int32)
    expected = torch.fake_quantize_per_channel_affine(matrix, scale, zero, 0, -most, most)
    torch.testing.assert_close(quantised(matrix, bits), expected)
    assert all(len(row.unique()) <= 2 * most + 1 for row in quantised(matrix, bits))
    with pytest.raises(ValueError, match="bits must be 2 to 16"):
        quantised(matrix, 1)


def test_the_smallest_of_all_matrices_go() -> None:
    matrices = [torch.tensor([[1.0, -4.0], [0.5, 3.0]]), torch.tensor([[-0.1, 2.0]])]
    found = pruned(matrices, 0.5)
    assert found[0].tolist() == [[0, -4], [0, 3]]
    assert found[1].tolist() == [[0, 2]]
    assert pruned(matrices, 0.0)[0] is matrices[0]
    with pytest.raises(ValueError, match="below 1"):
        pruned(matrices, 1.0)


def test_a_smaller_model_is_a_copy_and_weighs_what_it_should() -> None:
    translator = load_translator("en-fr")
    before = translator.model.encoder.layers[0].state_dict()
    before = {name: weight.clone() for name, weight in before.items()}
    other = shrunk(translator, "pruned", 0.5)
    for name, weight in translator.model.encoder.layers[0].state_dict().items():
        assert torch.equal(weight, before[name])
    matrices = [weight for weight in other.network.parameters() if weight.dim() > 1]
    gone = sum(int((weight == 0).sum()) for weight in matrices)
    numbers = sum(weight.numel() for weight in matrices)
    assert gone / numbers == pytest.approx(0.5, abs=1e-3)
    whole = size(translator.network, "whole", 0)
    assert whole == 4 * sum(weight.numel() for weight in translator.network.parameters())
    assert 0.24 < size(translator.network, "quantised", 8) / whole < 0.27
    assert size(translator.network, "pruned", 0.9) < size(translator.network, "pruned", 0.1)
    assert moved(translator, translator, ["It is late."]) == 0
    assert 0 < moved(translator, other, ["It is late."]) <= 1


def test_what_is_shipped_is_read_and_what_is_damaged_refused(tmp_path: Path) -> None:
    found = read(CHECKPOINTS / "en-fr" / SMALLER)
    assert len(found.rows) == 1 + len(BITS) + len(SHARES)
    assert found.sentences == 200
    assert found.rows[0].size == max(row.size for row in found.rows)
    damaged = tmp_path / SMALLER
    for values in ({"rows": [{}]}, {"rows": []}, {"rows": 3, "sentences": 1, "command": ""}):
        damaged.write_text(json.dumps(values), encoding="utf-8")
        with pytest.raises(ValueError, match=r"smaller\.json"):
            read(damaged)
