"""The code beside the picture is the model's own, and its shapes are those of the recording."""

import inspect
from pathlib import Path

import pytest

from model.transformer.layers import MultiHeadAttention
from viz.compute import runs
from viz.compute.sources import ROOT, code_of, maker, with_shapes


def test_the_lines_are_those_of_the_file() -> None:
    recording = runs.run("The cat sleeps.").recording
    code = code_of("decoder.2.cross_attn.out", recording)
    lines = (ROOT / code.file).read_text(encoding="utf-8").splitlines()
    assert (
        lines[code.first - 1] == code.text.splitlines()[0] == "class MultiHeadAttention(nn.Module):"
    )
    assert len(code.text.splitlines()) == len(inspect.getsource(MultiHeadAttention).splitlines())
    source, target = len(recording.source_tokens), len(recording.target_tokens)
    assert f"# B H T S = 1 8 {target} {source}" in code.text


def test_dims_of_other_comments_stay_as_they_are() -> None:
    text = "a = b  # B S D\nc = d  # B T start+T\ne = f  # Because\n"
    assert with_shapes(text, {"B": 1, "S": 2, "D": 3, "T": 4}).splitlines() == [
        "a = b  # B S D = 1 2 3",
        "c = d  # B T start+T",
        "e = f  # Because",
    ]


def test_every_site_of_a_layer_has_its_maker() -> None:
    sites = runs.run("The cat sleeps.").recording.config.sites()
    for site in sites:
        if not site.endswith("mask"):
            assert Path(inspect.getfile(maker(site))).parent.name == "transformer"
    with pytest.raises(ValueError, match="nothing that is known"):
        maker("encoder.mask")
