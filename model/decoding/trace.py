"""One sentence's decoding as a list of steps, and how their hypotheses are connected."""

from collections.abc import Sequence
from dataclasses import dataclass

from model.decoding.beam import Hypothesis


@dataclass(frozen=True)
class Step:
    """One decoding step of one sentence: its new hypotheses, several for a beam, the best first."""

    index: int
    hypotheses: tuple[Hypothesis, ...]

    @property
    def tokens(self) -> tuple[int, ...]:
        """The tokens of the best hypothesis so far."""
        return self.hypotheses[0].tokens


def best(steps: Sequence[Step]) -> Hypothesis:
    """Return the finished hypothesis with the highest score, or the best live one if none is."""
    finished = [one for step in steps for one in step.hypotheses if one.finished]
    return max(finished, key=lambda one: one.score) if finished else steps[-1].hypotheses[0]


def path(steps: Sequence[Step], hypothesis: Hypothesis) -> list[Hypothesis]:
    """Return the hypothesis and all its predecessors, the first token first."""
    back = [hypothesis]
    while (parent := back[-1].parent) is not None:
        back.append(steps[len(back[-1].tokens) - 2].hypotheses[parent])
    return back[::-1]
