"""The hyper-parameters as options of `train`, typed or read from a file of settings."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import typer
import yaml

from model.cli.options import file_option
from model.config import RECURRENT_ONLY, Arch, ModelConfig, TrainConfig
from model.errors import UserError, os_errors_as
from model.settings import settings_of
from model.training.presets import PRESETS, preset

NOT_IN_A_FILE: Final = ("config", "plan", "help")


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Replace a command's `**settings` by an option for each hyper-parameter that users choose."""
    signature = inspect.signature(command, eval_str=True)
    *own, _settings = signature.parameters.values()
    options = [*own, *_options(ModelConfig, "Model"), *_options(TrainConfig, "Training")]
    command.__signature__ = signature.replace(parameters=options)  # type: ignore[attr-defined]
    command.__annotations__ = {option.name: option.annotation for option in options}
    return command


def _options(config: type, panel: str) -> Iterator[inspect.Parameter]:
    for name, (kind, _, setting) in settings_of(config).items():
        if not setting.help:
            continue
        valid = setting.valid
        option = typer.Option(
            *(["--bf16/--fp32"] if name == "bf16" else []),
            help=f"{setting.help} ({default(name)})",
            min=None if valid is None or valid.open_low else valid.low,
            max=None if valid is None else valid.high,
            rich_help_panel=panel,
        )
        parameter = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
        yield parameter.replace(annotation=Annotated[kind | None, option])


def default(name: str) -> str:
    """Return the default of a setting, as text for the help."""
    if name == "bf16":
        return "default: where the device is fast at it, but not for tiny"
    archs: tuple[Arch, ...] = ("rnn", "rnnsearch") if name in RECURRENT_ONLY else ("transformer",)
    values = {
        f"{arch} {one}" if len(archs) > 1 else one: in_preset(name, one, arch)
        for arch in archs
        for one in PRESETS
    }
    if len(set(values.values())) == 1:
        return f"default: {next(iter(values.values()))}"
    return "default: " + ", ".join(f"{one} {value}" for one, value in values.items())


def in_preset(name: str, preset_name: str, arch: Arch = "transformer") -> str:
    """Return the value of a setting in a preset, as text."""
    model, train = preset(preset_name, arch)
    return text_of(getattr(model if hasattr(model, name) else train, name))


def text_of(value: Any) -> str:
    """Return a setting's value as a user would type it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _read_settings(path: Path) -> dict[str, Any]:
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


def _read_config(context: typer.Context, file: Path | None) -> Path | None:
    """Use a file's settings as the defaults of options that were not typed."""
    if file is None:
        return None
    settings = _read_settings(file)
    options = {one.name: one for one in context.command.params if one.name not in NOT_IN_A_FILE}
    for name, value in settings.items():
        if name not in options:
            raise UserError("plain", "config", what=f"{file} sets {name}, which is no option.")
        if getattr(options[name], "multiple", False) and not isinstance(value, list):
            settings[name] = [value]
    context.default_map = settings
    return file


Config = Annotated[
    Path | None,
    file_option(
        "Settings as YAML, by the options' names with _ for -; options that are typed win. "
        "Each run writes its own, config.yaml.",
        callback=_read_config,
        is_eager=True,
    ),
]
