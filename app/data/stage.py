"""All that the stage draws of one sentence: its arrays, packed once, its hero, and the training.

L layers, H heads, S source tokens, T target tokens, M moments of a training.
"""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from app.data.atlas import atlas_of
from app.data.cache import cached
from app.data.decoding import Decoding, decode
from app.data.translation import Run, Translation, load, unchanged
from model.atlas.measures import ROLES
from model.checkpoint import snapshot_names, untrained
from model.config import ModelConfig
from model.interpret.calculation.numbers import softmax
from model.interpret.calculation.stages import stages
from model.interpret.calculation.target import losses, next_tokens
from model.interpret.capture import Capture
from model.interpret.hero import Hero, hero_of, heroes, is_word
from model.interpret.recording import capture
from model.text.byte_level import Token

__all__ = ["ROLES", "Hero"]

# Of a vector the picture has the first numbers; a head's own are whole.
SHOWN, SHOWN_HIDDEN, SHOWN_HEAD = 32, 96, 64
TOP: Final = 10
MAX_STEPS: Final = 40  # of a model that has not learned to end
Arrays = dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class StageData:
    """What one sentence's stage is drawn from: `packed` arrays, their `shapes` in order, and facts.

    `facts` are JSON: tokens, heroes, the configuration, and what the moments of training wrote.
    """

    packed: str
    shapes: tuple[tuple[str, tuple[int, ...]], ...]
    facts: str


def stage_data(translation: Translation) -> StageData:
    """Return what the stage of a translation is drawn from, computed once for all visitors."""
    return _data(translation.run, _moment_names(translation.model))


@cached()
def _data(run: Run, moments: tuple[str, ...]) -> StageData:
    translation = unchanged(run)
    captured, loaded = translation.capture, run.loaded
    writers, roles = _of_atlas(run.model)
    found = heroes(captured, writers)
    learned, moment_arrays = _moments(run, translation, found, moments)
    arrays = arrays_of(captured) | moment_arrays
    ids = arrays.pop("top_ids")
    texts = {int(i): loaded.tokenizer.token(int(i)).text for i in np.unique(ids)}
    config = captured.config
    facts = {
        "src": _tokens(captured.src),
        "tgt": _tokens((*captured.tgt, loaded.tokenizer.token(config.eos_id))),
        "output": translation.output,
        "text": translation.reading.text,
        "heroes": [asdict(one) for one in found],
        "hero": hero_of(captured, found).source,
        "roles": roles,
        "top": [[texts[int(i)] for i in row] for row in ids],
        "moments": learned,
        "config": {
            "d_model": config.d_model, "n_heads": config.n_heads, "d_k": config.d_k,
            "d_ff": config.d_ff, "vocab": config.n_tgt_vocab, "src_vocab": config.vocab_size,
            "n_encoder": config.n_encoder_layers, "n_decoder": config.n_decoder_layers,
            "pre": config.norm == "pre", "activation": config.activation,
            "positions": config.positions,
        },
    }  # fmt: skip
    shapes = tuple((name, array.shape) for name, array in arrays.items())
    return StageData(packed(arrays), shapes, json.dumps(facts, ensure_ascii=False))


def arrays_of(captured: Capture) -> Arrays:
    """Return the arrays that are drawn, by their names on the stage, cut to what is shown."""
    config, read = captured.config, captured.arrays
    layer, attention = "encoder.0", "encoder.0.self_attn"
    cut = {
        "emb": "src.embed", "pos": "src.pos", "x": "src.sum", "n1": f"{layer}.add_norm_1.norm",
        "o": f"{attention}.out", "add1": f"{layer}.add_norm_1.add",
        "n2": f"{layer}.add_norm_2.norm", "ff": f"{layer}.ffn.out",
        "add2": f"{layer}.add_norm_2.add", "mem": "memory", "temb": "tgt.sum",
    }  # fmt: skip
    whole = {name: f"{attention}.{of}" for name, of in _ATTENTION.items()}
    last = _stream(config, "decoder")
    logits = captured.logits.astype(np.float64)
    ids = np.argsort(-logits, axis=-1, kind="stable")[:, :TOP]
    right = losses(captured.logits, next_tokens(captured))
    of_heads = {name: read[path][..., :SHOWN_HEAD] for name, path in whole.items()}
    of_heads |= {name: read[whole[name]] for name in ("s", "sc")}
    return {
        **{name: read[path][:, :SHOWN] for name, path in cut.items()},
        "pre": read[f"{layer}.ffn.pre"][:, :SHOWN_HIDDEN],
        "hid": read[f"{layer}.ffn.hidden"][:, :SHOWN_HIDDEN],
        **of_heads,
        "ew": captured.all_weights("encoder"),  # (L, H, S, S)
        "dw": captured.all_weights("decoder"),  # (L, H, T, T)
        "dsc": read["decoder.0.self_attn.scaled"],  # (H, T, T): what the mask is laid on
        "cw": captured.all_weights("cross"),  # (L, H, T, S)
        "cz": np.stack(
            [
                captured.stage("cross", i, "context")[..., :SHOWN_HEAD]
                for i in range(config.n_decoder_layers)
            ]
        ),
        "es": np.stack([read[name][:, :SHOWN] for name in _stream(config, "encoder")]),
        "ds": np.stack([read[name][:, :SHOWN] for name in last]),
        "dout": read[stages(config)["logits"].inputs[0]][:, :SHOWN],
        "top_ids": ids,
        "tl": np.take_along_axis(logits, ids, -1),
        "tp": np.take_along_axis(softmax(logits), ids, -1),
        "p": right.probabilities,
        "loss": right.surprises,
    }


_ATTENTION: Final = {"q": "q", "k": "k", "v": "v", "s": "scores", "sc": "scaled", "z": "context"}


def packed(arrays: Mapping[str, np.ndarray]) -> str:
    """Return arrays as single-precision numbers, one after the other, compressed, in base64.

    Their bytes are sorted by significance, which compresses better: the lowest of all come first.
    """
    numbers = np.concatenate([array.astype("<f4").ravel() for array in arrays.values()])
    by_place = numbers.view(np.uint8).reshape(-1, 4).T
    return base64.b64encode(zlib.compress(by_place.tobytes(), 6)).decode("ascii")


def _stream(config: ModelConfig, stack: Any) -> list[str]:
    """Return the arrays that the layers of a stack leave, one a layer."""
    number = len(config.stacks[stack].sublayers)
    last = "add" if config.norm == "pre" else "norm"
    return [f"{stack}.{i}.add_norm_{number}.{last}" for i in range(config.n_layers(stack))]


def _tokens(tokens: Sequence[Token]) -> list[dict[str, Any]]:
    return [
        {
            "t": token.text,
            "id": token.id,
            "starts": token.starts_word,
            "special": token.special,
            "word": is_word(token),
        }
        for token in tokens
    ]


def _of_atlas(model: str) -> tuple[list[tuple[int, int]], dict[str, str]]:
    """Return the heads whose rows write a word, the best first, and the roles that heads have."""
    atlas = atlas_of(model)
    if atlas is None:
        return [], {}
    found = [one for one in atlas.heads if one.role is not None]
    writing = sorted(
        (one for one in found if one.role and one.role.role == "writes"),
        key=lambda one: -one.role.share if one.role else 0,
    )
    roles = {
        f"{one.id.kind}.{one.id.layer}.{one.id.head}": one.role.role for one in found if one.role
    }
    return [(one.id.layer, one.id.head) for one in writing], roles


def _moment_names(model: str) -> tuple[str, ...]:
    """Return the snapshots of a shipped model's training by age; none where it has none."""
    return tuple(name for name in snapshot_names() if name.startswith(f"snapshots/{model}-"))


def _moments(
    run: Run, translation: Translation, found: Sequence[Hero], names: Sequence[str]
) -> tuple[list[dict[str, Any]], Arrays]:
    """Return what the model, younger, made of the sentence, and where the clearest head looked.

    All read the finished model's translation; where no moment was kept, the first one is made:
    the same model with the weights that a training starts from.
    """
    target = translation.output
    models = [load(name) for name in names] or [untrained(run.loaded)]
    told, arrays = [], {}
    for i, loaded in enumerate((*models, run.loaded)):
        tokenizer, config = loaded.tokenizer, loaded.config
        source = [*tokenizer.encode(run.reading.text), config.eos_id][: config.max_len]
        if loaded is run.loaded:
            source, written = translation.capture.src_ids, translation.output
            ids = translation.capture.tgt_ids[1:]
        else:
            ids = tokenizer.encode_target(target)[: config.max_len - 1]
            greedy = decode(loaded, source, Decoding("greedy"))
            written = tokenizer.decode(greedy.ids[:MAX_STEPS])
        captured = capture(loaded.model, tokenizer, source, [config.bos_id, *ids])
        over = captured.all_weights("cross")  # (L, H, T, S)
        layer, head = _clearest(over)
        arrays[f"m{i}"] = over[layer, head]
        told.append(
            {
                "name": names[i] if i < len(names) else "",
                "steps": loaded.steps if names or loaded is run.loaded else 0,
                "layer": layer,
                "head": head,
                "written": written,
                "tokens": [token.text for token in tokenizer.tokens([*ids, config.eos_id])],
                "loss": losses(captured.logits, next_tokens(captured)).mean,
            }
        )
    return told, arrays


def _clearest(over: np.ndarray) -> tuple[int, int]:
    """Return the head (L, H, T, S) that gives most to one token a row, and to different ones."""
    clear = over.max(-1).mean(-1) * over.max(-2).mean(-1)  # (L, H)
    layer, head = np.unravel_index(int(clear.argmax()), clear.shape)
    return int(layer), int(head)
