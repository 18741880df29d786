"""A copy of a model for inference, its matrices laid out the way the processor reads them fastest.

It is the same model and runs the same lines; only the products of `nn.Linear` differ. Translating
one sentence is a matter of reading 19 MB of weights for each token, so they are kept in half
precision, as the checkpoints keep them, and multiplied and summed in single precision. Large
batches may multiply in bfloat16 instead, at about twice the speed and with three digits.
"""

import copy

import torch
from torch import Tensor, nn

from model.nn.attention import StackedLinear
from model.nn.translator import Translator

# With fewer rows than this, reading the weights takes longer than multiplying.
MANY_ROWS = 16


class PackedLinear(nn.Module):
    """x Wᵀ + b with weights packed once, instead of at every call."""

    def __init__(self, weight: Tensor, bias: Tensor | None, bfloat16: bool) -> None:
        super().__init__()
        self.packed = torch.ops.quantized.linear_prepack_fp16(weight.contiguous(), bias)
        self.in_bfloat16 = bfloat16
        if bfloat16:
            self.bias = None if bias is None else bias.bfloat16()
            self.weight = torch.ops.mkldnn._reorder_linear_weight(weight.bfloat16())

    def forward(self, x: Tensor) -> Tensor:
        """(…, in) -> (…, out)."""
        if not self.in_bfloat16 or x.shape[:-1].numel() < MANY_ROWS:
            return _linear(x, self.packed)
        return _linear_bfloat16(x.bfloat16(), self.weight, self.bias, "none", [], "").float()


# Called at every step of decoding: the overloads are looked up once.
_linear = torch.ops.quantized.linear_dynamic_fp16.default
_linear_bfloat16 = torch.ops.mkldnn._linear_pointwise.default


class PackedStack(PackedLinear):
    """A packed StackedLinear: queries, keys and values in one, or queries and the rest."""

    def __init__(self, weight: Tensor, bias: Tensor, bfloat16: bool) -> None:
        super().__init__(weight, bias, bfloat16)
        d = weight.shape[1]
        self.parts = nn.ModuleDict()
        for start, end in ((0, d), (d, 3 * d)):
            part = PackedLinear(weight[start:end], bias[start:end], bfloat16)
            self.parts[f"{start}:{end}"] = part

    def rows(self, x: Tensor, start: int, end: int) -> Tensor:
        """Multiply with the rows from `start` to `end`: (…, in) -> (…, end - start)."""
        return self.parts[f"{start}:{end}"](x)


@torch.no_grad()
def packed(model: Translator, bfloat16: bool = False) -> Translator:
    """Return a packed copy of a model, or a plain one where torch lacks the kernels."""
    if isinstance(model.generator, PackedLinear):
        return model
    inference = copy.deepcopy(model).cpu().eval().requires_grad_(False)
    if "fbgemm" not in torch.backends.quantized.supported_engines:
        return inference
    for module in list(inference.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Linear):
                kind = PackedStack if isinstance(child, StackedLinear) else PackedLinear
                bias = None if child.bias is None else child.bias.data
                setattr(module, name, kind(child.weight.data, bias, bfloat16))
    return inference
