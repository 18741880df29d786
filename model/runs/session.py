"""A training run in its folder: data, steps, validation, logs and checkpoints.

best/ is the checkpoint with the highest validation BLEU, last/ the newest one with everything that
resuming needs, before_end/ the same from one step before the end, snapshots/ the requested steps,
moments/ the weights at filmed steps; RunLog writes log.jsonl, samples.jsonl, frames/ and, if
TensorBoard is installed, tensorboard/.
"""

import copy
import io
import itertools
import json
import logging
import math
import platform
import random
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any, Final

import torch
from torch import Tensor

from model import checkpoint
from model.config import ModelConfig, TrainConfig
from model.decoding.limits import truncate
from model.decoding.search import translate_ids
from model.files import append
from model.nn.architectures import build
from model.nn.translator import Translator, n_parameters
from model.runs.film import Frame, exact_share, film, moments, thinned
from model.runs.folder import RunFolder
from model.runs.plan import START, Plan
from model.tasks import make_pairs
from model.text.batches import Dataset
from model.text.byte_level import EOS
from model.text.pairs import Pair, read_pairs
from model.text.tokenizer import Tokenizer
from model.training.averaging import Average
from model.training.evaluate import Validation, validate
from model.training.growth import grow
from model.training.optim import changes_nothing
from model.training.processor import full_precision, trim_memory
from model.training.trainer import Report, Trainer, seed_everything
from model.training.workers import Workers

SCALARS: Final = ("loss", "cross_entropy", "learning_rate", "gradient_norm")
TENSORBOARD: Final = find_spec("tensorboard") is not None


class RunLog:
    """Appends whole lines, so that a reader sees each step as soon as it is logged.

    A write that failed because the disk was full may be retried.
    """

    def __init__(self, folder: RunFolder, step: int) -> None:
        """Start a log, or continue one after a step: later entries of a lost part are deleted."""
        self.folder = folder
        self.events = folder.path / "tensorboard" / f"events.out.tfevents.{time.time():.6f}"
        folder.cut_after(step)
        if TENSORBOARD:
            self.events.parent.mkdir(parents=True, exist_ok=True)
            version, start = {"file_version": "brain.Event:2"}, {"status": "START"}
            append(self.events, _event(**version) + _event(step=step + 1, session_log=start))

    def step(
        self, report: Report, blocks: Mapping[str, float], validation: Mapping[str, float]
    ) -> None:
        """Log a step, the gradient norm of each block, and the scores if it was validated."""
        row: dict[str, Any] = asdict(report) | {"blocks": blocks}
        scalars = {f"train/{name}": row[name] for name in SCALARS}
        if validation:
            row["validation"] = validation
            scalars |= {f"valid/{name}": value for name, value in validation.items()}
        if TENSORBOARD:
            values = [{"tag": name, "simple_value": value} for name, value in scalars.items()]
            append(self.events, _event(step=report.step, summary={"value": values}))
        self._append("log.jsonl", row)

    def frame(
        self, frame: Frame, exact: float, judged: int, samples: Sequence[Mapping[str, str]]
    ) -> None:
        """Save a frame of the film, and log some translations of the same step.

        `exact` is the share of the `judged` pairs that were translated exactly.
        """
        frame.save(self.folder.frame_file(frame.step))
        row = {"step": frame.step, "exact": exact, "judged": judged, "samples": samples}
        self._append("samples.jsonl", row)

    def _append(self, name: str, row: Mapping[str, Any]) -> None:
        append(self.folder.path / name, (json.dumps(row) + "\n").encode())


def _event(**fields: Any) -> bytes:
    """Return an event in the format of TensorBoard's files.

    TensorBoard's own writer loses events, and ends with a traceback, while the disk is full.
    """
    from tensorboard.compat.proto.event_pb2 import Event  # slow to import
    from tensorboard.summary.writer.record_writer import RecordWriter

    record = io.BytesIO()
    RecordWriter(record).write(Event(wall_time=time.time(), **fields).SerializeToString())
    return record.getvalue()


log = logging.getLogger(__name__)
LOG_EVERY = 20
# Fewer or more passes over the pairs than this deserve a warning.
FEW_PASSES, MANY_PASSES = 0.95, 100
JUDGED = 32  # validation pairs that are translated at each frame
# Disk space for the weights at filmed steps (16 bits each): a large model keeps only a few.
KEPT_BYTES, HALF = 128 * 2**20, 2
LAST, BEFORE_END = "last", "before_end"


@dataclass(frozen=True)
class Progress:
    """A report, with the scores if the step was validated."""

    report: Report
    validation: Validation | None = None


class Session:
    """The training of one run; its folder is the only thing it leaves behind.

    `patiently` calls a function that writes to the disk; it may wait for space and call it again.
    """

    def __init__(
        self,
        folder: RunFolder,
        plan: Plan,
        resume: bool = False,
        device: str | None = None,
        saved_in: str = LAST,
    ) -> None:
        """Start or resume a plan's run, from the checkpoint `saved_in`; raises UserError."""
        self.folder, self.plan, config = folder, plan, plan.train
        train_pairs, valid_pairs = _pairs(folder, plan)
        self.probe = Pair(*plan.probe) if any(plan.probe) else None
        self.moments = moments(config.steps, config.validate_every) if self.probe else set()
        self.workers = Workers.join(device)
        seed_everything(config.seed)
        tensors: dict[str, Tensor] = {}
        position: dict[str, Any] = {}
        self.before: dict[str, int] = {}  # steps and tokens of the model it starts from
        if resume:
            last = checkpoint.resolve(str(folder.path / saved_in))
            saved = checkpoint.load(last)
            model, self.tokenizer = saved.model, saved.tokenizer
            tensors, position = checkpoint.load_state(last)
            self.before = saved.metrics.get("before", {})
        elif plan.from_model:
            loaded = checkpoint.load(folder.path / START)
            model, self.tokenizer = grow(loaded.model, plan.model), loaded.tokenizer
            self.before = {"steps": loaded.steps or 0, "tokens": loaded.tokens or 0}
        else:
            texts = (text for pair in train_pairs for text in (pair.src, pair.tgt))
            self.tokenizer = Tokenizer.train(texts, plan.model.vocab_size)
            sizes = plan.model.to_dict() | {"vocab_size": self.tokenizer.vocab_size}
            model = build(ModelConfig.from_dict(sizes))
        self.tokenizer.language = plan.source or self.tokenizer.language
        varied = config.max_tokens, config.vary, config.subword_dropout, config.seed
        dataset = Dataset(train_pairs, self.tokenizer, *varied)
        self.trainer = Trainer(model, dataset, config, self.workers)
        self.kept = set(thinned(sorted(self.moments), KEPT_BYTES // (HALF * n_parameters(model))))
        n_valid = min(config.validate_pairs, len(valid_pairs))
        self.valid_pairs = random.Random(config.seed).sample(valid_pairs, n_valid)
        self.valid_set = Dataset(self.valid_pairs, self.tokenizer, config.max_tokens)
        self.average = Average(config.average)
        self.best: tuple[float, ...] = ()
        self.n_worse = 0  # validations since the best one
        self.seconds = 0.0
        self.saved = time.monotonic()  # when it was last saved, or started
        self.log: RunLog | None = None
        self.patiently: Callable[[Callable[[], None]], None] = lambda write: write()
        self._started = 0.0
        self.unscored: list[Report] = []  # the step whose validation is not finished
        self.data_sums = folder.data_sums(plan)
        self.machine = _machine(self.workers.device)
        if resume:
            self.trainer.restore(tensors, position)
            self.best, self.seconds = tuple(position["best"]), position["seconds"]
            self.n_worse = position.get("n_worse", 0)
            self.average.restore(tensors)
            self.unscored = [Report(**report) for report in position.get("unscored", ())]
            self._compare_machines(saved.metrics.get("machine", self.machine))

    def _compare_machines(self, former: str) -> None:
        """Warn that on another machine or number of threads a run does not go on bit for bit."""
        if not former.endswith(self.machine):
            log.warning("Not bit for bit from here on: %s instead of %s.", self.machine, former)
            former += f"; not bit for bit from step {self.trainer.step} on: {self.machine}"
        self.machine = former

    @property
    def config(self) -> TrainConfig:
        return self.trainer.config

    @property
    def model(self) -> Translator:
        return self.trainer.model

    @property
    def stops_early(self) -> bool:
        """Whether the last `patience` validations in a row have brought no better one."""
        return 0 < self.config.patience <= self.n_worse

    @property
    def is_finished(self) -> bool:
        at_end = self.trainer.step >= self.config.steps or self.stops_early
        return at_end and not self.unscored

    def train(self) -> Generator[Progress]:
        """Train until steps or patience run out; validate, log, film and save on the way."""
        if self.workers.writes:
            self._write(self._begin)
            self._warn_of_passes()
        self._started = time.perf_counter()
        self._keep_moment()
        for report in itertools.chain(self.unscored, self.trainer.train_steps()):
            every = self.config.validate_every
            due = bool(self.unscored) or self.is_finished or report.step % every == 0
            validation = self._validate(report) if due else None
            self._note(report, validation)
            self._keep_moment()
            # The caller may pause between two steps, which does not count as training time.
            self.seconds += time.perf_counter() - self._started
            if due:  # last, so that everything up to the saved step has been logged
                self.unscored = []
                self.save_last()
            if self.moments and changes_nothing(report.step + 1, self.config):
                self._save_state(BEFORE_END)
            yield Progress(report, validation)
            if self.stops_early:
                return
            self._started = time.perf_counter()

    def _begin(self) -> None:
        self.log = RunLog(self.folder, self.trainer.step - len(self.unscored))
        self.tokenizer.save(self.folder.path / "tokenizer.json")

    def _warn_of_passes(self) -> None:
        """Warn if the run will see only a part of the pairs, or see them very many times."""
        dataset, config = self.trainer.dataset, self.config
        a_pass = dataset.n_tokens / (config.batch_tokens * config.accumulate)  # steps
        passes = config.steps / a_pass
        if config.one_batch or FEW_PASSES <= passes < MANY_PASSES:
            return
        log.warning(
            "The run makes %s passes over its %d pairs: one takes about %d step(s).",
            f"{passes:.2g}" if passes < 1 else round(passes),
            *(len(dataset.examples), math.ceil(a_pass)),
        )

    def _write(self, write: Callable[..., None], *what: Any, **more: Any) -> None:
        """Write to the disk; waiting for space does not count as training time."""
        begun = time.perf_counter()
        self.patiently(partial(write, *what, **more))
        self._started += time.perf_counter() - begun

    def _note(self, report: Report, validation: Validation | None) -> None:
        """Log validated and skipped steps, and about 200 others per run, at least every 20th."""
        every = max(1, min(LOG_EVERY, self.config.steps // 200))
        if self.log and (validation or report.skipped or report.step % every == 0):
            scores = asdict(validation) if validation else {}
            self._write(self.log.step, report, self.trainer.block_norms(report), scores)

    def _keep_moment(self) -> None:
        """Save what is due at this step: its weights, a frame of the film."""
        step = self.trainer.step
        if step in self.plan.snapshots and self.workers.writes:
            self._save(f"snapshots/step-{step}", self.model, self.metrics(), bits=16)
        if step in self.moments or self.stops_early:
            self.film()
            if self.workers.writes and (step in self.kept or self.stops_early):
                moment = self.folder.moment_folder(step)
                self._save(f"moments/{moment.name}", self.model, self.metrics(), bits=16)

    def film(self) -> None:
        """Save a frame of the probe, and how the model now translates some validation pairs."""
        step = self.trainer.step
        if not self.log or not self.probe or step in self.folder.frames():
            return
        model = copy.deepcopy(self.model).cpu() if self.workers.device.type != "cpu" else self.model
        model.eval()
        pairs = self.valid_pairs[:JUDGED]
        with full_precision():
            frame = film(model, self.tokenizer, self.probe, step)
            outputs = self._translated(model, pairs)
        judged = self.valid_set.examples[:JUDGED]
        samples = [
            {"src": pair.src, "tgt": pair.tgt, "output": output}
            for pair, output in zip(pairs, outputs, strict=True)
        ]
        self._write(self.log.frame, frame, exact_share(model, judged), len(judged), samples)

    def _translated(self, model: Translator, pairs: Sequence[Pair]) -> list[str]:
        """Translate greedily, cutting translations much longer than any reference."""
        longest = model.config.max_len
        sources = self.tokenizer.encode_batch([pair.src for pair in pairs])
        targets = self.tokenizer.encode_batch([pair.tgt for pair in pairs])
        ids = [truncate([*source, EOS], longest)[0] for source in sources]
        outputs = translate_ids(model, ids, width=1, max_len=max(map(len, targets)) + 10)
        return [self.tokenizer.decode(output) for output in outputs]

    def _validate(self, report: Report) -> Validation | None:
        """Score the mean of the last weights, and save the averaged model if it is the best."""
        if not self.unscored:
            with self.trainer.lock:
                self.average.add(self.model)
                self.unscored = [report]
        validation = self._score() if self.workers.writes else None
        if self.config.patience:  # all processes stop at the same step
            (n_worse,) = self.workers.sum_values([self.n_worse if self.workers.writes else 0])
            self.n_worse = int(n_worse)
        return validation

    def _score(self) -> Validation:
        averaged = self.average.model(self.model)
        validation = self.scores(averaged)
        if validation.is_finite and validation.rank > self.best:
            metrics = self.metrics() | {"validation": asdict(validation)}
            self._save("best", averaged, metrics, bits=16)
            self.best, self.n_worse = validation.rank, 0
        else:
            self.n_worse += 1
        return validation

    def scores(self, model: Translator) -> Validation:
        """Score a model on the validation pairs."""
        examples = self.valid_set.examples
        return validate(model, self.tokenizer, self.valid_pairs, examples, self.config)

    def save_last(self) -> None:
        """Write last/, to resume from bit for bit; all processes must call this together."""
        with self.trainer.lock:
            self._save_state(LAST)
            self.saved = time.monotonic()
        trim_memory()

    def _save_state(self, part: str) -> None:
        tensors, position = self.trainer.state()
        if not self.workers.writes:
            return
        unscored = [asdict(report) for report in self.unscored]
        own = {"best": self.best, "n_worse": self.n_worse}
        own |= {"seconds": self.seconds, "unscored": unscored}
        state = tensors | self.average.tensors(), position | own
        self._save(part, self.model, self.metrics(), state=state)

    def _save(self, part: str, model: Translator, metrics: Mapping[str, Any], **more: Any) -> None:
        folder = self.folder.path / part
        self._write(checkpoint.save, folder, model, self.tokenizer, metrics, **more)

    def metrics(self) -> dict[str, Any]:
        """Return how the model was trained, for its metrics.json."""
        return {
            "trained": time.strftime("%Y-%m-%d"),
            "step": self.trainer.step,
            "before": self.before,
            "epoch": self.trainer.epoch,
            "seconds": round(self.seconds),
            "pairs": len(self.trainer.dataset.examples),
            "data": self.data_sums,
            "machine": self.machine,
            "torch": torch.__version__,
            "train": self.config.to_dict(),
            "plan": self.plan.without_paths().to_dict(),
        }


def _pairs(folder: RunFolder, plan: Plan) -> tuple[list[Pair], list[Pair]]:
    """Read or make the pairs of a plan, to train and to validate on."""
    if not plan.data:
        return make_pairs(plan.task, plan.pairs, plan.train.validate_pairs, plan.train.seed)
    train_pairs = read_pairs([folder.path / name for name in plan.data], "data")
    return train_pairs, read_pairs([folder.path / plan.valid], "valid")


def _machine(device: torch.device) -> str:
    """Return what reproducibility depends on: processor, threads, and the GPU if one is used."""
    gpu = f", {torch.cuda.get_device_name(device)}" if device.type == "cuda" else ""
    return f"{platform.machine()}, {torch.get_num_threads()} thread(s){gpu}"
