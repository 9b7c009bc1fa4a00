"""What a checkpoint's weights are the mean of."""

from pathlib import Path

import torch
from safetensors.torch import load_file

from tests.model.training.conftest import Train


def test_a_checkpoint_is_the_mean_of_the_last_ones_that_were_saved(
    train: Train, tmp_path: Path
) -> None:
    for count in (1, 2, 9):
        folder = tmp_path / str(count)
        assert train(folder, "--save-every=2", "--steps=6", f"--average={count}") == 0
    kept = tmp_path / "9" / "run"
    saved = [torch.load(kept / f"weights-{step}.pt") for step in (2, 4, 6)]
    assert not all(torch.equal(saved[1][name], saved[2][name]) for name in saved[1])
    for count, parts in ((1, saved[2:]), (2, saved[1:]), (9, saved)):
        folder = tmp_path / str(count)
        assert len(list((folder / "run").glob("weights-*"))) == len(parts)
        for name, mean in load_file(folder / "tiny" / "model.safetensors").items():
            expected = torch.stack([part[name].float() for part in parts]).mean(0)
            assert torch.equal(mean, expected.half())
