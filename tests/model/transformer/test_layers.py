"""The sublayers against torch's own, with the same weights, in double precision."""

from collections.abc import Iterator

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from model.sites.tap import Recorder
from model.transformer.config import ModelConfig
from model.transformer.layers import DecoderLayer, Dropout, EncoderLayer, MultiHeadAttention
from model.transformer.masks import causal_mask, padding_mask

D, H, F, B, S, T = 24, 4, 40, 3, 7, 5
CONFIG = ModelConfig(d_model=D, heads=H, d_ff=F)


@pytest.fixture(autouse=True)
def _double_precision() -> Iterator[None]:
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def source_mask() -> Tensor:
    """Rows of 7, 4 and 1 real pieces."""
    ids = torch.tensor([[1] * length + [0] * (S - length) for length in (7, 4, 1)])
    return padding_mask(ids, pad_id=0)  # B 1 S


def randomise(module: nn.Module) -> None:
    """Give biases and norms, which start out plain, values that show."""
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.3)


def copy_attention(ours: MultiHeadAttention, reference: nn.MultiheadAttention) -> None:
    """Copy our weights into torch's attention."""
    with torch.no_grad():
        projections = (ours.q, ours.k, ours.v)
        assert reference.in_proj_bias is not None
        reference.in_proj_weight.copy_(torch.cat([linear.weight for linear in projections]))
        reference.in_proj_bias.copy_(torch.cat([linear.bias for linear in projections]))
        reference.out_proj.load_state_dict(ours.out.state_dict())


def copy_layer(
    ours: EncoderLayer | DecoderLayer,
    reference: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer,
) -> None:
    """Copy all our weights into torch's layer."""
    copy_attention(ours.self_attn, reference.self_attn)
    reference.linear1.load_state_dict(ours.ffn.hidden.state_dict())
    reference.linear2.load_state_dict(ours.ffn.out.state_dict())
    norms = ["norm1", "norm2"]
    if isinstance(ours, DecoderLayer):
        assert isinstance(reference, nn.TransformerDecoderLayer)
        copy_attention(ours.cross_attn, reference.multihead_attn)
        norms.append("norm3")
    for name in norms:
        reference.get_submodule(name).load_state_dict(ours.get_submodule(name).state_dict())


@pytest.mark.parametrize("causal", [False, True])
def test_attention_is_torchs_scaled_dot_product(causal: bool) -> None:
    attention = MultiHeadAttention(D, H)
    randomise(attention)
    query = torch.randn(B, T, D)
    source = query if causal else torch.randn(B, S, D)
    mask = causal_mask(T).expand(B, T, T) if causal else source_mask()
    recorder = Recorder()
    out = attention(query, source, mask, recorder)
    found = recorder.finish()
    expected = functional.scaled_dot_product_attention(
        found["q"], found["k"], found["v"], attn_mask=mask.unsqueeze(1)
    )  # B H T Dk
    torch.testing.assert_close(found["z"], expected)
    joined = expected.transpose(1, 2).reshape(B, T, D)
    torch.testing.assert_close(out, functional.linear(joined, *attention.out.parameters()))


def test_each_head_owns_its_rows_of_the_projections() -> None:
    attention = MultiHeadAttention(D, H)
    randomise(attention)
    query, recorder = torch.randn(B, T, D), Recorder()
    attention(query, query, causal_mask(T).expand(B, T, T), recorder)
    for site, linear in (("q", attention.q), ("k", attention.k), ("v", attention.v)):
        for head in range(H):
            rows = slice(head * D // H, (head + 1) * D // H)
            expected = query @ linear.weight[rows].T + linear.bias[rows]
            torch.testing.assert_close(recorder.recorded[site][:, head], expected)


def test_attention_is_torchs_multi_head_attention() -> None:
    ours, reference = MultiHeadAttention(D, H), nn.MultiheadAttention(D, H, batch_first=True)
    randomise(ours)
    copy_attention(ours, reference)
    query, source, mask = torch.randn(B, T, D), torch.randn(B, S, D), source_mask()
    recorder = Recorder()
    expected, weights = reference(
        query, source, source, key_padding_mask=~mask[:, 0], average_attn_weights=False
    )
    torch.testing.assert_close(ours(query, source, mask, recorder), expected)
    torch.testing.assert_close(recorder.recorded["weights"], weights)
    assert not recorder.recorded["weights"].masked_select(~mask.unsqueeze(1)).any()


def test_the_encoder_layer_is_torchs() -> None:
    ours = EncoderLayer(CONFIG)
    reference = nn.TransformerEncoderLayer(D, H, F, dropout=0.0, batch_first=True)
    randomise(ours)
    copy_layer(ours, reference)
    x, mask = torch.randn(B, S, D), source_mask()
    expected = reference(x, src_key_padding_mask=~mask[:, 0])
    torch.testing.assert_close(ours(x, mask), expected)


def test_the_decoder_layer_is_torchs() -> None:
    ours = DecoderLayer(CONFIG)
    reference = nn.TransformerDecoderLayer(D, H, F, dropout=0.0, batch_first=True)
    randomise(ours)
    copy_layer(ours, reference)
    x, memory = torch.randn(B, T, D), torch.randn(B, S, D)
    mask, causal = source_mask(), causal_mask(T)
    expected = reference(x, memory, tgt_mask=~causal, memory_key_padding_mask=~mask[:, 0])
    torch.testing.assert_close(ours(x, memory, causal.expand(B, T, T), mask), expected)


def test_gradients_are_torchs_too() -> None:
    ours = EncoderLayer(CONFIG)
    reference = nn.TransformerEncoderLayer(D, H, F, dropout=0.0, batch_first=True)
    randomise(ours)
    copy_layer(ours, reference)
    x, mask = torch.randn(B, S, D), torch.ones(B, S, S, dtype=torch.bool)
    goal = torch.randn(B, S, D)
    functional.mse_loss(ours(x, mask), goal).backward()
    functional.mse_loss(reference(x), goal).backward()
    assert ours.self_attn.q.weight.grad is not None
    assert reference.self_attn.in_proj_weight.grad is not None
    torch.testing.assert_close(
        ours.self_attn.q.weight.grad, reference.self_attn.in_proj_weight.grad[:D]
    )
    torch.testing.assert_close(ours.ffn.hidden.weight.grad, reference.linear1.weight.grad)


def test_dropout_drops_at_its_rate_and_keeps_the_mean() -> None:
    dropout, x = Dropout(0.1), torch.ones(400, 1000)
    dropped = dropout(x)
    rate = round(0.1 * 256) / 256
    kept = dropped[dropped != 0]
    # Four standard deviations of a share of 400,000 draws.
    tolerance = 4 * (rate * (1 - rate) / x.numel()) ** 0.5
    assert abs(1 - kept.numel() / x.numel() - rate) < tolerance
    torch.testing.assert_close(kept, torch.full_like(kept, 1 / (1 - rate)))
    assert abs(dropped.mean().item() - 1) < tolerance / (1 - rate)


def test_dropout_draws_each_element_by_itself() -> None:
    """Neighbours come from one random word: they must not hang together."""
    dropped = (Dropout(0.5)(torch.ones(400, 1000)) == 0).double()
    both = (dropped[:, 1:] * dropped[:, :-1]).mean().item()
    assert abs(both - 0.25) < 0.005
    assert abs(dropped.mean(0) - 0.5).max() < 0.15


def test_dropout_does_nothing_in_evaluation_or_at_rate_zero() -> None:
    x = torch.randn(10, 10)
    assert Dropout(0.5).eval()(x) is x
    assert Dropout(0.0)(x) is x


@pytest.mark.parametrize("shape", [(1,), (3, 5), (2, 4, 7, 7)])
def test_dropout_keeps_shape_and_dtype(shape: tuple[int, ...]) -> None:
    x = torch.ones(shape, dtype=torch.bfloat16)
    dropped = Dropout(0.1)(x)
    assert (dropped.shape, dropped.dtype) == (x.shape, x.dtype)


@pytest.mark.parametrize("rate", [-0.1, 1.0])
def test_an_impossible_rate_is_refused(rate: float) -> None:
    with pytest.raises(ValueError, match="a dropout rate is at least 0 and below 1"):
        Dropout(rate)


def test_the_highest_rates_leave_something_over() -> None:
    assert Dropout(0.999)(torch.ones(100, 1000)).any()
