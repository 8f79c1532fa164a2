"""The caps and the store of payments, which all ways of paying share."""

from __future__ import annotations

import threading

from ._challenge import Requirement
from ._wallet import Wallet
from .amounts import atomic_of, usd_of
from .caps import DAY_MS, Budget
from .errors import OverBudget
from .store import MemoryStore, PaymentRecord, Store


def _seller_of(terms: Requirement | PaymentRecord) -> str:
    return f"{terms.network} {terms.asset} {terms.pay_to}".lower()


class Spending:
    """Threads may share it."""

    def __init__(self, wallet: Wallet) -> None:
        self.store: Store = MemoryStore() if wallet.store is None else wallet.store
        self._caps = wallet.caps
        self._budget = Budget(wallet.caps)
        self._now = wallet.now
        self._lock = threading.Lock()
        self._purchases: dict[str, dict[str, int]] = {}
        """Times of payments within a day by seller, each by its nonce."""

    def restore(self, record: PaymentRecord) -> None:
        """Counts a payment of an earlier run."""
        if record.state != "released":
            self._budget.restore(record.nonce, record.amount, record.at)
            self._note_purchase(record)

    def spent(self) -> int:
        """Atomic units."""
        return self._budget.spent()

    def left(self) -> int:
        """The rest of the caps of the day and in all, atomic units."""
        return self._budget.left(self._now())

    def most_of_call(self, max_usd: str | None) -> int:
        """All that may be signed for one call, atomic units."""
        cap = atomic_of(self._caps.per_call)
        return cap if max_usd is None else min(cap, atomic_of(max_usd))

    def purchases_from(self, seller: Requirement, since: int) -> int:
        """Payments to a seller within a day, and none before `since` (ms since 1970)."""
        after = max(since, self._now() - DAY_MS)
        with self._lock:
            return sum(1 for at in self._purchases.get(_seller_of(seller), {}).values() if at > after)

    def take(self, record: PaymentRecord, price: int | None = None) -> None:
        """
        Takes the amount of a record from the caps, then writes the record down. What the store raises passes, with nothing taken.

        :param price: of the call, where the amount is another one
        :raises OverBudget: a cap does not allow it
        """
        over = self._budget.reserve(record.nonce, record.amount, record.at, price)
        if over is not None:
            raise OverBudget(over.cap, usd_of(record.amount if price is None else price), usd_of(over.left))
        self._note_purchase(record)
        try:
            self.store.save(record)
        except Exception:
            self.release(record)
            raise

    def release(self, record: PaymentRecord) -> None:
        """Gives back what was certainly not spent."""
        self._budget.release(record.nonce)
        with self._lock:
            self._purchases.get(_seller_of(record), {}).pop(record.nonce, None)
        self.note(record.ended("released"))

    def note(self, record: PaymentRecord) -> None:
        """Writes down an end. One that cannot be noted leaves the amount spent, which harms no cap."""
        try:
            self.store.save(record)
        except Exception:  # noqa: BLE001 a store of others raises what it likes
            pass

    def _note_purchase(self, record: PaymentRecord) -> None:
        since = self._now() - DAY_MS
        with self._lock:
            known = self._purchases.get(_seller_of(record), {})
            recent = {nonce: at for nonce, at in known.items() if at > since}
            self._purchases[_seller_of(record)] = {**recent, record.nonce: record.at}
