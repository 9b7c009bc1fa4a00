"""The mean of checkpoints, part by part."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from model import load_translator
from model.checkpoints.checkpoint import load_checkpoint
from model.recording.history import load_history
from model.training.mean import PARTS, Ingredient, main, mean_of
from tests.model.training.conftest import Train

NAMES = ("encoder.layers.0.norm1.bias", "decoder.layers.0.norm1.bias", "embedding.weight")


def full(value: float) -> dict[str, torch.Tensor]:
    return {name: torch.full((2,), value) for name in NAMES}


def test_each_part_has_shares_of_its_own() -> None:
    found = mean_of([full(1.0), full(2.0)], [(1.0, 0.0, 0.25), (0.0, 1.0, 0.75)])
    assert [each.tolist() for each in found.values()] == [[1, 1], [2, 2], [1.75, 1.75]]


def test_shares_that_are_not_one_together_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shares of the decoder are \(0.5, 0.4\), not 1 together"):
        mean_of([full(1.0), full(2.0)], [(1.0, 0.5, 0.5), (0.0, 0.4, 0.5)])
    with pytest.raises(ValueError, match="shares of the encoder are"):
        mean_of([full(1.0), full(2.0)], [(1.5, 0.5, 0.5), (-0.5, 0.5, 0.5)])


def test_other_shapes_have_no_mean() -> None:
    other = {**full(1.0), NAMES[0]: torch.ones(3)}
    with pytest.raises(ValueError, match="other shapes have no mean"):
        mean_of([full(1.0), other], [(0.5,) * 3] * 2)


def test_pieces_that_only_some_know_have_the_mean_of_those() -> None:
    longer = {**full(2.0), NAMES[2]: torch.full((3,), 2.0)}
    found = mean_of([full(1.0), longer], [(0.5, 0.5, 0.25), (0.5, 0.5, 0.75)])
    assert found[NAMES[2]].tolist() == [1.75, 1.75, 2]
    assert found[NAMES[0]].tolist() == [1.5, 1.5]
    with pytest.raises(ValueError, match="has no share of them"):
        mean_of([full(1.0), longer], [(0.5, 0.5, 1.0), (0.5, 0.5, 0.0)])


@pytest.mark.parametrize("text", ["en-fr", "en-fr:", "en-fr:a", "en-fr:1,0", ":1"])
def test_what_is_no_checkpoint_with_shares_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="NAME:SHARE or NAME:SHARE,SHARE,SHARE expected"):
        Ingredient.read(text)
    assert Ingredient.read("a:b:0.5") == Ingredient("a:b", (0.5, 0.5, 0.5))


def test_the_command_writes_a_mean_that_translates_and_says_what_it_is(
    train: Train, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert train(tmp_path / "a", "--steps=2", "--average=1") == 0
    first = tmp_path / "a" / "tiny"
    began = f"--go-on-from={first}", f"--pieces={first}"
    assert train(tmp_path / "b", *began, "--steps=3", "--average=1", "--seed=5") == 0
    second, out = tmp_path / "b" / "tiny", tmp_path / "mean"
    dev = tmp_path / "some.tsv"
    dev.write_text("The cat sleeps.\tLe chat dort.\n" * 8, encoding="utf-8")
    given = [f"{first}:1,0,1", f"{second}:0,1,0", "--dev", str(dev), "--out", str(out)]
    monkeypatch.setattr("sys.argv", ["mean", *given])
    assert not main()
    one, two, mean = (load_file(each / "model.safetensors") for each in (first, second, out))
    for name, tensor in mean.items():
        assert torch.equal(tensor, (two if name.startswith("decoder.") else one)[name])
    card = load_checkpoint(out).card
    assert [each["steps"] for each in card["mean"]] == [2, 5]
    assert [[each[part] for part in PARTS] for each in card["mean"]] == [[1, 0, 1], [0, 1, 0]]
    history = load_history(out)
    assert history is not None
    assert history.steps.tolist() == [0]
    written = load_translator(out).translate(history.sentences[0].source).text
    assert history.translations[0][0] == written
