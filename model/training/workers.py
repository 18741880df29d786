"""The processes that train together under `torchrun`, or the single one of a plain run."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Self

import torch
import torch.distributed as dist
from torch import Tensor, nn

from model.errors import UserError

# The others wait for the first process, which may wait for its turn to train.
LONGEST_WAIT = timedelta(days=7)


def device_of(name: str | None = None) -> torch.device:
    """Return the named device, `cpu`, `cuda` or `cuda:1`; by default a GPU if there is one.

    Under `torchrun`, `cuda` is the GPU of this process. Raises UserError if it does not exist.
    """
    if name is None:
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if not re.fullmatch(r"cpu|cuda(:\d+)?", name):
        raise UserError("not_one_of", "device", value=name, names="cpu, cuda, cuda:0, cuda:1, …")
    if name == "cuda":
        name = f"cuda:{os.environ.get('LOCAL_RANK', '0')}"
    elif name != "cpu" and _n_processes() > 1:
        what = "Under torchrun each process has a GPU of its own: say cuda."
        raise UserError("plain", "device", what=what)
    device = torch.device(name)
    if device.type == "cuda" and not device.index < torch.cuda.device_count():
        raise UserError("plain", "device", what=f"PyTorch finds no {name} on this machine.")
    return device


def _n_processes() -> int:
    return int(os.environ.get("WORLD_SIZE", "1"))


@dataclass(frozen=True)
class Workers:
    """This process's rank among those that share each batch; only rank 0 writes."""

    rank: int = 0
    n: int = 1
    device: torch.device = field(default_factory=device_of)

    @classmethod
    def join(cls, device: str | None = None) -> Self:
        """Join the processes that `torchrun` started: gloo on CPUs, NCCL on GPUs."""
        n, own = _n_processes(), device_of(device)
        if n == 1:
            return cls(device=own)
        dist.init_process_group("nccl" if own.type == "cuda" else "gloo", timeout=LONGEST_WAIT)
        return cls(dist.get_rank(), n, own)

    @property
    def writes(self) -> bool:
        return self.rank == 0

    def sum(self, tensor: Tensor) -> Tensor:
        """Add up a tensor over all processes, in place."""
        if self.n > 1:
            dist.all_reduce(tensor)
        return tensor

    def sum_gradients(self, model: nn.Module) -> None:
        """Add up the gradients of all processes, in one message."""
        if self.n == 1:
            return
        gradients = [
            p.grad if p.grad is not None else torch.zeros_like(p) for p in model.parameters()
        ]
        flat = self.sum(torch.cat([gradient.flatten() for gradient in gradients]))
        sizes = [gradient.numel() for gradient in gradients]
        for p, summed in zip(model.parameters(), flat.split(sizes), strict=True):
            p.grad = summed.view_as(p)

    def gather(self, tensor: Tensor) -> list[Tensor]:
        """Return every process's tensor, in order of rank."""
        tensors: list[Tensor] = [tensor] * self.n
        if self.n > 1:
            dist.all_gather_object(tensors, tensor)
        return tensors

    def sum_values(self, values: Sequence[float]) -> list[float]:
        """Add up numbers over all processes."""
        if self.n == 1:
            return list(values)
        return self.sum(torch.tensor(values, dtype=torch.float64, device=self.device)).tolist()

    def leave(self) -> None:
        if self.n > 1:
            dist.destroy_process_group()
