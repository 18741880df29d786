"""Small Marian models as Hugging Face saves them, with SentencePiece models of the phrase book."""

import io
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest
import torch

from model.tasks import make_pairs

Pickled = Literal["", "new", "old"]
SIZES: dict[str, dict[str, Any]] = {
    "tiny": {"d_model": 16, "heads": 2, "ffn": 32, "layers": (1, 1), "activation": "relu"},
    "small": {"d_model": 32, "heads": 4, "ffn": 64, "layers": (2, 2), "activation": "swish"},
    "uneven": {"d_model": 64, "heads": 8, "ffn": 96, "layers": (3, 1), "activation": "gelu"},
}


@cache
def sentence_pieces(pieces: int = 120) -> tuple[bytes, bytes]:
    """Train one SentencePiece model on the Spanish sentences, and one on the English ones."""
    pairs, _ = make_pairs("phrases-es", 400, 0, 0)
    sides = [[pair.src for pair in pairs], [pair.tgt for pair in pairs]]
    return train_pieces(sides[0], pieces), train_pieces(sides[1], pieces)


def train_pieces(lines: Iterable[str], pieces: int, **settings: Any) -> bytes:
    """Train a SentencePiece model, a unigram one unless said."""
    library = pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    written = io.BytesIO()
    library.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=written,
        vocab_size=pieces,
        minloglevel=2,
        **settings,
    )
    return written.getvalue()


@cache
def vocabulary() -> dict[str, int]:
    """Return one list for both languages, in the order of OPUS-MT: </s>, <unk>, …, <pad>."""
    library = pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    found: dict[str, None] = {"</s>": None, "<unk>": None, ">>eng<<": None}
    for data in sentence_pieces():
        model = library.SentencePieceProcessor(model_proto=data)
        ids = range(model.get_piece_size())
        found |= dict.fromkeys(model.id_to_piece(i) for i in ids if not model.is_control(i))
    return {piece: i for i, piece in enumerate([*found, "<pad>"])}


def theirs(size: str = "tiny", seed: int = 0, **settings: Any) -> Any:
    """Return a MarianMTModel with random weights everywhere, in evaluation mode."""
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    of, ids = SIZES[size], vocabulary()
    torch.manual_seed(seed)
    values = {
        "vocab_size": len(ids), "d_model": of["d_model"],
        "encoder_layers": of["layers"][0], "decoder_layers": of["layers"][1],
        "encoder_attention_heads": of["heads"], "decoder_attention_heads": of["heads"],
        "encoder_ffn_dim": of["ffn"], "decoder_ffn_dim": of["ffn"],
        "activation_function": of["activation"], "max_position_embeddings": 64,
        "scale_embedding": True, "pad_token_id": ids["<pad>"],
        "decoder_start_token_id": ids["<pad>"], "eos_token_id": ids["</s>"],
        "forced_eos_token_id": None,
    }  # fmt: skip
    model = transformers.MarianMTModel(transformers.MarianConfig(**values | settings)).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "embed_positions" not in name:
                parameter.normal_(std=0.3)
        model.final_logits_bias.normal_()
    return model


def save_marian(folder: Path, model: Any, pickled: Pickled = "") -> Path:
    """Write a model's folder as Hugging Face does, pickled as torch does now or did before 1.6."""
    folder.mkdir(parents=True)
    model.save_pretrained(folder)
    if pickled:
        (folder / "model.safetensors").unlink()
        form = {"_use_new_zipfile_serialization": pickled == "new"}
        torch.save(model.state_dict(), folder / "pytorch_model.bin", **form)
    source, target = sentence_pieces()
    (folder / "source.spm").write_bytes(source)
    (folder / "target.spm").write_bytes(target)
    (folder / "vocab.json").write_text(json.dumps(vocabulary()), encoding="utf-8")
    settings = {"source_lang": "es", "target_lang": "en"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    (folder / "README.md").write_text("---\nlicense: cc-by-4.0\n---\n# A model\n", encoding="utf-8")
    return folder
