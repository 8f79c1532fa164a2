"""The scheme `exact`: a payment for each call."""

from __future__ import annotations

import threading

from ._challenge import Requirement
from ._payment import Signed, expiry_of, new_nonce, signed
from ._spending import Spending
from ._wallet import Order, Wallet, not_signed
from .errors import OverBudget
from .store import PaymentRecord

SPARE_MS = 15_000
"""A signed payment must live so much longer to be presented for something else."""


class ExactScheme:
    """Threads may share it."""

    def __init__(self, wallet: Wallet, spending: Spending) -> None:
        self._wallet = wallet
        self._spending = spending
        self._lock = threading.Lock()
        self._spare: list[Signed] = []

    def sign(self, order: Order) -> Signed:
        """
        A spare authorization on these terms, else a new one: its amount is taken from the caps and noted before it is signed.

        :raises PerpmeterError: it is not signed
        """
        requirement = order.requirement
        spare = self._take_spare(requirement)
        if spare is not None:
            return spare
        now = self._wallet.now()
        record = PaymentRecord(
            nonce=new_nonce(),
            at=now,
            amount=requirement.amount,
            path=order.path,
            network=requirement.network,
            asset=requirement.asset,
            pay_to=requirement.pay_to,
            state="signing",
            key=order.key,
            expires_at=expiry_of(requirement, now) * 1000,
        )
        try:
            self._spending.take(record)
        except OverBudget:
            raise
        except Exception as cause:  # noqa: BLE001 a store of others raises what it likes
            raise not_signed(cause) from None
        try:
            return signed(requirement, self._wallet.signer, record)
        except Exception as cause:  # noqa: BLE001 a signer of others raises what it likes
            self._spending.release(record)
            raise not_signed(cause) from None

    def keep(self, payment: Signed) -> None:
        """Keeps a payment that was turned away: it buys the next answer of the same price."""
        with self._lock:
            self._spare.append(payment)

    def _take_spare(self, requirement: Requirement) -> Signed | None:
        until = self._wallet.now() + SPARE_MS
        with self._lock:
            self._spare = [spare for spare in self._spare if spare.record.expires_at > until]
            for at, spare in enumerate(self._spare):
                if spare.terms == requirement.terms:
                    return self._spare.pop(at)
        return None
