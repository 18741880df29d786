"""Converts a Marian model as Hugging Face saves it, such as OPUS-MT's, to one of this project.

Nothing in its files is executed, and only plain tensors are unpickled. No link out of its folder is
followed, and only one tensor at a time is in memory.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from model import checkpoint
from model.checkpoint import CheckpointError, other_weights
from model.config import STACKS, ModelConfig, Positions
from model.errors import UserError, os_errors_as
from model.files import aside, read_json
from model.marian_files import (
    CONFIG,
    LARGEST,
    PICKLED,
    README,
    SETTINGS,
    SOURCE,
    TARGET,
    VOCABULARY,
    WEIGHTS,
)
from model.nn.architectures import build
from model.nn.positional import positional_encoding
from model.pickled import convert, write_tensors
from model.text.marian_tokenizer import MarianTokenizer

Read = Callable[[str], Tensor]  # reads a tensor of the file by its name there
Shapes = Mapping[str, tuple[int, ...]]
Parts = tuple[str, ...]  # the names in the file of the tensors that one of ours stacks

ACTIVATIONS: Final = {"relu": "relu", "gelu": "gelu", "swish": "swish", "silu": "swish"}
SAME: Final = ("attention_heads", "ffn_dim")  # of encoder and decoder
# Settings that other Marian models use, but Hugging Face's do not support.
OFF: Final = ("normalize_before", "normalize_embedding", "add_final_layer_norm", "separate_vocabs")
LAYOUTS: Final[tuple[Positions, ...]] = ("marian", "half")
ROUNDED: Final = 2e-3  # the largest error of positions stored in 16 bits
LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}")
LICENCE: Final = re.compile(r"^license: *([\w.-]{1,40}) *$", re.MULTILINE)
BIAS, GENERATOR, SHARED = "final_logits_bias", "lm_head.weight", "model.shared.weight"
PARTS: Final[Mapping[str, Parts]] = {
    "self_attn.w_qkv": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    "self_attn.w_o": ("self_attn.out_proj",),
    "add_norm_1.norm": ("self_attn_layer_norm",),
    "ffn.w_1": ("fc1",),
    "ffn.w_2": ("fc2",),
    "add_norm_2.norm": ("final_layer_norm",),
}
DECODER_PARTS: Final[Mapping[str, Parts]] = {
    **PARTS,
    "cross_attn.w_qkv": ("encoder_attn.q_proj", "encoder_attn.k_proj", "encoder_attn.v_proj"),
    "cross_attn.w_o": ("encoder_attn.out_proj",),
    "add_norm_2.norm": ("encoder_attn_layer_norm",),
    "add_norm_3.norm": ("final_layer_norm",),
}


def import_marian(folder: Path, into: Path, origin: Mapping[str, Any] | None = None) -> None:
    """Write a Marian model's folder as a checkpoint at `into`, which must not exist yet.

    `origin` is what else is known about the model; it is saved too. Raises a UserError that names
    what cannot be imported, and CheckpointError if the checkpoint cannot be written.
    """
    if not folder.is_dir():
        raise UserError("no_folder", folder=str(folder))
    values = _json(folder, CONFIG)
    tokenizer = _tokenizer(folder)
    config = _config(values, tokenizer)
    with os_errors_as(CheckpointError("model_not_kept")):
        into.parent.mkdir(parents=True, exist_ok=True)
        temporary = ExitStack()
        place = temporary.enter_context(aside("import", into.parent))
    with temporary:
        name, shapes, read = _weights(folder, place)
        sources = _sources(config, shapes, name)
        _check_tables(config, shapes, read)
        config = replace(config, positions=_layout(config, shapes, read))

        def write_weights(path: Path) -> None:
            _write(path, _shapes(config), sources, read)
            if (folder / README).is_file():
                path.with_name(README).write_text(_text(folder, README), encoding="utf-8")

        about = _about(folder) | dict(origin or {})
        checkpoint.write(into, config, tokenizer, about, write_weights)


def _file(folder: Path, name: str) -> Path:
    """Return a plain file in a folder; a link may only lead to another file in it."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise UserError("link_leads_out", name=name)
    if not path.is_file():
        raise UserError("marian_file_missing", name=name)
    return path


def _bytes(folder: Path, name: str) -> bytes:
    path = _file(folder, name)
    if path.stat().st_size > LARGEST[name]:
        raise UserError("marian_too_large", name=name)
    return path.read_bytes()


def _text(folder: Path, name: str) -> str:
    try:
        return _bytes(folder, name).decode()
    except UnicodeDecodeError as error:
        raise UserError("marian_unreadable", name=name) from error


def _json(folder: Path, name: str) -> dict[str, Any]:
    _bytes(folder, name)
    try:
        return read_json(_file(folder, name))
    except (OSError, ValueError) as error:
        raise UserError("marian_unreadable", name=name) from error


def _tokenizer(folder: Path) -> MarianTokenizer:
    ids = _json(folder, VOCABULARY)
    pieces = sorted(ids, key=lambda piece: ids[piece] if type(ids[piece]) is int else -1)
    if [ids[piece] for piece in pieces] != list(range(len(ids))):
        raise UserError("marian_unreadable", name=VOCABULARY)
    return MarianTokenizer(pieces, _bytes(folder, SOURCE), _bytes(folder, TARGET))


def _config(values: Mapping[str, Any], tokenizer: MarianTokenizer) -> ModelConfig:
    """Return a model's settings as a ModelConfig; raises UserError if that is not possible."""
    if values.get("model_type") != "marian":
        raise UserError("other_architecture", name=str(values.get("model_type"))[:40])
    for name in SAME:
        if values.get(f"encoder_{name}") != values.get(f"decoder_{name}"):
            raise UserError("marian_setting", name=f"encoder_{name}, decoder_{name}")
    activation = ACTIVATIONS.get(str(values.get("activation_function")))
    if activation is None:
        raise UserError("marian_setting", name="activation_function")
    for name in OFF:
        if values.get(name):
            raise UserError("marian_setting", name=name)
    size = tokenizer.vocab_size
    asked = {
        "vocab_size": size,
        "decoder_vocab_size": size,
        "pad_token_id": tokenizer.pad_id,
        "decoder_start_token_id": tokenizer.bos_id,
        "eos_token_id": tokenizer.eos_id,
        "forced_eos_token_id": tokenizer.eos_id,
    }
    for name, value in asked.items():
        if values.get(name, value) not in (value, None):
            raise UserError("marian_setting", name=name)
    tied = values.get("tie_word_embeddings", True)
    settings = {
        "vocab_size": size,
        "d_model": values.get("d_model"),
        "n_heads": values.get("encoder_attention_heads"),
        "d_ff": values.get("encoder_ffn_dim"),
        "n_encoder_layers": values.get("encoder_layers"),
        "n_decoder_layers": values.get("decoder_layers"),
        "dropout": values.get("dropout", 0.0),
        "max_len": values.get("max_position_embeddings"),
        "activation": activation,
        "scale_embedding": values.get("scale_embedding", False),
        "force_end": values.get("forced_eos_token_id", tokenizer.eos_id) is not None,
        "share_embeddings": tied and values.get("share_encoder_decoder_embeddings", True),
        "tie_generator": tied,
        "positions": "marian",
        "pad_id": tokenizer.pad_id,
        "bos_id": tokenizer.bos_id,
        "eos_id": tokenizer.eos_id,
    }
    return ModelConfig.from_dict(settings)


def _weights(folder: Path, aside: Path) -> tuple[str, Shapes, Read]:
    """Return the name of the weights file, the shape of each tensor, and a function to read one.

    Pickled weights are first converted to safetensors in the folder `aside`.
    """
    pickled = not (folder / WEIGHTS).exists() and (folder / PICKLED).exists()
    name = PICKLED if pickled else WEIGHTS
    path = _file(folder, name)
    try:
        if pickled:
            convert(path, aside / WEIGHTS)
            path = aside / WEIGHTS
        with checkpoint.opened(path, name) as (_, shapes):
            return name, shapes, partial(_tensor, path)
    except CheckpointError:
        raise
    except (SafetensorError, ValueError) as error:
        raise UserError("marian_unreadable", name=name) from error


def _tensor(path: Path, name: str) -> Tensor:
    """Return one tensor, reopening the file, as an open one keeps all that was read in memory."""
    with safe_open(path, framework="pt") as file:
        return cast(Tensor, file.get_tensor(name))


def _shapes(config: ModelConfig) -> dict[str, tuple[int, ...]]:
    """Return the shape of each of our tensors, without allocating them."""
    with torch.device("meta"):
        return {name: tuple(p.shape) for name, p in build(config).named_parameters()}


def _sources(config: ModelConfig, shapes: Shapes, file: str) -> dict[str, Parts]:
    """Return the names of the file's tensors that make up each of our tensors.

    Raises a UserError that names extra tensors, missing ones, and ones with another shape.
    """
    sources: dict[str, Parts] = {}
    expected: dict[str, tuple[int, ...]] = {}
    tables = _tables(config)
    for name, (size, *row) in _shapes(config).items():
        if name in tables:  # the file may have it under several names
            there = tuple(one for one in tables[name] if one in shapes) or tables[name][:1]
            sources[name] = there[:1]
            expected |= dict.fromkeys(there, (size, *row))
        elif name == "generator.bias":
            sources[name] = (BIAS,)
            expected[BIAS] = (1, size)
        else:
            sources[name] = _parts(name)
            expected |= dict.fromkeys(sources[name], (size // len(sources[name]), *row))
    expected |= dict.fromkeys(_positions(shapes), (config.max_len, config.d_model))
    if SHARED in shapes and not config.share_embeddings:  # unused by their library in this case
        expected[SHARED] = (config.vocab_size, config.d_model)
    if shapes != expected:
        raise other_weights(file, shapes, expected)
    return sources


def _tables(config: ModelConfig) -> dict[str, Parts]:
    """Return the possible names in the file of each embedding table."""
    encoder, decoder = (f"model.{side}.embed_tokens.weight" for side in STACKS["transformer"])
    tied = (GENERATOR,) if config.tie_generator else ()
    untied = {} if config.tie_generator else {"generator.weight": (GENERATOR,)}
    if config.share_embeddings:
        return {"src_embed.weight": (SHARED, encoder, decoder, *tied)} | untied
    return {"src_embed.weight": (encoder,), "tgt_embed.weight": (decoder, *tied)} | untied


def _parts(name: str) -> Parts:
    """Return a layer tensor's names in the file; our stacked W_Q, W_K and W_V are three there."""
    stack, layer, *inner, kind = name.split(".")
    theirs = PARTS[".".join(inner)] if stack == "encoder" else DECODER_PARTS[".".join(inner)]
    return tuple(f"model.{stack}.layers.{layer}.{part}.{kind}" for part in theirs)


def _positions(shapes: Shapes) -> Parts:
    names = (f"model.{side}.embed_positions.weight" for side in STACKS["transformer"])
    return tuple(name for name in names if name in shapes)


def _check_tables(config: ModelConfig, shapes: Shapes, read: Read) -> None:
    """Raise UserError if tables that the configuration says are shared differ in the file."""
    for names in _tables(config).values():
        first, *others = (name for name in names if name in shapes)
        for other in others:
            if not torch.equal(read(first), read(other)):
                raise UserError("marian_untied", names=f"{first}, {other}")


def _layout(config: ModelConfig, shapes: Shapes, read: Read) -> Positions:
    """Return the layout of the positions in the file, or Hugging Face's own if it has none."""
    names = _positions(shapes)
    for layout in LAYOUTS:
        table = positional_encoding(config.max_len, config.d_model, layout)
        if all(torch.allclose(read(name).float(), table, atol=ROUNDED) for name in names):
            return layout
    raise UserError("marian_setting", name=names[0])


def _write(path: Path, shapes: Shapes, sources: Mapping[str, Parts], read: Read) -> None:
    """Write a safetensors file, one tensor at a time; raises UserError if one is not finite.

    Tensors in 16 bits stay in 16 bits.
    """
    dtypes = {read(part).dtype for parts in sources.values() for part in parts}
    dtype = torch.float16 if dtypes == {torch.float16} else torch.float32

    def parts() -> Iterator[Tensor]:
        for part in (part for name in shapes for part in sources[name]):
            tensor = read(part).to(dtype)
            if not all(end.isfinite() for end in tensor.aminmax()):  # aminmax copies nothing
                raise CheckpointError("weights_not_finite", file=path.name, name=part)
            yield tensor

    write_tensors(path, {name: (dtype, shape) for name, shape in shapes.items()}, parts())


def _about(folder: Path) -> dict[str, Any]:
    """Return what else the files say about a model: its languages and its licence."""
    about: dict[str, Any] = {"source": "marian", "imported": time.strftime("%Y-%m-%d")}
    if (folder / SETTINGS).is_file():
        settings = _json(folder, SETTINGS)
        languages = [settings.get(f"{side}_lang") for side in ("source", "target")]
        if all(isinstance(one, str) and LANGUAGE.fullmatch(one) for one in languages):
            about["languages"] = languages
    if (folder / README).is_file() and (found := LICENCE.search(_text(folder, README))):
        about["licence"] = found[1]
    return about
