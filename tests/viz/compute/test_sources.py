"""The code beside the picture is the model's own, and its shapes are those of the recording."""

import inspect
from pathlib import Path

import pytest

from model.transformer.layers import MultiHeadAttention
from viz.compute import runs
from viz.compute.sources import OF_SUBJECTS, ROOT, codes_of, makers, read, with_shapes


def test_the_lines_are_those_of_the_file() -> None:
    recording = runs.run("The cat sleeps.").recording
    code, layer, stack = codes_of("decoder.2.cross_attn.out", recording)
    lines = (ROOT / code.file).read_text(encoding="utf-8").splitlines()
    assert (
        lines[code.first - 1] == code.text.splitlines()[0] == "class MultiHeadAttention(nn.Module):"
    )
    assert (code.name, layer.name, stack.name) == ("MultiHeadAttention", "DecoderLayer", "Decoder")
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
            for made in makers(site):
                assert Path(inspect.getfile(made)).parent.name == "transformer"
    with pytest.raises(ValueError, match="nothing that is known"):
        makers("encoder.mask")


@pytest.mark.parametrize(
    ("site", "computes"),
    [
        ("encoder.embedding", ("* self.scale", "self.scale = math.sqrt(config.d_model)")),
        ("decoder.embedding", ("* self.scale", "self.config.target_embedding")),
        ("encoder.positions", ("angle.sin(), angle.cos()", "base ** (even / d_model)")),
        ("decoder.input", ("embedding + positions",)),
        ("encoder.3.norm1", ("norm(total)",)),
        ("decoder.softmax", ("log_softmax",)),
    ],
)
def test_the_code_of_a_block_computes_it(site: str, computes: tuple[str, ...]) -> None:
    text = "\n".join(code.text for code in codes_of(site, runs.run("The cat sleeps.").recording))
    for line in computes:
        assert line in text


def test_the_decoder_has_its_own_code() -> None:
    names = {made.__qualname__ for made in makers("decoder.embedding")}
    assert "Transformer.embed_target" in names
    assert "Transformer.embed" not in names
    assert "Transformer.embed" in {made.__qualname__ for made in makers("encoder.embedding")}


@pytest.mark.parametrize("subject", OF_SUBJECTS)
def test_what_works_on_a_page_is_read_from_its_file(subject: str) -> None:
    found = [read(made) for made in OF_SUBJECTS[subject]]  # pyrefly: ignore[bad-index]
    assert len({code.name for code in found}) == len(found)
    for code in found:
        assert code.file.startswith("model/")
        lines = (ROOT / code.file).read_text(encoding="utf-8").splitlines()
        shown = [line.strip() for line in code.text.splitlines()]
        assert [line.strip() for line in lines[code.first - 1 :][: len(shown)]] == shown
