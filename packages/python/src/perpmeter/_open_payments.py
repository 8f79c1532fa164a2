"""Payments whose outcome is not known, by the path that they were signed for."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from ._channel_sale import Sale
from ._payment import Signed
from .store import PaymentRecord

HOUR_MS = 3_600_000


@dataclass
class Presented:
    """A payment on its way."""

    record: PaymentRecord
    header: str = field(repr=False)
    key: str
    signed: Signed | None = None
    """None for one of an earlier process, which left its header alone."""
    was_open: bool = False
    """An earlier attempt may have been taken."""
    sale: Sale | None = None
    """Of a voucher."""


class OpenPayments:
    """Equal calls at once may each leave one. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_path: dict[str, list[Presented]] = {}

    def leave(self, payment: Presented) -> None:
        """Keeps it for the next call for its path."""
        with self._lock:
            self._by_path.setdefault(payment.record.path, []).append(payment)

    def take(self, path: str) -> Presented | None:
        """The one that a call for the path presents; no other call is given it."""
        with self._lock:
            left = self._by_path.get(path)
            if not left:
                return None
            payment = left.pop(0)
            if not left:
                del self._by_path[path]
            return payment

    def has(self, path: str) -> bool:
        """True if a payment for the path is without an outcome."""
        with self._lock:
            return path in self._by_path


def left_by(record: PaymentRecord, now: int) -> Presented | None:
    """A payment that an earlier process signed and saw no end of; None where it has one, or nobody knows of it any more."""
    # A voucher has no end, and is older than the answer to it after as long.
    end = record.expires_at or record.at
    if record.state != "signing" or not record.header or now > end + HOUR_MS:
        return None
    return Presented(record, record.header, record.key, was_open=True)
