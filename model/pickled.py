"""Converts the tensors in a file of torch.save to safetensors, one at a time, within limits.

No code in the file is run. But unpickling a hostile file may take any amount of memory and time:
two hundred bytes are enough to keep it busy for ever. So it happens in a child process with limited
memory and time.
"""

import json
import os
import struct
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import torch
from torch import Tensor

from model.background import give_way
from model.files import ROOT
from model.marian_files import TABLES

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


def write_tensors(
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


MEMORY: Final = 2**28  # bytes allowed in addition to twice the size of the file
DATA: Final = 5  # the field of statm with the size of a process's data, in pages
HEADER: Final = 2**20  # bytes for the tensors' names, in addition to the tensors
SECONDS: Final = 30  # of processor time; 500 MB take 3
PATIENCE: Final = 10  # the factor from processor time to elapsed time on a busy machine


def convert(path: Path, into: Path) -> None:
    """Write a file's tensors as safetensors; raises ValueError if it holds anything else."""
    options = map(str, (path.absolute(), into.absolute(), SECONDS))
    command = [sys.executable, "-m", "model.pickled", *options]
    quiet, one = subprocess.DEVNULL, {"OMP_NUM_THREADS": "1"}
    try:
        subprocess.run(
            command, check=True, cwd=ROOT, timeout=PATIENCE * SECONDS, env=os.environ | one,
            stdin=quiet, stdout=quiet, stderr=quiet,
        )  # fmt: skip
    except subprocess.SubprocessError as error:
        raise ValueError(f"{path} holds more than tensors, or is damaged.") from error


def _read(path: Path) -> dict[str, Tensor]:
    """Read a file of torch.save; files from torch 1.6 or later are mapped into memory.

    The first models of OPUS-MT are older than that.
    """
    is_mapped = zipfile.is_zipfile(path)
    found = torch.load(path, map_location="cpu", weights_only=True, mmap=is_mapped)
    plain = {name: x for name, x in found.items() if type(name) is str and type(x) is Tensor}
    if len(plain) < len(found):
        raise ValueError("It holds more than tensors.")
    return plain


def _limit(size: int, seconds: int) -> None:
    """Limit this process to what a file of the given size needs, on top of what PyTorch has taken.

    That differs: PyTorch's build for CUDA takes 800 MB, the one for CPUs takes 200.
    """
    with suppress(ImportError):  # on Windows
        import resource

        cpu = int(time.process_time()) + seconds
        resource.setrlimit(resource.RLIMIT_FSIZE, (HEADER + TABLES * size,) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
        with suppress(OSError):  # not on Linux
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[DATA])
            data = pages * resource.getpagesize() + MEMORY + 2 * size
            resource.setrlimit(resource.RLIMIT_DATA, (data, data))


def _main() -> None:
    path, into = map(Path, sys.argv[1:3])
    _limit(path.stat().st_size, int(sys.argv[3]))
    read = _read(path)
    described = {name: (x.dtype, tuple(x.shape)) for name, x in read.items()}
    write_tensors(into, described, read.values())


if __name__ == "__main__":
    give_way()
    _main()
