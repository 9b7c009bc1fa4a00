"""What a checkpoint's weights are the mean of."""

from pathlib import Path

import torch
from safetensors.torch import load_file

from model import load_translator
from model.training.loop.averaging import mixed
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


def test_a_checkpoint_keeps_a_share_of_the_weights_that_its_run_went_on_from(
    train: Train, tmp_path: Path
) -> None:
    first = tmp_path / "first"
    assert train(first, "--steps=2", "--save-every=2") == 0
    given = (
        f"--go-on-from={first / 'tiny'}",
        f"--pieces={first / 'tiny'}",
        "--steps=2",
        "--average=1",
    )
    found: list[dict[str, torch.Tensor]] = []
    for share in ("0", "0.25"):
        assert train(tmp_path / share, *given, f"--start-share={share}") == 0
        found.append(load_file(tmp_path / share / "tiny" / "model.safetensors"))
    start = load_file(first / "tiny" / "model.safetensors")
    assert not all(torch.equal(start[name], found[0][name]) for name in start)
    for name, mean in found[1].items():
        expected = 0.75 * found[0][name].float() + 0.25 * start[name].float()
        assert torch.allclose(mean.float(), expected, atol=1e-3), name
    assert load_translator(tmp_path / "0.25" / "tiny").card["settings"]["start_share"] == 0.25


def test_what_the_start_does_not_have_in_this_shape_is_not_mixed() -> None:
    weights = {"a": torch.ones(2), "b": torch.ones(2), "c": torch.ones(2)}
    found = mixed(weights, {"a": torch.zeros(2), "b": torch.zeros(3)}, 0.25)
    assert [float(found[name][0]) for name in "abc"] == [0.75, 1, 1]
