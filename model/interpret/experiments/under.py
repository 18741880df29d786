"""A translator under changes, for whoever runs a model again: it makes them in every pass."""

from typing import Any, cast

from torch import Tensor

from model.interpret.experiments.changed import Uncached
from model.interpret.experiments.plan import Plan
from model.nn.hooks import NO_HOOK, Chain, Hook
from model.nn.masks import Mask
from model.nn.translator import Translator


def under(model: Translator, plan: Plan) -> Translator:
    """Return the model with the changes of a plan in whatever it is asked; for one caller."""
    return cast(Translator, _Under(model, plan))


class _Under(Uncached):
    """Each call of `encode` begins a new run; what the changes need of it is kept until then."""

    def __init__(self, model: Translator, plan: Plan) -> None:
        super().__init__(model, plan.hook())
        self.plan = plan

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)

    def __call__(self, src: Tensor, tgt: Tensor, hook: Hook = NO_HOOK) -> Tensor:
        """Return the logits of every next token: (B, S), (B, T) -> (B, T, V)."""
        return Translator.forward(cast(Translator, self), src, tgt, hook)

    def encode(self, src: Tensor, src_mask: Mask, hook: Hook = NO_HOOK) -> Tensor:
        """Return the memory: (B, S) -> (B, S, D)."""
        self.hook = self.plan.hook()
        return self.model.encode(src, src_mask, Chain(self.hook, hook))

    def decode(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Mask, src_mask: Mask, hook: Hook = NO_HOOK
    ) -> Tensor:
        """Return what the generator scores: (B, T), (B, S, D) -> (B, T, D)."""
        return self.model.decode(tgt, memory, tgt_mask, src_mask, Chain(self.hook, hook))

    def logits(self, x: Tensor, hook: Hook = NO_HOOK) -> Tensor:
        """Score the whole vocabulary: (…, D) -> (…, V)."""
        return self.model.logits(x, Chain(self.hook, hook))
