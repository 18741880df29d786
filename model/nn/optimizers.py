"""torch's optimizers without the compiler that torch wraps around them."""

from __future__ import annotations

import inspect

import torch


class Plain(torch.optim.Optimizer):
    """An optimizer whose methods are not wrapped.

    torch wraps these methods to keep its compiler out of them, and imports the compiler to do so,
    which takes a second or more before the first step. Nothing here is compiled.
    """

    add_param_group = inspect.unwrap(torch.optim.Optimizer.add_param_group)
    load_state_dict = inspect.unwrap(torch.optim.Optimizer.load_state_dict)
    state_dict = inspect.unwrap(torch.optim.Optimizer.state_dict)
    zero_grad = inspect.unwrap(torch.optim.Optimizer.zero_grad)


class Adam(Plain, torch.optim.Adam):
    """Adam (Kingma & Ba 2015)."""

    step = torch.no_grad()(inspect.unwrap(torch.optim.Adam.step))


class AdamW(Plain, torch.optim.AdamW):
    """Adam with decoupled weight decay (Loshchilov & Hutter 2019)."""

    step = torch.no_grad()(inspect.unwrap(torch.optim.AdamW.step))


class SGD(Plain, torch.optim.SGD):
    """Gradient descent, with momentum if asked."""

    step = torch.no_grad()(inspect.unwrap(torch.optim.SGD.step))
