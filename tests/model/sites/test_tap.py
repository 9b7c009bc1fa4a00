import re

import pytest
import torch

from model.sites.tap import NO_TAP, Recorder


def test_no_tap_hands_back_the_very_tensor() -> None:
    tensor = torch.ones(2)
    assert NO_TAP.at("encoder").at("3")("weights", tensor) is tensor


def test_a_recorder_names_sites_by_their_scope() -> None:
    recorder = Recorder()
    inner = recorder.at("encoder").at("3")
    assert inner("q", torch.ones(1)).item() == 1
    recorder("logits", torch.zeros(1))
    assert list(recorder.finish()) == ["encoder.3.q", "logits"]


def test_an_edit_changes_what_passes_and_what_is_kept() -> None:
    recorder = Recorder({"decoder.z": torch.zeros_like})
    original = torch.ones(3)
    passed = recorder.at("decoder")("z", original)
    assert passed.tolist() == recorder.finish()["decoder.z"].tolist() == [0, 0, 0]
    assert original.tolist() == [1, 1, 1]


def test_an_edit_of_another_scope_is_left_alone() -> None:
    recorder = Recorder({"decoder.z": torch.zeros_like})
    assert recorder.at("encoder")("z", torch.ones(1)).item() == 1


def test_the_same_site_twice_is_an_error() -> None:
    recorder = Recorder().at("encoder")
    recorder("mask", torch.ones(1))
    with pytest.raises(ValueError, match=r"'encoder\.mask' was recorded twice"):
        recorder("mask", torch.ones(1))


def test_an_edit_whose_site_was_never_reached_is_an_error() -> None:
    missed = ("encoder.10.self_attn.z", "encoder.9.self_attn.z")
    recorder = Recorder(dict.fromkeys(missed, torch.zeros_like))
    recorder("mask", torch.ones(1))
    said = f"no such site in this run: {', '.join(missed)}"
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        recorder.finish()
