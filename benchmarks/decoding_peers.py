"""The systems that the decoding benchmark compares, all of the same size, with random weights.

Each is a function that returns `translate(sources, beam)`, which writes exactly 20 tokens for
every source: <eos> is made impossible by a bias of -1e9, and the length is limited to 20.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable

import torch

from model.config import ModelConfig
from model.decoding.search import translate_ids
from model.export import NEVER, specification
from model.nn.packed import packed
from model.nn.transformer import Transformer

Sources = list[list[int]]
Translate = Callable[[Sources, int], list[list[int]]]

PAD, BOS, EOS, VOCAB, TOKENS = 0, 1, 2, 8000, 20
# 19 random pieces and <eos>, the length of an ordinary sentence.
SOURCE_TOKENS = 20


def random_sources(count: int) -> Sources:
    """Return the same random sentences to every system."""
    numbers = torch.Generator().manual_seed(0)
    ids = torch.randint(3, VOCAB - 1, (count, SOURCE_TOKENS - 1), generator=numbers).tolist()
    return [[*row, EOS] for row in ids]


def _our_model() -> Transformer:
    config = ModelConfig(VOCAB, d_model=256, d_ff=1024, n_encoder_layers=3, n_decoder_layers=3)
    model = Transformer(config).eval()
    with torch.no_grad():
        model.generator.bias[EOS] = NEVER
    return model


def ours() -> Translate:
    """This project's own model and search."""
    fast = packed(_our_model())
    return lambda sources, beam: translate_ids(fast, sources, beam, max_len=TOKENS)


def marian() -> Translate:
    """Hugging Face transformers: `MarianMTModel.generate`, with its K/V cache."""
    from transformers import MarianConfig, MarianMTModel

    # Marian starts its decoder from the embedding of <pad>, as its released models do.
    config = MarianConfig(
        vocab_size=VOCAB, d_model=256, encoder_layers=3, decoder_layers=3,
        encoder_attention_heads=8, decoder_attention_heads=8, encoder_ffn_dim=1024,
        decoder_ffn_dim=1024, activation_function="relu", scale_embedding=True,
        max_position_embeddings=256, pad_token_id=VOCAB - 1,
        eos_token_id=EOS, bos_token_id=BOS, decoder_start_token_id=VOCAB - 1,
        forced_eos_token_id=None,
    )  # fmt: skip
    model = MarianMTModel(config).eval()
    model.final_logits_bias[0, [PAD, BOS, EOS, VOCAB - 1]] = NEVER

    def translate(sources: Sources, beam: int) -> list[list[int]]:
        src = torch.tensor(sources)
        with torch.inference_mode():
            out = model.generate(
                input_ids=src, attention_mask=torch.ones_like(src), num_beams=beam,
                do_sample=False, max_new_tokens=TOKENS, min_new_tokens=TOKENS,
            )  # fmt: skip
        return out[:, 1:].tolist()

    return translate


def _ctranslate2(compute_type: str) -> Translate:
    import ctranslate2

    names = [str(i) for i in range(VOCAB)]
    spec = specification(_our_model(), names)
    spec.optimize()
    with tempfile.TemporaryDirectory() as folder:
        spec.save(folder)
        translator = ctranslate2.Translator(
            folder,
            compute_type=compute_type,
            inter_threads=1,
            intra_threads=torch.get_num_threads(),
        )

    def translate(sources: Sources, beam: int) -> list[list[int]]:
        pieces = [[names[i] for i in source[:-1]] for source in sources]  # it adds <eos> itself
        results = translator.translate_batch(
            pieces, beam_size=beam, max_decoding_length=TOKENS, min_decoding_length=TOKENS
        )
        return [[int(piece) for piece in result.hypotheses[0]] for result in results]

    return translate


def ctranslate2_float32() -> Translate:
    """CTranslate2, a C++ engine only for inference, with our model as `export` writes it."""
    return _ctranslate2("float32")


def ctranslate2_int8() -> Translate:
    """CTranslate2 with weights rounded to 8 bits."""
    return _ctranslate2("int8")
