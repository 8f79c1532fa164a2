"""Most that may be spent."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from .amounts import atomic_of

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


@dataclass(frozen=True)
class Caps:
    """
    Most that may be spent, USD as decimal text: for one call, in any 60 minutes, in any 24 hours, and as long as the store
    of payments reaches back. An amount counts from before it is signed.
    """

    per_call: str
    total: str
    per_hour: str | None = None
    per_day: str | None = None

    def __post_init__(self) -> None:
        for usd in (self.per_call, self.total, self.per_hour, self.per_day):
            if usd is not None:
                atomic_of(usd)


@dataclass(frozen=True)
class OverCap:
    """The cap that does not allow an amount, and the rest of it in atomic units."""

    cap: str
    left: int


class Budget:
    """Spent amounts, promised ones and those that may have been spent, by the name of their payment. Threads may share it."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._lock = threading.Lock()
        self._recent: dict[str, tuple[int, int]] = {}
        self._older = 0

    def restore(self, name: str, amount: int, at: int) -> None:
        """Counts an amount of an earlier run."""
        with self._lock:
            self._recent[name] = (at, amount)

    def reserve(self, name: str, amount: int, now: int, price: int | None = None) -> OverCap | None:
        """
        Takes an amount at once, or says which cap does not allow it.

        :param price: of the call, where the amount is another one
        """
        with self._lock:
            for cap, usd, spent, asked in (
                ("call", self._caps.per_call, 0, amount if price is None else price),
                ("hour", self._caps.per_hour, self._since(now - HOUR_MS), amount),
                ("day", self._caps.per_day, self._since(now - DAY_MS), amount),
                ("total", self._caps.total, self._spent(), amount),
            ):
                if usd is None:
                    continue
                left = atomic_of(usd) - spent
                if asked > left:
                    return OverCap(cap, max(left, 0))
            self._forget(now - DAY_MS)
            self._recent[name] = (now, amount)
            return None

    def left(self, now: int) -> int:
        """The rest of the caps of the day and in all, atomic units."""
        with self._lock:
            rest = atomic_of(self._caps.total) - self._spent()
            if self._caps.per_day is not None:
                rest = min(rest, atomic_of(self._caps.per_day) - self._since(now - DAY_MS))
            return max(rest, 0)

    def release(self, name: str) -> None:
        """Gives back what was certainly not spent."""
        with self._lock:
            self._recent.pop(name, None)

    def spent(self) -> int:
        """All of it, atomic units."""
        with self._lock:
            return self._spent()

    def _spent(self) -> int:
        return self._older + sum(amount for _, amount in self._recent.values())

    def _since(self, moment: int) -> int:
        return sum(amount for at, amount in self._recent.values() if at > moment)

    def _forget(self, until: int) -> None:
        old = [name for name, (at, _) in self._recent.items() if at <= until]
        for name in old:
            self._older += self._recent.pop(name)[1]
