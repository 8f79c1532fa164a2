"""An answer with where it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from ._http import Reply

Library = Literal["pandas", "polars", "pyarrow"]
T = TypeVar("T")
Value = str | int | float | bool | datetime | Iterable[str] | None


@dataclass(frozen=True)
class Answer(Generic[T]):
    """An answer with where it comes from. What is not known in it is None, never 0."""

    data: T
    as_of: datetime | None
    """Time of the oldest value in it, UTC; None for documents."""
    sources: tuple[str, ...]
    """Venues behind it."""
    missing: tuple[str, ...]
    """Venues that could not be used."""
    receipt: Mapping[str, Any] | None
    """The seller's statement about the payment; None where nothing was paid."""
    reply: Reply = field(repr=False)
    template: str
    """Path of the route, as the route table has it."""

    @property
    def signed_receipt(self) -> str | None:
        """The receipt of the answer (`perpmeter-receipt`), which `perpmeter.receipts.verify` checks."""
        return self.reply.headers.get("perpmeter-receipt")

    def frame(self, library: Library = "pandas", rows: str | None = None) -> Any:
        """
        The rows as a table of pandas, polars or pyarrow: times in UTC, unknown numbers as missing.

        :param rows: name of the list in the answer; that of the route where none is given
        :raises ImportError: the library is not installed
        :raises NoTable: the answer has no such list; it is the error's `answer`
        """
        from .frames import frame_of

        return frame_of(self, library, rows)
