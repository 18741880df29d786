"""Expressions that people type, parsed without running any of their code."""

import ast
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from model.history.graph import Graph
from model.history.operations import FUNCTIONS, ExpressionError

LONGEST: Final = 160
MOST_NAMES: Final = 6
SIGNS: Final = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
# Python's operators for the signs that people type.
TYPED: Final = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "^": "**"})


@dataclass(frozen=True)
class Expression:
    """A parsed expression: its tree of operations, and its variables in order of appearance."""

    tree: ast.expr
    names: tuple[str, ...]

    def run(self, values: Mapping[str, float]) -> Graph:
        """Compute it node by node; raises ExpressionError if it has no value or derivative."""
        graph = Graph()
        places = {name: graph.variable(name, values[name]) for name in self.names}
        last = _compute(self.tree, graph, places)
        assert last == len(graph.nodes) - 1
        return graph


def parse(text: str) -> Expression:
    """Parse an expression of + − * / **, functions and names; raises ExpressionError."""
    text = text.translate(TYPED).strip()
    if not text:
        raise ExpressionError("empty")
    if len(text) > LONGEST:
        raise ExpressionError("long", str(len(text)))
    names: dict[str, None] = {}
    tree = _tree(text)
    _check(tree, names)
    if not names:
        raise ExpressionError("nothing")
    if len(names) > MOST_NAMES:
        raise ExpressionError("names", str(len(names)))
    return Expression(tree, tuple(names))


def _tree(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        offset = 1 if error.offset is None else error.offset  # 0 if the text ends too early
        rest = text[offset - 1 :] if offset else ""
        raise ExpressionError("unreadable" if rest else "unfinished", rest or text) from None
    except (ValueError, MemoryError, RecursionError):
        raise ExpressionError("unreadable", text) from None


def _check(node: ast.expr, names: dict[str, None]) -> None:
    """Collect the names in a tree; raises ExpressionError for what cannot be computed here."""
    at = ast.unparse(node)
    match node:
        case ast.Constant(value=value):
            if type(value) not in (int, float):
                raise ExpressionError("number", at)
            if abs(value) > sys.float_info.max:  # type: ignore[arg-type]
                raise ExpressionError("overflow", at)
        case ast.Name(id=name):
            if name in FUNCTIONS:
                raise ExpressionError("alone", name)
            names[name] = None
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
            _check(inner, names)
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) not in SIGNS:
                raise ExpressionError("operator", at)
            _check(left, names)
            _check(right, names)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            if name not in FUNCTIONS:
                raise ExpressionError("unknown", name)
            if len(args) != 1 or keywords or isinstance(args[0], ast.Starred):
                raise ExpressionError("inputs", name)
            _check(args[0], names)
        case _:
            raise ExpressionError("operator", at)


def _compute(node: ast.expr, graph: Graph, places: Mapping[str, int]) -> int:
    """Add a part of the tree to the graph, inputs first; return the place of its result."""
    match node:
        case ast.Constant(value=value):
            return graph.number(float(value))  # type: ignore[arg-type]
        case ast.Name(id=name):
            return places[name]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
            return graph.number(-float(value))  # type: ignore[arg-type]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return graph.apply("neg", _compute(inner, graph, places))
        case ast.UnaryOp(operand=inner):
            return _compute(inner, graph, places)
        case ast.BinOp(left=left, op=op, right=right):
            inputs = _compute(left, graph, places), _compute(right, graph, places)
            return graph.apply(SIGNS[type(op)], *inputs)
        case ast.Call(func=ast.Name(id=name), args=[inner]):
            return graph.apply(name, _compute(inner, graph, places))
    raise AssertionError(ast.dump(node))
