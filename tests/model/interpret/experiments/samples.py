"""Sentences, small models and one of each change, for the tests of changed runs."""

from functools import cache

import torch

from model.config import Arch, Norm
from model.decoding.beam import Step
from model.decoding.limits import limit
from model.decoding.search import beam, greedy
from model.interpret.capture import Capture
from model.interpret.experiments.changed import changed_model, writer
from model.interpret.experiments.plan import ChangePlan
from model.interpret.recording import capture
from model.nn.hooks import NO_HOOK
from model.nn.translator import Translator
from model.text.byte_level import BOS, EOS
from tests.model.samples import letters_tokenizer, tiny_model, tiny_translator

NORMS: tuple[Norm, ...] = ("post", "pre")
PAIRS = (("a b c d", "d c b a"), ("b a", "c d e f g"), ("f e a a d g", "b c c"))
OTHER = ("g c b e", "e d c f")
# One of each kind of change, and more where a kind has several meanings.
EVERY = (
    "mute-cross-1-1",
    "mute-encoder-0-0_1",
    "mute-encoder---mean",
    "mute-decoder-1-1-mean",
    "look-uniform-decoder",
    "look-uniform-cross-1",
    "look-itself-encoder",
    "look-before-encoder-1-0",
    "look-before-decoder",
    "lookat-1-encoder-0",
    "lookat-2-decoder",
    "lookat-0-cross-1-1",
    "edit-encoder-0-1-1-0_0.25_2_0.5",
    "edit-decoder-1-0-2-1_0.9",
    "edit-decoder-0-0-1-0_0.5_1_0.2",
    "edit-cross-1-1-2-1_1",
    "edit-cross-0-0-1-0_0",
    "hide-src-0_1",
    "hide-src-1-cross",
    "hide-src-1-encoder-1",
    "hide-tgt-0",
    "hide-tgt-2-decoder-0",
    "swap-src-1-100",
    "swap-src-1-100_101_102",
    "swap-tgt-0_1-100_101",
    "leaveout-0_1",
    "nopos",
    "nopos-src",
    "nomask",
    "nomask-1",
    "noscale-cross-0-1",
    "noadd-encoder-0-1",
    "noadd-decoder-0-2",
    "noffn-encoder",
    "noffn-decoder-1",
    "nonorm-encoder-1-1",
    "nonorm-decoder-0-3",
    "temp-0.3",
    "temp-2.5-cross-1-0",
    "patch-src.embed-1-other-0",
    "patch-encoder.1.self_attn.k-0-other-3",
    "patch-memory-2-other-1",
    "patch-decoder.0.self_attn.v-1-other-2",
    "patch-decoder.0.self_attn.q-2-other-1",
    "patch-decoder.1.cross_attn.v-1-other-1",
    "patch-decoder.1.cross_attn.context-2-other-3",
    "patch-decoder.0.ffn.hidden-1-other-1",
    "patch-tgt.sum-2-other-4",
    "patch-logits-1-other-1",
    "mute-cross-1-0~hide-src-1~temp-2-encoder~noffn-decoder-0",
    "swap-src-1-100_101~lookat-2-cross-0~hide-src-1-encoder~leaveout-0",
    "leaveout-0~edit-encoder-0-0-1-2_0.5~patch-memory-2-other-1",
    "hide-tgt-1~nomask~edit-decoder-0-1-2-0_0.5~look-uniform-decoder-1",
    "noadd-decoder-1-1~noffn-decoder-1~nonorm-decoder-1-3",
)
FINAL_NORMS = ("nonorm-encoder", "nonorm-decoder")
RECURRENT = (
    "mute-cross",
    "mute-cross-0-0-mean",
    "lookat-1-cross",
    "edit-cross-0-0-2-1_0.75",
    "hide-src-1",
    "swap-src-1-100_101",
    "swap-tgt-2-100",
    "order-1_0_2",
    "temp-0.5",
    "patch-memory-1-other-0",
    "patch-decoder.0.cross_attn.k-1-other-0",
    "patch-decoder.0.cross_attn.context-2-other-1",
    "patch-decoder.0.state-1-other-2",
    "patch-decoder.0.readout-1-other-2",
)
WITHOUT_ATTENTION = ("swap-src-1-100", "leaveout-0", "order-2_1_0", "patch-memory-0-other-0")


@cache
def captured(model: Translator, pair: tuple[str, str]) -> Capture:
    """Return the unchanged run of a pair of sentences; the same one every time."""
    tokenizer = letters_tokenizer()
    src, tgt = map(tokenizer.encode, pair)
    return capture(model, tokenizer, [*src, EOS], [BOS, *tgt])


@cache
def model_of(kind: Norm | Arch) -> Translator:
    """Return a small Transformer of a kind of norm, or another; the same one every time."""
    torch.set_num_threads(1)
    size = letters_tokenizer().vocab_size
    if kind == "post" or kind == "pre":
        return tiny_model(seed=NORMS.index(kind), norm=kind, vocab_size=size)
    return tiny_translator(kind, vocab_size=size)


def decode_changed(
    model: Translator,
    plan: ChangePlan,
    width: int = 4,
    max_len: int | None = None,
    capture: bool = False,
    again: bool = False,
) -> list[Step]:
    """Translate freely with changes, greedily if the `width` is 1; `again` keeps no keys."""
    # As in an unchanged run, one place is kept free for <bos>.
    most = min(limit(model.config, plan.src_ids, max_len), model.config.max_len - 1)
    model, hook = (changed_model(model, plan), NO_HOOK) if again else writer(model, plan)
    if width == 1:
        return list(greedy(model, plan.src_ids, most, hook, capture))
    return list(beam(model, plan.src_ids, width, most, hook=hook, capture=capture))
