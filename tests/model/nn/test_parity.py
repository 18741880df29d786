"""With copied weights, ours equals PyTorch's own layers, within 1e-5; Marian's: test_marian.py."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from model.config import Norm
from model.nn.attention import MultiHeadAttention
from model.nn.hooks import Recorder
from model.nn.layers import DecoderLayer, EncoderLayer, FeedForward
from model.nn.masks import causal_mask, padding_mask
from tests.model.samples import randomise, tiny_config

D, HEADS, FF = 16, 4, 48
SRC = torch.tensor([[5, 6, 7, 8, 9], [4, 3, 9, 0, 0]])  # (B, S), 0 is padding


def close(ours: Tensor, theirs: Tensor) -> None:
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


def copy_linear(ours: nn.Linear | nn.LayerNorm, theirs: Any) -> None:
    ours.weight.data.copy_(theirs.weight)
    ours.bias.data.copy_(theirs.bias)


def copy_torch_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    assert theirs.in_proj_weight is not None
    ours.w_qkv.weight.data.copy_(theirs.in_proj_weight)
    ours.w_qkv.bias.data.copy_(theirs.in_proj_bias)
    copy_linear(ours.w_o, theirs.out_proj)


def copy_torch_ffn(ours: FeedForward, theirs: Any) -> None:
    copy_linear(ours.w_1, theirs.linear1)
    copy_linear(ours.w_2, theirs.linear2)


@pytest.fixture(autouse=True)
def no_gradients():
    torch.manual_seed(0)
    with torch.no_grad():
        yield


@pytest.mark.parametrize("masked", [False, True])
def test_attention_equals_torch(masked: bool) -> None:
    theirs = nn.MultiheadAttention(D, HEADS, batch_first=True)
    randomise(theirs)
    ours = MultiHeadAttention(D, HEADS, 0.0)
    copy_torch_attention(ours, theirs)
    x, memory = torch.randn(2, 4, D), torch.randn(2, 5, D)
    mask = padding_mask(SRC, 0) if masked else None
    recorder = Recorder()
    k, v = ours.key_value(memory)
    out = ours.attend(ours.query(x), k, v, mask, recorder)
    expected, expected_weights = theirs(
        x, memory, memory, key_padding_mask=(SRC == 0) if masked else None,
        average_attn_weights=False,
    )  # fmt: skip
    close(out, expected)
    close(torch.tensor(recorder.arrays["weights"]), expected_weights)


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_encoder_layer_equals_torch(norm: Norm) -> None:
    theirs = nn.TransformerEncoderLayer(
        D, HEADS, FF, dropout=0.0, batch_first=True, norm_first=norm == "pre"
    ).eval()
    randomise(theirs)
    ours = EncoderLayer(tiny_config(d_model=D, n_heads=HEADS, d_ff=FF, norm=norm)).eval()
    copy_torch_attention(ours.self_attn, theirs.self_attn)
    copy_torch_ffn(ours.ffn, theirs)
    copy_linear(ours.add_norm_1.norm, theirs.norm1)
    copy_linear(ours.add_norm_2.norm, theirs.norm2)
    x = torch.randn(2, 5, D)
    real = SRC != 0
    close(
        ours(x, padding_mask(SRC, 0))[real], theirs(x, src_key_padding_mask=~real)[real]
    )  # torch leaves the vectors of padding open


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_decoder_layer_equals_torch(norm: Norm) -> None:
    theirs = nn.TransformerDecoderLayer(
        D, HEADS, FF, dropout=0.0, batch_first=True, norm_first=norm == "pre"
    ).eval()
    randomise(theirs)
    ours = DecoderLayer(tiny_config(d_model=D, n_heads=HEADS, d_ff=FF, norm=norm)).eval()
    copy_torch_attention(ours.self_attn, theirs.self_attn)
    copy_torch_attention(ours.cross_attn, theirs.multihead_attn)
    copy_torch_ffn(ours.ffn, theirs)
    for i, add_norm in enumerate((ours.add_norm_1, ours.add_norm_2, ours.add_norm_3), start=1):
        copy_linear(add_norm.norm, getattr(theirs, f"norm{i}"))
    x, memory = torch.randn(2, 4, D), torch.randn(2, 5, D)
    memory_kv = ours.cross_attn.key_value(memory)
    expected = theirs(x, memory, tgt_mask=~causal_mask(4)[0, 0], memory_key_padding_mask=SRC == 0)
    close(ours(x, memory_kv, padding_mask(SRC, 0), causal_mask(4)), expected)
