"""A copy of a model for inference, with its matrices in the layout that the CPU reads fastest.

It is the same model and runs the same code; only the products of `nn.Linear` differ. Translating a
sentence means reading 19 MB of weights for each token, and some 130 operations of a few
microseconds each. So the weights are kept in half precision, as in the checkpoints, and multiplied
and summed in single precision, by the calls with the least overhead. (8-bit weights were another
fifth faster, but changed the translation of one everyday sentence in ten.)
"""

import copy
import warnings
from collections.abc import Callable

import torch
from torch import Tensor, nn

from model.nn.attention import StackedLinear
from model.nn.dropout import ByteDropout
from model.nn.layers import AddNorm, FeedForward
from model.nn.translator import Translator

# A later torch than the pinned one warns; the replacement takes ten microseconds more per call.
warnings.filterwarnings("ignore", r"fbgemm_\w+ is deprecated")

# With fewer rows than this, using several threads costs more time than it saves.
MANY_ROWS = 16
CALLED = (nn.Embedding, nn.LayerNorm, ByteDropout, AddNorm, FeedForward)  # their forward suffices


class PackedLinear:
    """x Wᵀ + b with weights packed once; both products give the same numbers."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        self.bias = bias
        self.few = torch.fbgemm_pack_gemm_matrix_fp16(weight)
        self.many = torch.ops.quantized.linear_prepack_fp16(weight, bias)

    def __call__(self, x: Tensor) -> Tensor:
        if x.shape[:-1].numel() < MANY_ROWS or torch.get_num_threads() == 1:
            return torch.fbgemm_linear_fp16_weight(x, self.few, self.bias)
        return torch.ops.quantized.linear_dynamic_fp16(x, self.many)


class PackedStack(PackedLinear):
    """A packed StackedLinear: queries, keys and values together, or queries and the rest."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__(weight, bias)
        d = weight.shape[1]
        self.parts = {(i, j): PackedLinear(weight[i:j], bias[i:j]) for i, j in ((0, d), (d, 3 * d))}

    def rows(self, x: Tensor, start: int, end: int) -> Tensor:
        """Multiply by the rows from `start` to `end`: (…, in) -> (…, end - start)."""
        return self.parts[start, end](x)


@torch.no_grad()
def packed(model: Translator) -> Translator:
    """Return a packed copy of a model, or a plain one where torch lacks the kernels."""
    if not isinstance(model.generator, nn.Linear):
        return model
    inference = copy.deepcopy(model).cpu().eval().requires_grad_(False)
    if "fbgemm" not in torch.backends.quantized.supported_engines:
        return inference
    for module in list(inference.modules()):
        # A module looks up anything but its own attributes in three tables, which takes time.
        vars(module).update(module.named_parameters(recurse=False))
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Linear):
                delattr(module, name)
            vars(module)[name] = _fast(child)
    return inference


def _fast(module: nn.Module) -> Callable[..., Tensor]:
    """Return a callable that replaces a module, without PyTorch's frames in between."""
    if isinstance(module, nn.Linear):
        weight = module.weight.contiguous()
        bias = torch.zeros(len(weight)) if module.bias is None else module.bias
        return (PackedStack if isinstance(module, StackedLinear) else PackedLinear)(weight, bias)
    return module.forward if isinstance(module, CALLED) else module
