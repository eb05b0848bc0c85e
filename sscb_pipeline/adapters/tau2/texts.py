"""Texts of the package that exist only in its source: read by parsing it, since importing it would load litellm."""

from __future__ import annotations

import ast

from sscb_pipeline.errors import IntegrityError


def module_constant(source: bytes, name: str, *, place: str) -> ast.expr:
    """The expression a module assigns to `name` at top level. Raises IntegrityError where there is none."""
    for statement in ast.parse(source).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                return value
    raise IntegrityError(
        subject=f"τ²-bench file {place}",
        expected=f"an assignment to {name} at top level",
        found="none",
        remedy="use the recorded version of the package",
    )


def text_constant(source: bytes, name: str, *, place: str) -> str:
    """A module constant written as a string literal, or as one with `.strip()` behind it. Raises IntegrityError."""
    match module_constant(source, name, place=place):
        case ast.Constant(value=str() as text):
            return text
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str() as text), attr="strip"), args=[], keywords=[]):
            return text.strip()
    raise _not_text(name, place)


def keyword_text(source: bytes, name: str, keyword: str, *, place: str) -> str:
    """The string literal given as `keyword` in the call that makes the constant `name`. Raises IntegrityError."""
    match module_constant(source, name, place=place):
        case ast.Call(keywords=keywords):
            for given in keywords:
                match given:
                    case ast.keyword(arg=found, value=ast.Constant(value=str() as text)) if found == keyword:
                        return text
    raise _not_text(f"{name}, argument {keyword}", place)


def _not_text(name: str, place: str) -> IntegrityError:
    return IntegrityError(
        subject=f"τ²-bench file {place}, {name}",
        expected="a string literal",
        found="another expression",
        remedy="use the recorded version of the package",
    )
