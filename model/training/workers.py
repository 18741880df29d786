"""The processes that train together under `torchrun`, or the single one of a plain run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import Tensor, nn

# The others wait for the first process, which may wait for its turn to train.
LONGEST_WAIT = timedelta(days=7)


@dataclass(frozen=True)
class Workers:
    """This process's place among those that share each batch; rank 0 alone writes."""

    rank: int = 0
    n: int = 1

    @classmethod
    def join(cls) -> Workers:
        """Join the processes that `torchrun` started: gloo on CPUs, NCCL on GPUs."""
        n = int(os.environ.get("WORLD_SIZE", "1"))
        if n == 1:
            return cls()
        backend = "nccl" if torch.cuda.is_available() else "gloo"
        dist.init_process_group(backend, timeout=LONGEST_WAIT)
        return cls(dist.get_rank(), n)

    @property
    def device(self) -> torch.device:
        if not torch.cuda.is_available():
            return torch.device("cpu")
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))

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
        """Return a tensor of every process, in order of rank."""
        tensors: list[Tensor] = [tensor] * self.n
        if self.n > 1:
            dist.all_gather_object(tensors, tensor)
        return tensors

    def sum_values(self, values: Sequence[float]) -> list[float]:
        """Add up numbers of each process over all of them."""
        if self.n == 1:
            return list(values)
        return self.sum(torch.tensor(values, dtype=torch.float64, device=self.device)).tolist()

    def leave(self) -> None:
        if self.n > 1:
            dist.destroy_process_group()
