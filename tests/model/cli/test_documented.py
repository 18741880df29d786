"""Each option has its line in --help and in the documentation, and does what it says."""

from pathlib import Path
from typing import Any

import pytest
import typer

from model.cli.main import app
from model.config import ModelConfig, TrainConfig
from model.runs.folder import RunFolder
from model.settings import settings_of
from tests.model.cli.commands import ROOT, in_this_process

DOCS = "".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
)
# Of each hyper-parameter a value that no preset has, by the architecture that has it.
OTHERS: dict[str, dict[str, Any]] = {
    "transformer": {
        "vocab_size": 320, "d_model": 24, "n_heads": 2, "d_ff": 40, "n_encoder_layers": 2,
        "n_decoder_layers": 2, "dropout": 0.25, "norm": "post", "positions": "half",
        "activation": "gelu", "steps": 1, "batch_tokens": 150, "accumulate": 2,
        "optimizer": "adam", "schedule": "linear", "learning_rate": 0.003, "warmup": 1,
        "cooldown": 0.5, "label_smoothing": 0.2, "clip": 0.7, "weight_decay": 0.03, "vary": 0.4,
        "subword_dropout": 0.2, "max_tokens": 70, "bf16": True, "average": 3, "validate_every": 1,
        "validate_pairs": 3, "patience": 4, "seed": 6, "causal": False, "one_batch": True,
    },
    "rnn": {"arch": "rnn", "cell": "tanh", "d_hidden": 20, "d_model": 12, "steps": 1, "warmup": 1},
}  # fmt: skip


def test_each_option_explains_itself_and_stands_in_the_documentation() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    for command, declared in commands.items():
        for option in declared.params:
            if option.param_type_name != "option":
                continue
            name = max(option.opts, key=len)
            assert option.help or name == "--help", f"{command} {name}"
            assert any(f"{name}{end}" in DOCS for end in "` ="), f"{command} {name}"


@pytest.mark.parametrize("arch", OTHERS)
def test_each_hyper_parameter_that_is_typed_is_trained_with(arch: str, tmp_path: Path) -> None:
    others = OTHERS[arch]
    options = [text for name, value in others.items() for text in _typed(name, value)]
    run = RunFolder(tmp_path / "run")
    task = ["--task", "copy", "--preset", "tiny", "--pairs", "40", "--threads", "1"]
    assert in_this_process("train", *task, *options, "--out", str(run.path)) == 0
    plan = run.plan()
    trained = plan.model.to_dict() | plan.train.to_dict()
    assert {name: trained[name] for name in others} == others


def test_no_hyper_parameter_is_left_out() -> None:
    declared = settings_of(ModelConfig) | settings_of(TrainConfig)
    typed = {name for others in OTHERS.values() for name in others}
    assert typed == {name for name, one in declared.items() if one.setting.help}


def _typed(name: str, value: Any) -> list[str]:
    option = name.replace("_", "-")
    if isinstance(value, bool):
        return [f"--{option}" if value else f"--no-{option}"]
    return [f"--{option}", str(value)]
