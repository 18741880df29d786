"""How the processor computes: threads, memory, and the precision of its products."""

import contextlib
import ctypes
from collections.abc import Iterator

import torch


def use_threads(count: int) -> None:
    """Limit each PyTorch operation to this many threads."""
    torch.set_num_threads(count)


def prepare_processor(threads: int | None = None) -> None:
    """Make training on the CPU fast: use oneDNN's products, and keep memory for the next step.

    Otherwise glibc returns the memory of large tensors to the system and requests it again at every
    step.
    """
    if threads:
        use_threads(threads)
    torch.set_float32_matmul_precision("medium")
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL("libc.so.6")
        trim_threshold, mmap_max, arena_max = -1, -4, -8  # constants of <malloc.h>
        libc.mallopt(trim_threshold, 2**31 - 1)
        libc.mallopt(mmap_max, 0)
        libc.mallopt(arena_max, 1)  # the backward thread has a heap of its own by default


def trim_memory() -> None:
    """Return unused memory to the system: batches of varying lengths fragment the heap."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)


@contextlib.contextmanager
def full_precision() -> Iterator[None]:
    """Multiply in 32 bits within this context, for figures that are shown."""
    former = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(former)


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread within this context: small products gain nothing from more threads."""
    former = torch.get_num_threads()
    use_threads(1)
    try:
        yield
    finally:
        use_threads(former)
