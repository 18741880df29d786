"""The commands `presets` and `tasks`: what a training can start from."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from model.cli.hyperparameters import in_preset, text_of
from model.cli.options import option_of
from model.config import RECURRENT_ONLY, ModelConfig, TrainConfig
from model.settings import settings_of
from model.tasks import TASKS
from model.training.presets import PRESETS


def presets() -> None:
    """Show the settings of each preset of `train`; any can be changed by its option."""
    table = Table("option", *PRESETS)
    for name, declared in (settings_of(ModelConfig) | settings_of(TrainConfig)).items():
        if declared.setting.help and name not in (*RECURRENT_ONLY, "bf16"):
            table.add_row(option_of(name), *(in_preset(name, one) for one in PRESETS))
    console = Console()
    console.print(table)
    console.print("A task changes some of them: `python -m model tasks`.")


def tasks() -> None:
    """Show the tasks of `train`: an example, the preset, the pairs, and the settings of its own."""
    table = Table("task", "example", "preset", "pairs", "its own settings", show_lines=True)
    for task in TASKS.values():
        own = (f"{name} {text_of(value)}" for name, value in task.settings.items())
        example = f"{task.probe.src} → {task.probe.tgt}"
        table.add_row(task.name, example, task.preset, f"{task.pairs:,}", ", ".join(own))
    Console().print(table)
