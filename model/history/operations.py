"""The operations that a computation is made of: each with its value and its local derivatives."""

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Literal

Unreadable = Literal["empty", "long", "unreadable", "unfinished", "unknown", "alone", "inputs"]
Unusable = Literal["operator", "number", "names", "nothing"]
Incomputable = Literal["zero", "log", "sqrt", "power", "overflow", "slope"]
Trouble = Literal[Unreadable, Unusable, Incomputable]


class ExpressionError(ValueError):
    """Why an expression has no value or no derivative; `at` is the part of it that causes this."""

    def __init__(self, trouble: Trouble, at: str = "") -> None:
        super().__init__(f"{trouble}: {at}" if at else trouble)
        self.trouble = trouble
        self.at = at


@dataclass(frozen=True)
class Operation:
    """How a value follows from its inputs; `slopes` has the derivative by each input.

    A slope takes the inputs and then the value.
    """

    value: Callable[..., float]
    slopes: tuple[Callable[..., float], ...]
    domain: Trouble = "overflow"  # the error it reports where it has no value


def _sigmoid(a: float) -> float:
    if a >= 0:
        return 1 / (1 + math.exp(-a))
    return math.exp(a) / (1 + math.exp(a))


def _power(a: float, b: float) -> float:
    if a == 0 and b < 0:
        raise ZeroDivisionError
    return math.pow(a, b)


def _power_by_base(a: float, b: float, _y: float) -> float:
    return b * _power(a, b - 1) if b else 0.0


def _power_by_exponent(a: float, b: float, y: float) -> float:
    """Return y·ln a, which tends to 0 as a does if b is positive."""
    return 0.0 if a == 0 and b > 0 else y * math.log(a)


OPERATIONS: Final[Mapping[str, Operation]] = {
    "+": Operation(lambda a, b: a + b, (lambda a, b, y: 1.0, lambda a, b, y: 1.0)),
    "-": Operation(lambda a, b: a - b, (lambda a, b, y: 1.0, lambda a, b, y: -1.0)),
    "*": Operation(lambda a, b: a * b, (lambda a, b, y: b, lambda a, b, y: a)),
    "/": Operation(lambda a, b: a / b, (lambda a, b, y: 1 / b, lambda a, b, y: -y / b)),
    "**": Operation(_power, (_power_by_base, _power_by_exponent), "power"),
    "neg": Operation(lambda a: -a, (lambda a, y: -1.0,)),
    "exp": Operation(math.exp, (lambda a, y: y,)),
    "log": Operation(math.log, (lambda a, y: 1 / a,), "log"),
    "sqrt": Operation(math.sqrt, (lambda a, y: 1 / (2 * y),), "sqrt"),
    "tanh": Operation(math.tanh, (lambda a, y: 1 - y * y,)),
    "sigmoid": Operation(_sigmoid, (lambda a, y: y * (1 - y),)),
    "relu": Operation(lambda a: max(a, 0.0), (lambda a, y: float(a > 0),)),
    "sin": Operation(math.sin, (lambda a, y: math.cos(a),)),
    "cos": Operation(math.cos, (lambda a, y: -math.sin(a),)),
}
FUNCTIONS: Final = tuple(name for name in OPERATIONS if name.isalpha() and name != "neg")


def call(name: str, inputs: tuple[float, ...]) -> float:
    """Return an operation's value; raises ExpressionError where it has none in float64."""
    operation = OPERATIONS[name]
    try:
        value = operation.value(*inputs)
    except ZeroDivisionError:
        raise ExpressionError("zero", written(name, inputs)) from None
    except OverflowError:
        raise ExpressionError("overflow", written(name, inputs)) from None
    except ValueError:
        raise ExpressionError(operation.domain, written(name, inputs)) from None
    if not math.isfinite(value):
        raise ExpressionError("overflow", written(name, inputs))
    return value


def slope(name: str, place: int, inputs: tuple[float, ...], value: float) -> float:
    """Return the derivative by one input; raises ExpressionError if there is none in float64."""
    with suppress(ArithmeticError, ValueError):
        result = OPERATIONS[name].slopes[place](*inputs, value)
        if math.isfinite(result):
            return result
    raise ExpressionError("slope", written(name, inputs))


def written(name: str, inputs: tuple[float, ...]) -> str:
    """Write an operation with its numbers, as one would type it."""
    numbers = [f"{x:g}" if x >= 0 or name in FUNCTIONS else f"({x:g})" for x in inputs]
    if name in FUNCTIONS:
        return f"{name}({', '.join(numbers)})"
    return f"-{numbers[0]}" if name == "neg" else f" {name} ".join(numbers)
