"""Answers held against the types of the generated module."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

from perpmeter import _routes
from perpmeter.answer import Answer

# Read by type checkers alone, from a package that is no dependency.
NAMES = {**vars(_routes), "NotRequired": getattr(typing, "NotRequired", typing.Optional)}


def answer_type(method: str) -> Any:
    """The type of the data that a method without options answers."""
    first = typing.get_overloads(getattr(_routes.Routes, method))
    function = first[0] if first else getattr(_routes.Routes, method)
    answer = _read(function.__annotations__["return"])
    assert get_origin(answer) is Answer, f"{method} answers {answer}"
    return get_args(answer)[0]


def _read(hint: Any) -> Any:
    text = getattr(hint, "__forward_arg__", hint)
    return eval(text, NAMES) if isinstance(text, str) else hint


def faults(value: Any, hint: Any, at: str) -> Iterator[str]:
    """Where a value is not of a type: missing and unknown keys, and values of other kinds."""
    hint = _read(hint)
    origin = get_origin(hint)
    if hint is Any:
        return
    if origin in (typing.Union, UnionType):
        if all(any(True for _ in faults(value, each, at)) for each in get_args(hint)):
            kinds = [each for each in get_args(hint) if _is_kind(value, each)]
            yield from faults(value, kinds[0], at) if len(kinds) == 1 else iter([f"{at}: {value!r} is no {hint}"])
    elif origin is typing.Literal:
        if value not in get_args(hint):
            yield f"{at}: {value!r} is none of {get_args(hint)}"
    elif not _is_kind(value, hint):
        yield f"{at}: {value!r} is no {hint}"
    elif typing.is_typeddict(hint):
        yield from _faults_of_keys(value, hint, at)
    elif origin is list:
        for number, each in enumerate(value):
            yield from faults(each, get_args(hint)[0], f"{at}[{number}]")
    elif origin is dict:
        for name, each in value.items():
            yield from faults(each, get_args(hint)[1], f"{at}.{name}")


def _faults_of_keys(value: dict[str, Any], hint: Any, at: str) -> Iterator[str]:
    members = {name: getattr(kind, "__forward_arg__", kind) for name, kind in hint.__annotations__.items()}
    optional = {name for name, kind in members.items() if str(kind).startswith("NotRequired[")}
    yield from (f"{at}: lacks {name}" for name in members.keys() - optional - value.keys())
    yield from (f"{at}: has {name}, which {hint.__name__} lacks" for name in value.keys() - members.keys())
    for name in members.keys() & value.keys():
        kind = str(members[name])[len("NotRequired[") : -1] if name in optional else members[name]
        yield from faults(value[name], kind, f"{at}.{name}")


def _is_kind(value: Any, hint: Any) -> bool:
    """True if a value is of the same kind of JSON as a type."""
    hint = _read(hint)
    if hint is Any:
        return True
    if hint is None or hint is NoneType:
        return value is None
    if hint in (int, float):
        return isinstance(value, hint | int) and not isinstance(value, bool)
    origin = get_origin(hint)
    if origin is typing.Literal:
        return value in get_args(hint)
    return isinstance(value, dict if typing.is_typeddict(hint) else origin or hint)
