"""Rows of answers as tables of pandas, polars or pyarrow, where those are installed."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ._columns import COLUMNS
from ._facts import DATE_FIELDS

if TYPE_CHECKING:
    from .answer import Answer, Library

Rows = Sequence[Mapping[str, Any]]


class NoTable(ValueError):
    """The answer, which was bought, has no such list."""

    def __init__(self, said: str, answer: Answer[Any]) -> None:
        super().__init__(said)
        self.answer = answer


def require(library: Library | None) -> None:
    """
    Sees to it that a table can be made before anything is paid.

    :raises ImportError: the library is not installed
    :raises ValueError: it is none of those that are known
    """
    if library is None:
        return
    if library not in ("pandas", "polars", "pyarrow"):
        raise ValueError(f"{library!r} is none of pandas, polars and pyarrow")
    importlib.import_module(library)


def rows_of(answer: Answer[Any], name: str | None = None) -> Rows:
    """
    The list of an answer that is its table.

    :raises NoTable: it has none of this name
    """
    chosen = name or COLUMNS.get(answer.template, ("", {}))[0]
    rows = answer.data.get(chosen) if isinstance(answer.data, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        lists = (
            [key for key, value in answer.data.items() if isinstance(value, list)]
            if isinstance(answer.data, dict)
            else []
        )
        said = f"the answer of {answer.template} has no rows {chosen!r}; its lists are {', '.join(lists) or 'none'}"
        raise NoTable(said, answer)
    return rows


def frame_of(answer: Answer[Any], library: Library, name: str | None = None) -> Any:
    """A table of a library: see `Answer.frame`."""
    require(library)
    rows = rows_of(answer, name)
    columns = {column: [_plain(row.get(column), column) for row in rows] for column in _names_in(rows)}
    if library == "pandas":
        return _pandas(columns, _facts_of(answer))
    if library == "polars":
        import polars

        return polars.DataFrame({column: _one_kind(values) for column, values in columns.items()}, strict=False)
    import pyarrow

    table = pyarrow.table({column: _one_kind(values) for column, values in columns.items()})
    return table.replace_schema_metadata({"perpmeter": json.dumps(_facts_of(answer), default=str)})


def _names_in(rows: Rows) -> list[str]:
    names: dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    return list(names)


def _plain(value: Any, column: str) -> Any:
    """A time as datetime in UTC; what is a list or an object as JSON."""
    if column in DATE_FIELDS and isinstance(value, str):
        return datetime.fromisoformat(value.replace("Z", "+00:00"))
    return json.dumps(value) if isinstance(value, (dict, list)) else value


def _one_kind(values: list[Any]) -> list[Any]:
    """Whole and broken numbers in one column are all float, as Arrow asks for."""
    kinds = {type(value) for value in values if value is not None}
    return [None if value is None else float(value) for value in values] if kinds == {int, float} else values


def _pandas(columns: Mapping[str, list[Any]], facts: Mapping[str, Any]) -> Any:
    import pandas

    frame = pandas.DataFrame(
        {column: pandas.Series(values, dtype=_dtype(values)) for column, values in columns.items()}
    )
    frame.attrs.update(facts)
    return frame


def _dtype(values: list[Any]) -> str:
    """A type of pandas that has a missing value of its own: a number that is not known is not 0 and not NaN."""
    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        return "object"
    if kinds == {datetime}:
        return "datetime64[ns, UTC]"
    if kinds == {bool}:
        return "boolean"
    if kinds == {int}:
        return "Int64"
    return "Float64" if kinds <= {int, float} else "string" if kinds == {str} else "object"


def _facts_of(answer: Answer[Any]) -> dict[str, Any]:
    """Where a table comes from, and the meaning and unit of each column."""
    return {
        "as_of": None if answer.as_of is None else answer.as_of.isoformat(),
        "sources": list(answer.sources),
        "missing": list(answer.missing),
        "units": dict(COLUMNS.get(answer.template, ("", {}))[1]),
    }
