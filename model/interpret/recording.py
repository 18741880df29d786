"""Recording a capture: one pass of the model in PyTorch, with a hook that keeps every array."""

from collections.abc import Sequence

import torch

from model.interpret.capture import Capture, frozen
from model.nn.hooks import Recorder
from model.nn.translator import Translator
from model.text.tokenizer import Tokenizer


@torch.inference_mode()
def capture(
    model: Translator, tokenizer: Tokenizer, src_ids: Sequence[int], tgt_ids: Sequence[int]
) -> Capture:
    """Record one teacher-forced pass: `src_ids` with <eos>, `tgt_ids` with <bos>."""
    assert not model.training, "a capture is made without dropout"
    recorder = Recorder()
    model(torch.tensor([src_ids]), torch.tensor([tgt_ids]), recorder)
    arrays = {name: array[0] for name, array in recorder.arrays.items()}
    return frozen(model.config, tokenizer.tokens(src_ids), tokenizer.tokens(tgt_ids), arrays)
