"""A run's settings as YAML, under the names of the command line's options."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import yaml

from model.config import ModelConfig, TrainConfig
from model.errors import UserError, os_errors_as
from model.runs.plan import START, Plan
from model.settings import settings_of
from model.training.presets import suited

NAME: Final = "config.yaml"
HEAD: Final = (
    "# The settings of this run: `train --config config.yaml --out ANOTHER` trains it again.\n"
)


def written(plan: Plan, folder: Path) -> str:
    """Return the settings of a plan, whose files are in a folder, as YAML."""
    options: dict[str, Any] = {}
    if plan.data:
        options["data"] = [str(folder / name) for name in plan.data]
        options["valid"] = str(folder / plan.valid)
    else:
        options |= {"task": plan.task, "pairs": plan.pairs}
    if plan.from_model:
        options["start_from"] = str(folder / START)
    if plan.snapshots:
        options["snapshot"] = list(plan.snapshots)
    settings = suited(plan.model.to_dict() | plan.train.to_dict(), plan.model.arch)
    declared = settings_of(ModelConfig) | settings_of(TrainConfig)
    options |= {name: settings[name] for name in settings if _is_option(declared.get(name))}
    return HEAD + yaml.safe_dump(options, sort_keys=False, allow_unicode=True)


def _is_option(declared: Any) -> bool:
    return declared is not None and bool(declared.setting.help)


def read(path: Path) -> dict[str, Any]:
    """Return the settings of a YAML file, by name; raises UserError."""
    try:
        with os_errors_as(UserError("unreadable", "config", path=str(path))):
            settings = yaml.safe_load(path.read_bytes())
    except yaml.YAMLError as error:
        what = f"{path} is not YAML: {' '.join(str(error).split())}."
        raise UserError("plain", "config", what=what) from error
    if not isinstance(settings, dict):
        what = f"{path} holds no settings: write one a line, as in `steps: 1000`."
        raise UserError("plain", "config", what=what)
    named = {str(name).replace("-", "_"): value for name, value in settings.items()}
    return {name: value for name, value in named.items() if value is not None}
