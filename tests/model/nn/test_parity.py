"""With copied weights, ours equals PyTorch's own layers and transformers' Marian, within 1e-5."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from model.config import Norm
from model.nn.attention import MultiHeadAttention
from model.nn.layers import AddNorm, DecoderLayer, EncoderLayer, FeedForward
from model.nn.masks import causal_mask, padding_mask
from model.nn.transformer import Transformer
from tests.model.samples import randomise, tiny_config, tiny_model

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
    weights: list[Tensor] = []

    class Keep:
        def __call__(self, name: str, tensor: Tensor) -> Tensor:
            if name == "weights":
                weights.append(tensor)
            return tensor

        def at(self, scope: str) -> Keep:
            return self

        def step(self, index: int) -> Keep:
            return self

    k, v = ours.key_value(memory)
    out = ours.attend(ours.query(x), k, v, mask, Keep())
    expected, expected_weights = theirs(
        x, memory, memory, key_padding_mask=(SRC == 0) if masked else None,
        average_attn_weights=False,
    )  # fmt: skip
    close(out, expected)
    close(weights[0], expected_weights)


def test_stacked_projection_equals_separate_ones() -> None:
    ours = MultiHeadAttention(D, HEADS, 0.0)
    randomise(ours)
    x = torch.randn(2, 4, D)
    q, k, v = ours.self_qkv(x)
    close(q, ours.query(x))
    close(k, ours.key_value(x)[0])
    close(v, ours.key_value(x)[1])


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


def copy_marian_attention(ours: MultiHeadAttention, theirs: Any) -> None:
    parts = (theirs.q_proj, theirs.k_proj, theirs.v_proj)
    ours.w_qkv.weight.data.copy_(torch.cat([part.weight for part in parts]))
    ours.w_qkv.bias.data.copy_(torch.cat([part.bias for part in parts]))
    copy_linear(ours.w_o, theirs.out_proj)


def copy_marian_layer(ours: EncoderLayer | DecoderLayer, theirs: Any) -> None:
    copy_marian_attention(ours.self_attn, theirs.self_attn)
    norms: list[tuple[AddNorm, nn.LayerNorm]] = [(ours.add_norm_1, theirs.self_attn_layer_norm)]
    if isinstance(ours, DecoderLayer):
        copy_marian_attention(ours.cross_attn, theirs.encoder_attn)
        norms += [(ours.add_norm_2, theirs.encoder_attn_layer_norm)]
        norms += [(ours.add_norm_3, theirs.final_layer_norm)]
    else:
        norms += [(ours.add_norm_2, theirs.final_layer_norm)]
    for add_norm, norm in norms:
        copy_linear(add_norm.norm, norm)
    copy_linear(ours.ffn.w_1, theirs.fc1)
    copy_linear(ours.ffn.w_2, theirs.fc2)


def copy_marian(ours: Transformer, theirs: Any) -> None:
    """Copy all weights of a MarianMTModel, and its positions: both halves as in ours, but with
    the paper's frequencies instead of Tensor2Tensor's."""
    ours.src_embed.weight.data.copy_(theirs.model.encoder.embed_tokens.weight)
    ours.tgt_embed.weight.data.copy_(theirs.model.decoder.embed_tokens.weight)
    ours.generator.weight.data.copy_(theirs.lm_head.weight)
    ours.generator.bias.data.copy_(theirs.final_logits_bias[0])
    ours.pos.copy_(theirs.model.encoder.embed_positions.weight[: len(ours.pos)])
    layers: list[EncoderLayer | DecoderLayer] = [*ours.encoder, *ours.decoder]
    their_layers = [*theirs.model.encoder.layers, *theirs.model.decoder.layers]
    for our_layer, their_layer in zip(layers, their_layers, strict=True):
        copy_marian_layer(our_layer, their_layer)


@pytest.mark.parametrize("shared", [True, False])
def test_whole_model_equals_marian(shared: bool) -> None:
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    config = tiny_config(
        vocab_size=50, tgt_vocab_size=None if shared else 40, share_embeddings=shared,
        tie_generator=True, positions="half",
    )  # fmt: skip
    theirs = transformers.MarianMTModel(transformers.MarianConfig(
        vocab_size=50, decoder_vocab_size=config.n_tgt_vocab,
        share_encoder_decoder_embeddings=shared, d_model=config.d_model, encoder_layers=2,
        decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2,
        encoder_ffn_dim=config.d_ff, decoder_ffn_dim=config.d_ff, activation_function="relu",
        scale_embedding=True, max_position_embeddings=config.max_len, pad_token_id=0,
        eos_token_id=2, decoder_start_token_id=1, forced_eos_token_id=None,
    )).eval()  # fmt: skip
    positions = theirs.model.encoder.embed_positions.weight.clone()
    randomise(theirs)
    for side in (theirs.model.encoder, theirs.model.decoder):
        side.embed_positions.weight.copy_(positions)
    theirs.final_logits_bias.normal_()
    ours = tiny_model(**config.to_dict())
    copy_marian(ours, theirs)
    tgt = torch.tensor([[1, 5, 6, 7], [1, 9, 8, 0]])
    expected = theirs(input_ids=SRC, attention_mask=(SRC != 0).long(), decoder_input_ids=tgt)
    real = tgt != 0
    close(ours(SRC, tgt)[real], expected.logits[real])


def test_marian_has_the_papers_frequencies_in_halves() -> None:
    """The tables differ from our `half`, Tensor2Tensor's, in nothing but the frequencies."""
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    theirs = transformers.models.marian.modeling_marian.MarianSinusoidalPositionalEmbedding(64, 16)
    table = theirs.create_weight()
    ours = tiny_model(positions="interleaved").pos  # (64, 16): sin, cos, sin, cos …
    close(torch.cat((ours[:, 0::2], ours[:, 1::2]), dim=1), table)
