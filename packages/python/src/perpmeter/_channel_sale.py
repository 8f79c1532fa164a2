"""A voucher on its way."""

from __future__ import annotations

from dataclasses import dataclass

from ._channel import PendingDeposit
from .store import PaymentRecord


@dataclass
class Sale:
    """A voucher that was signed for a call."""

    record: PaymentRecord
    deposit: PendingDeposit | None
    counted_before: int
    """The total that the caps had counted before."""
    base: int
    """The total that the seller could claim before this call, as far as that is proven."""
    corrections: int = 0
    """Times that the seller has set this call right."""
    is_used: bool = False
    """Another request was paid by the same voucher."""

    @property
    def channel(self) -> str:
        return self.record.channel

    @property
    def total(self) -> int:
        return self.record.total

    @property
    def exposed(self) -> int:
        """The part of all that was signed for a call that its seller can claim for it, atomic units."""
        return max(self.total - self.base, 0)
