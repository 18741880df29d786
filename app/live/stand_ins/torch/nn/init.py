"""First values of parameters: none is drawn, as weights are read from a file."""

from torch.tensor import Tensor


def zeros_(tensor: Tensor) -> Tensor:
    """Fill with zeros."""
    return tensor.zero_()


def xavier_uniform_(tensor: Tensor, gain: float = 1.0) -> Tensor:
    """Leave it to the mode, or raise AbsentError: there is no random generator."""
    return tensor.uniform_()


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0) -> Tensor:
    """Leave it to the mode, or raise AbsentError: there is no random generator."""
    return tensor.normal_()
