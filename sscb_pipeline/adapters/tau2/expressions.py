"""Whether τ²'s `calculate` can be asked for a value at all.

The tool evaluates any text over digits, `+-*/(). ` in Python. Two stars are a power, so `9**9**9` is a legal
expression whose value has some 370 million digits. It is computed by one call into C that holds the interpreter
lock: no deadline of the turn loop can end it, and every other execution of the process stands still. The tool is
used as it is; an expression whose value cannot be had within bounds is refused before the tool is called, as a
failure of the environment, which is what it would be.

The bound is on whole numbers only. Decimals overflow at once.
"""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass

from sscb_pipeline.errors import EnvironmentUnavailableError

MAX_BITS = 1 << 20
"""Longest whole number that may come up while computing, in bits (a thousand times what the tool can return)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Size:
    """Upper bound of a value: magnitude below 2**bits; `whole` where it is or may be an int."""

    bits: float
    whole: bool


_DECIMAL = _Size(bits=1024, whole=False)

_ALPHABET = frozenset("0123456789+-*/(). ")
"""What the tool lets through to evaluation; it refuses any other text by itself."""


def refuse_unbounded(expression: str) -> None:
    """Raise EnvironmentUnavailableError if computing `expression` may pass through a number of over `MAX_BITS` bits.

    Texts that the tool refuses or that do not parse are let through: the tool has its own error for them.
    """
    if not _ALPHABET.issuperset(expression) or "**" not in expression:
        return
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return
    if _largest(tree) > MAX_BITS:
        raise EnvironmentUnavailableError(
            subject=f"calculate({expression[:80]!r})",
            expected=f"an expression that stays below {MAX_BITS} bits",
            found="a power or product beyond that, whose evaluation cannot be interrupted",
            remedy="none on the side of the environment: the call cannot be answered",
        )


def _largest(tree: ast.Expression) -> float:
    """Largest bound of any operation in the tree. Walks without recursion, as trees can be deep."""
    sizes: dict[ast.AST, _Size] = {}
    largest = 0.0
    for node in reversed(list(ast.walk(tree))):  # breadth first reversed: operands come before their operation
        match node:
            case ast.Constant(value=int() as value):
                sizes[node] = _Size(bits=value.bit_length(), whole=True)
            case ast.UnaryOp(operand=operand):
                sizes[node] = sizes[operand]
            case ast.BinOp(left=left, op=op, right=right):
                sizes[node] = _combined(sizes[left], op, sizes[right])
                largest = max(largest, sizes[node].bits)
            case ast.expr():
                sizes[node] = _DECIMAL
    return largest


def _combined(left: _Size, op: ast.operator, right: _Size) -> _Size:
    if not (left.whole and right.whole) or isinstance(op, ast.Div):
        return _DECIMAL
    match op:
        case ast.Pow():
            if left.bits <= 1:
                return left
            return _Size(bits=left.bits * 2**right.bits if right.bits <= 64 else math.inf, whole=True)
        case ast.Mult():
            return _Size(bits=left.bits + right.bits, whole=True)
        case ast.FloorDiv():
            return left
    return _Size(bits=max(left.bits, right.bits) + 1, whole=True)
