"""A copy of a model for inference, its matrices laid out the way the processor reads them fastest.

It is the same model and runs the same lines; only the products of `nn.Linear` differ. Translating
one sentence is a matter of reading 19 MB of weights for each token, and of some 130 operations
that take a few microseconds each. So the weights are kept in half precision, as the checkpoints
keep them, and multiplied and summed in single precision, by the calls that cost least. (With 8 bits
it was a fifth faster again, but one everyday sentence in ten came out in other words.)
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

# By a later torch than is pinned; what is to take their place takes ten microseconds more a call.
warnings.filterwarnings("ignore", r"fbgemm_\w+ is deprecated")

# With fewer rows than this, a call that uses several threads takes longer than it saves.
MANY_ROWS = 16
CALLED = (nn.Embedding, nn.LayerNorm, ByteDropout, AddNorm, FeedForward)  # never looked into


class PackedLinear:
    """x Wᵀ + b with weights packed once; both products make the same numbers."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        self.bias = bias
        self.few = torch.fbgemm_pack_gemm_matrix_fp16(weight)
        self.many = torch.ops.quantized.linear_prepack_fp16(weight, bias)

    def __call__(self, x: Tensor) -> Tensor:
        if x.shape[:-1].numel() < MANY_ROWS or torch.get_num_threads() == 1:
            return torch.fbgemm_linear_fp16_weight(x, self.few, self.bias)
        return torch.ops.quantized.linear_dynamic_fp16(x, self.many)


class PackedStack:
    """A packed StackedLinear: queries, keys and values in one, or queries and the rest."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        d = weight.shape[1]
        self.whole = PackedLinear(weight, bias)
        self.parts = {(i, j): PackedLinear(weight[i:j], bias[i:j]) for i, j in ((0, d), (d, 3 * d))}

    def __call__(self, x: Tensor) -> Tensor:
        return self.whole(x)

    def rows(self, x: Tensor, start: int, end: int) -> Tensor:
        """Multiply with the rows from `start` to `end`: (…, in) -> (…, end - start)."""
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
        # What is no attribute of its own, a module finds by a search of three tables.
        vars(module).update(module.named_parameters(recurse=False))
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Linear):
                delattr(module, name)
            vars(module)[name] = _fast(child)
    return inference


def _fast(module: nn.Module) -> Callable[..., Tensor]:
    """Return what may be called in the place of a module, with no frames of PyTorch between."""
    if isinstance(module, nn.Linear):
        weight = module.weight.contiguous()
        bias = torch.zeros(len(weight)) if module.bias is None else module.bias
        return (PackedStack if isinstance(module, StackedLinear) else PackedLinear)(weight, bias)
    return module.forward if isinstance(module, CALLED) else module
