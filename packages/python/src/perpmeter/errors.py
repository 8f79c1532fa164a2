"""Reasons for having no answer, as exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Charged = bool | None
"""False: nothing was spent. None: that is not known, so that the amount counts as spent."""


class PerpmeterError(Exception):
    """
    There is no answer.

    `code` tells all cases apart: a code of the service (`/errors`), or one of this client: `payment_required`, `over_budget`,
    `not_allowed`, `not_as_listed`, `unreadable_challenge`, `not_signed`, `payment_refused`, `outcome_unknown`, `unreachable`,
    `redirected`, `unreadable`.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        charged: Charged = False,
        remedy: str = "",
        status: int | None = None,
        retry_after_seconds: int | None = None,
        problem: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        """The failure, in words."""
        self.charged = charged
        self.remedy = remedy
        """What to do about it; empty where nothing is known that helps."""
        self.status = status
        """HTTP status behind it, where a response came."""
        self.retry_after_seconds = retry_after_seconds
        self.problem: Mapping[str, Any] = problem or {}
        """The problem document of the service as it came, with what only this code has: `errors`, `candidates`, `instead`."""

    def __str__(self) -> str:
        money = {False: "nothing was charged", None: "it is not known whether anything was charged"}
        said = f"{self.code}: {self.detail} ({money[self.charged]})"
        return f"{said} {self.remedy}" if self.remedy else said


class OverBudget(PerpmeterError):
    """A price is above what a cap has left."""

    def __init__(self, cap: str, price_usd: str, left_usd: str) -> None:
        bound = f"the cap of a call is {left_usd}" if cap == "call" else f"{left_usd} are left of the cap ({cap})"
        super().__init__(
            "over_budget", f"The price is {price_usd} USD; {bound}.", remedy="Raise the cap, or ask for less."
        )
        self.cap = cap
        """`call`, `hour`, `day` or `total`."""
        self.price_usd = price_usd
        self.left_usd = left_usd
