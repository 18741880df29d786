"""Exports a model to CTranslate2, a C++ engine that does the same in less time, and runs it there.

The folder has the engine's own files, model.bin, config.json and the vocabulary, which can be
opened wherever the engine runs, and our tokenizer.json, which splits text into its pieces.
"""

import importlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal

import numpy as np
import torch
from torch import Tensor, nn

from model.checkpoint import Checkpoint
from model.config import ModelConfig
from model.decoding.batch import banned_ids
from model.decoding.beam import LENGTH_PENALTY
from model.decoding.limits import limit
from model.decoding.search import WINDOW, in_batches
from model.errors import UserError, reason
from model.files import aside, read_json
from model.nn.attention import MultiHeadAttention
from model.nn.layers import AddNorm, DecoderLayer, EncoderLayer
from model.nn.transformer import Transformer
from model.text.marian_tokenizer import read_tokenizer

Weights = Literal["float32", "bfloat16", "int8"]
FILES: Final = ("model.bin", "config.json", "shared_vocabulary.json", "tokenizer.json")
# The bias of tokens that our search never writes: the exported model cannot choose them either.
NEVER: Final = -1e9


def ctranslate2() -> ModuleType:
    """Return the library, which the app does not need; raises UserError if it is missing."""
    try:
        return importlib.import_module("ctranslate2")
    except ImportError as error:
        what = "CTranslate2 is not installed: pip install ctranslate2"
        raise UserError("plain", what=what) from error


def export(loaded: Checkpoint, folder: Path, weights: Weights = "float32") -> None:
    """Write a Transformer for CTranslate2 to a new or empty folder; raises UserError."""
    if not isinstance(loaded.model, Transformer):
        what = f"CTranslate2 runs Transformers alone, and this model is an {loaded.config.arch}."
        raise UserError("plain", what=what)
    spec = specification(loaded.model, loaded.tokenizer.pieces)
    spec.config.add_attribute("source", loaded.tokenizer.language)
    spec.optimize(weights)
    try:
        if folder.exists() and any(folder.iterdir()):
            raise UserError("plain", "out", what=f"{folder} is not empty: choose a new folder.")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with aside("export", folder.parent) as place:
            new = place / "model"
            new.mkdir()
            spec.save(str(new))
            loaded.tokenizer.save(new / "tokenizer.json")
            new.replace(folder)
    except OSError as error:
        what = f"{folder} cannot be written: {reason(error).text}."
        raise UserError("plain", "out", what=what) from error


@torch.no_grad()
def specification(model: Transformer, pieces: Sequence[str]) -> Any:
    """Return the model as CTranslate2's TransformerSpec; `pieces` are its vocabulary by id."""
    config = model.config
    specs = ctranslate2().specs
    spec = specs.TransformerSpec.from_config(
        (config.n_encoder_layers, config.n_decoder_layers),
        config.n_heads,
        pre_norm=config.norm == "pre",
        activation=getattr(specs.Activation, config.activation.upper()),
    )
    layers: list[EncoderLayer | DecoderLayer] = [*model.encoder, *model.decoder]
    for target, layer in zip([*spec.encoder.layer, *spec.decoder.layer], layers, strict=True):
        _fill_layer(target, layer)
    for part, norm in ((spec.encoder, model.encoder_norm), (spec.decoder, model.decoder_norm)):
        part.position_encodings.encodings = _copy(model.pos)
        part.scale_embeddings = config.scale_embedding
        if norm is not None:
            _fill_norm(part.layer_norm, norm)
    spec.encoder.embeddings[0].weight = _copy(model.src_embed.weight)
    spec.decoder.embeddings.weight = _copy(model.tgt_embed.weight)
    spec.decoder.projection.weight = _copy(model.generator.weight)
    never = model.generator.bias.index_fill(0, banned_ids(config), NEVER)
    spec.decoder.projection.bias = never.numpy()

    spec.register_source_vocabulary(list(pieces))
    spec.register_target_vocabulary(list(pieces))
    spec.config.decoder_start_token = spec.config.bos_token = pieces[config.bos_id]
    spec.config.eos_token = pieces[config.eos_id]
    spec.config.unk_token = pieces[config.pad_id]  # never used: no text has an unknown piece
    spec.config.add_source_eos = True
    spec.config.add_attribute("model", config.to_dict())
    spec.validate()
    return spec


def _fill_layer(target: Any, layer: EncoderLayer | DecoderLayer) -> None:
    _fill_attention(target.self_attention, layer.self_attn, layer.add_norm_1, [slice(None)])
    if isinstance(layer, DecoderLayer):
        d = layer.cross_attn.d_model
        parts = [slice(d), slice(d, None)]  # queries of the target; keys and values of the memory
        _fill_attention(target.attention, layer.cross_attn, layer.add_norm_2, parts)
    _fill_linear(target.ffn.linear_0, layer.ffn.w_1)
    _fill_linear(target.ffn.linear_1, layer.ffn.w_2)
    last = layer.add_norm_3 if isinstance(layer, DecoderLayer) else layer.add_norm_2
    _fill_norm(target.ffn.layer_norm, last.norm)


def _fill_attention(
    target: Any, attention: MultiHeadAttention, add_norm: AddNorm, parts: list[slice]
) -> None:
    """Fill in W_Q, W_K and W_V, stacked as the engine stacks them, W_O and the norm."""
    for linear, rows in zip(target.linear, parts, strict=False):
        linear.weight = _copy(attention.w_qkv.weight[rows])
        linear.bias = _copy(attention.w_qkv.bias[rows])
    _fill_linear(target.linear[-1], attention.w_o)
    _fill_norm(target.layer_norm, add_norm.norm)


def _fill_linear(target: Any, linear: nn.Linear) -> None:
    target.weight, target.bias = _copy(linear.weight), linear.bias.numpy()


def _fill_norm(target: Any, norm: nn.LayerNorm) -> None:
    target.gamma, target.beta = _copy(norm.weight), norm.bias.numpy()


def _copy(weights: Tensor) -> np.ndarray:
    """Return a copy of a matrix, because the engine rounds to 8 bits in place."""
    return weights.numpy().copy()


class Engine:
    """An exported model, ready to run; raises UserError if the folder has none."""

    def __init__(self, folder: Path) -> None:
        library = ctranslate2()
        missing = [name for name in FILES if not (folder / name).is_file()]
        if missing:
            what = (
                f"{folder} holds no exported model: {missing[0]} is missing. Write one with "
                "`python -m model export NAME --out FOLDER`."
            )
            raise UserError("plain", "model", what=what)
        try:
            config = read_json(folder / "config.json")
            self.config = ModelConfig.from_dict(config["model"])
            self.tokenizer = read_tokenizer(folder / "tokenizer.json")
            self.tokenizer.language = str(config.get("source", ""))
            # A second thread for one sentence costs more than it saves; another worker is better.
            self.translator: Any = library.Translator(
                str(folder), inter_threads=torch.get_num_threads(), intra_threads=1
            )
        except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
            what = f"{folder} holds no model that CTranslate2 can open: {error}"
            raise UserError("plain", "model", what=what) from error

    def translate_ids(
        self, sources: Sequence[Sequence[int]], width: int = 4, batch_size: int = 64
    ) -> list[list[int]]:
        """Translate sentences, as ids that end with <eos>; return ids without <eos>."""
        pieces = self.tokenizer.pieces
        ids_of = {piece: i for i, piece in enumerate(pieces)}
        limits = [limit(self.config, ids) for ids in sources]
        results = self.translator.translate_batch(
            [[pieces[i] for i in ids[:-1]] for ids in sources],
            max_batch_size=batch_size,
            beam_size=width,
            length_penalty=LENGTH_PENALTY,
            max_decoding_length=max(limits, default=1),
        )
        written = ([ids_of[piece] for piece in result.hypotheses[0]] for result in results)
        return [ids[:most] for ids, most in zip(written, limits, strict=True)]

    def translate_lines(
        self,
        lines: Iterable[str],
        beam: int = 4,
        batch_size: int = 64,
        notices: list[str] | None = None,
    ) -> Iterator[str]:
        """Translate lines as `model.decoding.search.translate_lines` does."""

        def translate(sources: Sequence[Sequence[int]]) -> list[str]:
            return [self.tokenizer.decode(i) for i in self.translate_ids(sources, beam, batch_size)]

        # Many batches at once, so that each of the engine's workers can take one.
        many = WINDOW * batch_size
        answers = in_batches(self.config, self.tokenizer, lines, translate, many, notices)
        for answer in answers:
            yield " ".join(reading.restored(text) for reading, text in answer)
