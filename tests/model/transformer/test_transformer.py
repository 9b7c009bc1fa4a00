import pytest
import torch
from torch import Tensor

from model.sites.tap import Recorder
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer


@pytest.fixture
def src() -> Tensor:
    return torch.tensor([[40, 41, 42, 43, 44, 45, 2], [50, 51, 2, 0, 0, 0, 0]])  # B S


@pytest.fixture
def tgt() -> Tensor:
    return torch.tensor([[1, 60, 61, 62], [1, 70, 0, 0]])  # B T


def test_logits_are_identical_with_and_without_a_recorder(
    model: Transformer, src: Tensor, tgt: Tensor
) -> None:
    recorder = Recorder()
    with_recorder = model(src, tgt, recorder)
    assert torch.equal(with_recorder, model(src, tgt))
    assert torch.equal(with_recorder, recorder.finish()["decoder.logits"])


def test_a_padded_sentence_scores_as_it_does_alone(
    model: Transformer, src: Tensor, tgt: Tensor
) -> None:
    alone = model(src[1:, :3], tgt[1:, :2])  # 1 2 V
    torch.testing.assert_close(model(src, tgt)[1:, :2], alone)


def test_no_piece_sees_what_comes_after_it(model: Transformer, src: Tensor, tgt: Tensor) -> None:
    changed = tgt.clone()
    changed[0, 2:] = 99
    before, after = model(src, tgt)[0], model(src, changed)[0]
    torch.testing.assert_close(before[:2], after[:2])
    assert not torch.allclose(before[2:], after[2:])


def test_encode_and_decode_are_the_whole_forward(
    model: Transformer, src: Tensor, tgt: Tensor
) -> None:
    memory, mask = model.encode(src)
    assert memory.shape == (2, 7, 48)
    assert mask.shape == (2, 1, 7)
    assert torch.equal(model.decode(tgt, memory, mask), model(src, tgt))


def test_embeddings_are_scaled_up_and_shared_with_the_output(
    model: Transformer, src: Tensor
) -> None:
    recorder = Recorder()
    model.embed(src, recorder)
    matrix = model.embedding.weight  # V D
    torch.testing.assert_close(recorder.recorded["embedding"], matrix[src] * 48**0.5)
    assert torch.equal(model.output(matrix[:3]), matrix[:3] @ matrix.T)
    assert sum(parameter.shape == matrix.shape for parameter in model.parameters()) == 1


def test_fresh_inputs_have_about_unit_variance(config: ModelConfig) -> None:
    torch.manual_seed(0)
    vectors = Transformer(config).embedding.weight * config.d_model**0.5
    assert abs(vectors.std().item() - 1) < 0.05


def test_all_sizes_come_from_the_config() -> None:
    small = ModelConfig(
        vocab_size=11, d_model=6, heads=3, d_ff=5, encoder_layers=1, decoder_layers=2, max_length=9
    )
    model = Transformer(small)
    assert model(torch.ones(1, 9).long(), torch.ones(1, 4).long()).shape == (1, 4, 11)
    assert (len(model.encoder.layers), len(model.decoder.layers)) == (1, 2)


def test_input_longer_than_the_positions_is_refused(model: Transformer) -> None:
    with pytest.raises(ValueError, match="65 tokens given, at most 64 fit"):
        model.encode(torch.ones(1, 65).long())


def test_the_shipped_size_has_as_many_parameters_as_the_paper_implies() -> None:
    d, f, v = 256, 1024, 8000
    attention = 4 * (d * d + d)
    feed_forward = 2 * d * f + f + d
    norm = 2 * d
    encoder = 6 * (attention + feed_forward + 2 * norm)
    decoder = 6 * (2 * attention + feed_forward + 3 * norm)
    with torch.device("meta"):
        model = Transformer(ModelConfig())
    assert sum(p.numel() for p in model.parameters()) == v * d + encoder + decoder
