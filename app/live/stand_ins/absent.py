"""Libraries, or parts of them, that a browser lacks: they can be imported, and say so when used.

What is imported and never called there (training, uploads, the hub) needs no more than names.
"""

import importlib.abc
import importlib.machinery
import sys
import types
from abc import ABCMeta
from collections.abc import Sequence
from typing import Any, Final

LIBRARIES: Final = frozenset(
    {"huggingface_hub", "pandas", "pyarrow", "sacrebleu", "safetensors", "tokenizers", "torch"}
)


class AbsentError(NotImplementedError):
    """Something that only the app with its server can do; the message is its name."""


class Absent(types.ModuleType):
    """A module, function or constant that is not there: what is taken from it is not there either.

    What has a capital letter is a class, to derive from or to name in a type.
    """

    __path__: Sequence[str] = ()

    def __getattr__(self, name: str) -> Any:
        return absent(f"{self.__name__}.{name}")

    def __call__(self, *_args: Any, **_kwargs: Any) -> Any:
        raise AbsentError(self.__name__)

    def __or__(self, other: Any) -> Any:
        return self

    __ror__ = __or__


def absent(name: str) -> Any:
    """Return what stands in the place of a name, "library.part".

    Raises AttributeError for the names that Python itself looks for.
    """
    last = name.rpartition(".")[2]
    if last.startswith("__"):
        raise AttributeError(name)
    return _absent_class(name) if last[0].isupper() else Absent(name)


class AbsentType(ABCMeta):
    """A class that is not there, nor anything in it."""

    def __getattr__(cls, name: str) -> Any:
        return absent(f"{cls.__name__}.{name}")


def _absent_class(name: str) -> type:
    def refuse(*_args: Any, **_kwargs: Any) -> None:
        raise AbsentError(name)

    last = name.rpartition(".")[2]
    if last.endswith("Error"):
        return type(last, (Exception,), {})
    inside = {"__init__": refuse, "__class_getitem__": classmethod(lambda one, _kind: one)}
    return AbsentType(last, (), inside)


class AbsentFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of absent libraries, after all that is really there."""

    def find_spec(
        self, name: str, path: Any = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] not in LIBRARIES:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Absent:
        return Absent(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Do nothing: all is found when it is asked for."""


def install() -> None:
    """Let the libraries that are not there be imported."""
    sys.meta_path.append(AbsentFinder())
