"""A doctor for training runs: reads what a run has logged, and diagnoses what is wrong with it.

Pure functions of the plan, the rows of log.jsonl and samples.jsonl, and the newest frame of the
film. Every finding carries the numbers that support it; without them nothing is claimed. Each test
runs on its own, and then the findings are weighed: OUTWEIGHS says which ones another rules out.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal

import numpy as np

from model.config import ModelConfig
from model.interpret.calculation.target import floors
from model.runs.film import Frame
from model.runs.plan import Plan
from model.tasks import TASKS
from model.text.pairs import Pair
from model.training.estimate import n_parameters

Rows = Sequence[Mapping[str, Any]]
# The losses of neighbouring steps are averaged into this many levels, because batches differ.
N_LEVELS: Final = 20


@dataclass(frozen=True)
class Record:
    """What a run has logged: its plan, rows of log.jsonl and samples.jsonl, its newest frame."""

    plan: Plan
    rows: Rows
    samples: Rows
    frame: Frame | None

    @cached_property
    def measure(self) -> str:
        """The name of the training loss: the one comparable with validation if all rows have it."""
        return "cross_entropy" if all("cross_entropy" in row for row in self.rows) else "loss"

    @cached_property
    def finite(self) -> Rows:
        taken = [row for row in self.rows if not row.get("skipped")]
        return [
            r for r in taken if math.isfinite(self.loss(r)) and math.isfinite(r["gradient_norm"])
        ]

    def loss(self, row: Mapping[str, Any]) -> float:
        """Return the training loss of a row, in nats per token."""
        return float(row[self.measure])

    @cached_property
    def levels(self) -> np.ndarray:
        """The training loss averaged over consecutive steps: (at most N_LEVELS,)."""
        losses = np.array([self.loss(row) for row in self.finite])
        return np.array(
            [part.mean() for part in np.array_split(losses, min(N_LEVELS, len(losses)))]
        )

    @property
    def step(self) -> int:
        return int(self.rows[-1]["step"])

    @property
    def first(self) -> float:
        return self.loss(self.finite[0])

    @property
    def highest_rate(self) -> float:
        return max(float(row["learning_rate"]) for row in self.finite)

    @property
    def warmed_up(self) -> bool:
        """Return whether the run is long enough that the model should have learnt by now."""
        train = self.plan.train
        return self.step >= max(2 * train.warmup, 0.3 * train.steps)

    @cached_property
    def validated(self) -> Rows:
        validated = [row for row in self.finite if row.get("validation")]
        scores = ("loss", "exact")
        return [r for r in validated if all(map(math.isfinite, map(r["validation"].get, scores)))]

    @cached_property
    def outputs(self) -> list[str]:
        """The newest translations of held-out sentences, one for each different reference."""
        newest = self.samples[-1]["samples"] if self.samples else []
        return list({sample["tgt"]: sample["output"] for sample in newest}.values())

    @property
    def exact(self) -> float | None:
        """The share of held-out sentences translated exactly.

        It comes from the newest validation, which has more sentences than a frame; before the first
        validation, from the newest frame.
        """
        if self.validated:
            return float(self.validated[-1]["validation"]["exact"]) / 100
        return float(self.samples[-1]["exact"]) if self.samples else None

    @property
    def model(self) -> ModelConfig:
        """The actual configuration, since a plan's vocabulary size is only an upper limit."""
        return self.frame.capture.config if self.frame is not None else self.plan.model

    @property
    def floor(self) -> float:
        """The loss, in nats, of a model that predicts its target distribution exactly."""
        vocabulary, smoothing = self.model.n_tgt_vocab, self.plan.train.label_smoothing
        smoothed, cross_entropy = floors(vocabulary, smoothing)
        return cross_entropy if self.measure == "cross_entropy" else smoothed


Level = Literal["bad", "warn", "good"]
LEVELS: Final[tuple[Level, ...]] = ("bad", "warn", "good")
FEWEST_ROWS: Final = 10
RISE: Final = 0.25  # nats
LEAP: Final = 0.5
SHARE_LEARNT: Final = 0.25
HARDLY_RIGHT: Final = 0.05
CLOSE: Final = 0.1
PARAMETERS_A_TOKEN: Final = 30
EPOCHS: Final = 10
GOOD_SHARE: Final = 0.9
MAX_BLEU_OF_NONSENSE: Final = 5


@dataclass(frozen=True)
class Finding:
    """A diagnosis of a run, as a code, and the numbers that support it."""

    code: str
    level: Level
    values: Mapping[str, float | int | str] = field(default_factory=dict)


Test = Callable[[Record], Finding | None]

# Each finding explains or refutes the findings listed after it, which are then not reported.
OUTWEIGHS: Final[Mapping[str, Sequence[str]]] = {
    "not_finite": ("none_right",),
    "one_batch": ("rate_high", "rate_low", "same_word", "ignores_source"),
    "one_batch_not": ("same_word", "ignores_source", "learns"),
    "rate_high": ("rate_low", "unfinished", "learns", "generalises", "none_right"),
    "peeks": ("same_word", "ignores_source", "unfinished", "learns", "aligned", "none_right"),
    "same_word": ("ignores_source", "learns", "generalises", "aligned", "none_right"),
    "generalises": ("rate_low", "ignores_source", "overfits", "few_data"),
    "rate_low": ("ignores_source", "unfinished", "none_right"),
    "ignores_source": ("learns", "aligned", "none_right"),
    "overfits": ("none_right",),
    "none_right": ("unfinished",),
}


def diagnose(
    plan: Plan, rows: Rows, samples: Rows = (), frame: Frame | None = None
) -> tuple[Finding, ...]:
    """Return the findings about a run so far, the worst first.

    `rows` and `samples` are those of the run's folder, and `frame` is its newest frame. Of a run
    with only a few steps, the only possible finding is that its loss is not finite.
    """
    run = Record(plan, rows, samples, frame)
    tests = (_not_finite, *(TESTS if len(run.finite) >= FEWEST_ROWS else ()))
    found = {finding.code: finding for test in tests if (finding := test(run)) is not None}
    for code, lighter in OUTWEIGHS.items():
        if code in found:
            found = {other: found[other] for other in found if other not in lighter}
    return tuple(sorted(found.values(), key=lambda finding: LEVELS.index(finding.level)))


def _not_finite(run: Record) -> Finding | None:
    lost = [row for row in run.rows if row.get("skipped") or not math.isfinite(run.loss(row))]
    if not lost:
        return None
    first = lost[0]
    values = {"count": len(lost), "step": first["step"], "rate": first["learning_rate"]}
    return Finding("not_finite", "bad", values)


def _rate_high(run: Record) -> Finding | None:
    """The loss jumps above that of an untrained model, or rises again after falling.

    If the model translates well after that, the rise did no harm and is not reported.
    """
    losses = [run.loss(row) for row in run.finite]
    levels = np.convolve(run.levels, np.full(3, 1 / 3), "valid")  # a few bad batches do not count
    highest, lowest = int(np.argmax(losses)), int(levels.argmin())
    norms = [row["gradient_norm"] for row in run.finite]
    values: dict[str, float | int | str] = {
        "rate": run.highest_rate,
        "norm": max(norms),
        "usual_norm": float(np.median(norms)),
    }
    before, after = run.first, losses[highest]
    step = until = run.finite[highest]["step"]
    if after <= before + LEAP:
        before, after = float(levels[lowest]), float(levels[-1])
        step = run.finite[(lowest + 1) * len(run.finite) // len(run.levels)]["step"]
        until = run.step
        if after <= before + max(RISE, CLOSE * before):
            return None
    judged = run.validated or run.samples
    if judged and judged[-1]["step"] >= until and _generalises(run):
        return None
    return Finding("rate_high", "bad", values | {"from": before, "to": after, "step": step})


def _rate_low(run: Record) -> Finding | None:
    """The loss has barely fallen, though it has never risen either."""
    last = float(run.levels[-1])
    barely = run.first - last < SHARE_LEARNT * (run.first - run.floor)
    if not run.warmed_up or not barely:
        return None
    values = {"from": run.first, "to": last, "rate": run.highest_rate, "step": run.step}
    return Finding("rate_low", "bad", values)


def _same_word(run: Record) -> Finding | None:
    """Every translation repeats one word, the same in all of them."""
    words = {word for output in run.outputs for word in output.split()}
    count = len(run.outputs)
    if count < 3 or len(words) > 1 or not run.warmed_up:
        return None
    return Finding("same_word", "bad", {"word": next(iter(words), ""), "count": count})


def _ignores_source(run: Record) -> Finding | None:
    """Most sentences, although they differ, get the same translation, and hardly any is right.

    The attention weights cannot show this, as they vary from token to token in such a model too.
    A model that has hardly learned anything yet also gives one translation for everything.
    """
    count = len(run.outputs)
    if count < 3 or not run.warmed_up:
        return None
    output, same = Counter(run.outputs).most_common(1)[0]
    if 2 * same <= count or (run.exact or 0.0) > HARDLY_RIGHT:
        return None
    return Finding("ignores_source", "bad", {"same": same, "count": count, "output": output})


def _overfits(run: Record) -> Finding | None:
    """The loss on held-out sentences rises while the training loss keeps falling."""
    if len(run.validated) < 3 or run.plan.train.one_batch:
        return None
    losses = [row["validation"]["loss"] for row in run.validated]
    at = int(np.argmin(losses))
    best, last = run.validated[at], run.validated[-1]
    # One worse score may be chance, but not two in a row.
    risen = losses[at] + max(RISE / 2, CLOSE * losses[at])
    rises = at < len(losses) - 2 and min(losses[-2:]) > risen
    seen = [row for row in run.finite if row["step"] <= best["step"]]
    then, now = (float(np.mean([run.loss(r) for r in part[-5:]])) for part in (seen, run.finite))
    if not rises or now >= then:
        return None
    values = {"best": losses[at], "last": losses[-1], "step": best["step"], "epoch": last["epoch"]}
    return Finding("overfits", "warn", values | {"then": then, "now": now})


def _peeks(run: Record) -> Finding | None:
    """The model is good with teacher forcing but fails without: it copies instead of predicting.

    Only a decoder without its causal mask can do so.
    """
    if run.plan.train.causal or not run.validated or run.exact is None:
        return None
    loss = float(run.validated[-1]["validation"]["loss"])
    if loss > LEAP or run.exact > 1 / 2:
        return None
    return Finding("peeks", "bad", {"loss": loss, "exact": 100 * run.exact})


def _few_data(run: Record) -> Finding | None:
    """Far more parameters than tokens, many epochs, and a higher loss on held-out sentences."""
    epochs = int(run.rows[-1]["epoch"])
    if run.plan.train.one_batch or epochs < EPOCHS or not run.validated:
        return None
    if run.validated[-1]["validation"]["loss"] < run.levels[-1] + RISE:
        return None
    a_step = float(np.mean([row["tokens"] for row in run.finite]))
    tokens = round(a_step * run.step / (epochs + 1))
    parameters = n_parameters(run.model)
    if parameters < PARAMETERS_A_TOKEN * tokens:
        return None
    values = {"pairs": run.plan.pairs, "tokens": tokens, "parameters": parameters}
    return Finding("few_data", "warn", values | {"epochs": epochs})


def _one_batch(run: Record) -> Finding | None:
    """The basic sanity check: can the model memorise a single batch?"""
    if not run.plan.train.one_batch:
        return None
    last = run.loss(run.finite[-1])
    values = {"loss": last, "floor": run.floor, "step": run.step}
    if last < run.floor + CLOSE:
        return Finding("one_batch", "good", values)
    return Finding("one_batch_not", "bad" if run.warmed_up else "warn", values)


def _unfinished(run: Record) -> Finding | None:
    """The run reached its last step while the loss was still falling."""
    if run.step < run.plan.train.steps or run.plan.train.one_batch or len(run.levels) < N_LEVELS:
        return None
    fifth = N_LEVELS // 5
    before, last = (float(part.mean()) for part in np.split(run.levels[-2 * fifth :], 2))
    falling = before - last > CLOSE * (before - run.floor) and last > run.floor + RISE
    if not falling:
        return None
    return Finding("unfinished", "warn", {"from": before, "to": last, "step": run.step})


def _none_right(run: Record) -> Finding | None:
    """The run has ended, and translates hardly anything of what it was not trained on."""
    if run.step < run.plan.train.steps or run.plan.train.one_batch or run.exact is None:
        return None
    bleu = run.validated[-1]["validation"].get("bleu", 0.0) if run.validated else 0.0
    if run.exact > 0 or bleu > MAX_BLEU_OF_NONSENSE:
        return None
    return Finding("none_right", "bad", {"step": run.step, "to": float(run.levels[-1])})


def _learns(run: Record) -> Finding | None:
    last = float(run.levels[-1])
    if run.first - last < SHARE_LEARNT * (run.first - run.floor):
        return None
    return Finding("learns", "good", {"from": run.first, "to": last, "floor": run.floor})


def _generalises(run: Record) -> Finding | None:
    if run.exact is None or run.exact < GOOD_SHARE:
        return None
    return Finding("generalises", "good", {"exact": 100 * run.exact})


def _aligned(run: Record) -> Finding | None:
    """A head attends to the source words from which this task's answer is known to come."""
    task = TASKS.get(run.plan.task)
    if run.frame is None or not run.frame.attends or task is None or task.align is None:
        return None
    shares = run.frame.shares(task.align(Pair(*run.plan.probe)))  # (L, H)
    layer, head = np.unravel_index(int(shares.argmax()), shares.shape)
    values = {"weight": float(shares.max()), "layer": int(layer) + 1, "head": int(head) + 1}
    return Finding("aligned", "good", values) if values["weight"] >= GOOD_SHARE else None


TESTS: Final[Sequence[Test]] = (
    _one_batch,
    _rate_high,
    _rate_low,
    _peeks,
    _same_word,
    _ignores_source,
    _overfits,
    _few_data,
    _unfinished,
    _none_right,
    _learns,
    _generalises,
    _aligned,
)
