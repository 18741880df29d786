"""A deeper model made from a trained one, whose new layers change nothing until they learn.

Net2Net (Chen et al. 2016) calls this a function-preserving transformation.
"""

from dataclasses import replace

import torch

from model.config import DEPTHS, ModelConfig
from model.errors import UserError
from model.nn.architectures import build
from model.nn.translator import Translator


def check_growth(small: ModelConfig, large: ModelConfig) -> None:
    """Raise UserError, naming the setting, unless the large model can start from the small one.

    Only the depth may grow, and only with pre-norm, where a sub-layer that adds zero leaves the
    residual stream unchanged; dropout may differ.
    """
    for name, value in small.to_dict().items():
        new = getattr(large, name)
        if new == value or name == "dropout":
            continue
        if name not in DEPTHS or new < value:
            what = f"A run that starts from this model keeps its {name}, {value}."
            raise UserError("plain", name, what=what)
        if small.norm != "pre":
            what = "Only a model with pre-norm can begin with more layers."
            raise UserError("plain", name, what=what)


def grow(model: Translator, config: ModelConfig) -> Translator:
    """Return a model with the depth and dropout of `config` that computes the same as `model`.

    Its layers are those of `model`, then new ones whose output matrices are zero. Raises UserError.
    """
    deep = {name: getattr(config, name) for name in (*DEPTHS, "dropout")}
    shape = replace(model.config, **deep)
    check_growth(model.config, shape)
    grown = build(shape)
    with torch.no_grad():
        for name, parameter in grown.named_parameters():
            if ".w_o." in name or ".w_2." in name:  # what writes to the residual stream
                parameter.zero_()
    own = dict(model.named_parameters())
    grown.load_state_dict(own, strict=False)
    return grown
