"""Writes a safetensors file one tensor at a time, so that only one has to be in memory."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import torch
from torch import Tensor

Shape = tuple[int, ...]
DTYPES: Final[Mapping[torch.dtype, str]] = {
    torch.float16: "F16",
    torch.bfloat16: "BF16",
    torch.float32: "F32",
    torch.float64: "F64",
    torch.bool: "BOOL",
    torch.uint8: "U8",
    torch.int8: "I8",
    torch.int16: "I16",
    torch.int32: "I32",
    torch.int64: "I64",
    torch.complex64: "C64",
}


def write(
    path: Path, described: Mapping[str, tuple[torch.dtype, Shape]], tensors: Iterable[Tensor]
) -> None:
    """Write a safetensors file from an iterable of tensors; raises OSError.

    A tensor may come in several parts, split along its first axis.
    """
    header, end = {}, 0
    for name, (dtype, shape) in described.items():
        start, end = end, end + torch.Size(shape).numel() * dtype.itemsize
        header[name] = {"dtype": DTYPES[dtype], "shape": shape, "data_offsets": (start, end)}
    text = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors:
            file.write(tensor.contiguous().flatten().view(torch.uint8).numpy().data)
