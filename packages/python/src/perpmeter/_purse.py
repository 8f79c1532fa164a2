"""Pays, within caps that calls at the same time share."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from ._catalog import Catalog
from ._challenge import Allowed, Challenge, Requirement, base64_json, challenge_of
from ._http import Broken, Http, Reply
from ._open_payments import OpenPayments, Presented, left_by
from ._payment import Signed, expiry_of, header_of, new_nonce, signed
from ._problems import is_payment_retryable, refusal_of, service_error_of, unknown_outcome
from .amounts import atomic_of, usd_of
from .caps import Budget, Caps
from .errors import OverBudget, PerpmeterError
from .signers import Signer
from .store import MemoryStore, PaymentRecord, Store

SPARE_MS = 15_000
"""A signed payment must live so much longer to be presented for something else."""


@dataclass(frozen=True)
class Wallet:
    """
    Who pays, and how much at most.

    :param allow: networks, tokens and receivers; USDC on Base, to whom the catalog names, where nothing is said
    :param store: payments from before they are signed; in memory where none is given
    :param attempts: how often one payment is presented in one call
    :param check_catalog: False pays what a 402 asks without holding it against the catalog
    :param trust_refusals: True believes a seller who says that a payment was not taken, and gives its amount back; else what
        was signed stays spent, and buys the next answer of the same price while it is valid
    :param now: ms since 1970
    """

    signer: Signer
    caps: Caps
    allow: Allowed = field(default_factory=Allowed)
    store: Store | None = None
    attempts: int = 6
    check_catalog: bool = True
    trust_refusals: bool = False
    now: Callable[[], int] = lambda: time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Bought:
    """An answer, with the seller's statement about the payment."""

    reply: Reply
    receipt: dict[str, Any] | None
    amount: int = 0
    """Paid for it, atomic units."""


class Purse:
    """Threads may share it."""

    def __init__(self, http: Http, wallet: Wallet, catalog_url: str) -> None:
        self._http = http
        self._wallet = wallet
        self._store: Store = MemoryStore() if wallet.store is None else wallet.store
        self._budget = Budget(wallet.caps)
        self._catalog = Catalog(http, catalog_url)
        self._open = OpenPayments()
        self._lock = threading.Lock()
        self._spare: list[Signed] = []
        self._is_restored = False

    def spent(self) -> int:
        """Paid, promised and possibly paid amounts, those of earlier runs among them; atomic units."""
        self._restore()
        return self._budget.spent()

    def has_open(self, path: str) -> bool:
        """True if a payment for this path is without an outcome: the next call presents it again."""
        self._restore()
        return self._open.has(path)

    def resume(self, url: str, path: str) -> Bought | None:
        """Presents again what an earlier call for this path left; None where it left nothing."""
        self._restore()
        left = self._open.take(path)
        return None if left is None else self._present(url, left)

    def buy(self, url: str, path: str, asked: Reply, *, max_usd: str | None, payment_id: str | None) -> Bought:
        """Buys what a 402 asks for. Raises PerpmeterError, with nothing signed, where the terms are not to be paid."""
        challenge, requirement = self._payable(asked)
        if max_usd is not None and requirement.amount > atomic_of(max_usd):
            raise OverBudget("call", usd_of(requirement.amount), max_usd)
        where = path.partition("?")[0]
        if self._wallet.check_catalog and not self._catalog.lists(where, requirement):
            detail = f"The catalog does not list {where} at {usd_of(requirement.amount)} USD on these terms."
            raise PerpmeterError(
                "not_as_listed", detail, remedy="Ask again; where it stays so, do not pay this seller."
            )
        self._restore()
        key = payment_id or secrets.token_hex(16)
        payment = self._take_spare(requirement) or self._sign(requirement, path, key)
        return self._present(url, self._sent_off(payment, challenge, requirement, path, key))

    def _payable(self, asked: Reply) -> tuple[Challenge, Requirement]:
        challenge = challenge_of(asked.headers.get("payment-required"))
        if challenge is None or not challenge.accepts:
            detail = "The 402 has no requirement of the scheme exact on an EVM network."
            raise PerpmeterError("unreadable_challenge", detail, status=402)
        allow = self._wallet.allow
        for requirement in challenge.accepts:
            if allow.refusal_of(requirement) is None:
                return challenge, requirement
        term, value = allow.refusal_of(challenge.accepts[0]) or ("network", "")
        remedy = "Name it in Allowed where you trust it."
        raise PerpmeterError("not_allowed", f"The {term} {value} is not allowed.", status=402, remedy=remedy)

    def _sign(self, requirement: Requirement, path: str, key: str) -> Signed:
        """Takes the amount from the caps, notes it, and has it signed; nothing is signed before it is noted."""
        now = self._wallet.now()
        record = PaymentRecord(
            nonce=new_nonce(),
            at=now,
            amount=requirement.amount,
            path=path,
            network=requirement.network,
            asset=requirement.asset,
            pay_to=requirement.pay_to,
            state="signing",
            key=key,
            expires_at=expiry_of(requirement, now) * 1000,
        )
        over = self._budget.reserve(record.nonce, record.amount, now)
        if over is not None:
            raise OverBudget(over.cap, usd_of(record.amount), usd_of(over.left))
        try:
            self._store.save(record)
            return signed(requirement, self._wallet.signer, record)
        except Exception as cause:  # noqa: BLE001 a signer of others raises what it likes
            self._release(record)
            # What a signer raises may hold what it signs with: its text alone is passed on.
            raise PerpmeterError("not_signed", f"Not signed: {type(cause).__name__}: {cause}") from None

    def _sent_off(
        self, payment: Signed, challenge: Challenge, requirement: Requirement, path: str, key: str
    ) -> Presented:
        """Notes the header before it leaves, so that a later process presents it again."""
        header = header_of(challenge, requirement, payment)
        record = replace(payment.record, path=path, key=key, header=header)
        self._store.save(record)
        return Presented(record, header, key, signed=replace(payment, record=record))

    def _present(self, url: str, payment: Presented) -> Bought:
        headers = {"PAYMENT-SIGNATURE": payment.header, "Idempotency-Key": payment.key}
        attempt = 1
        try:
            while True:
                sent = self._http.once(url, headers)
                if isinstance(sent, Reply):
                    bought = self._end_of(payment, sent)
                    if bought is not None:
                        return bought
                known = None if isinstance(sent, Broken) else service_error_of(sent)
                # Behind a proxy's answer, a broken connection or a pending settlement, the payment may have been taken.
                if known is None or known.charged is not False:
                    payment.was_open = True
                if attempt < self._wallet.attempts and is_payment_retryable(sent) and self._http.pause(attempt, sent):
                    attempt += 1
                    continue
                if known is not None and not payment.was_open:
                    self._turned_away(payment)
                    raise known
                self._open.leave(payment)
                raise unknown_outcome(sent)
        except KeyboardInterrupt:
            payment.was_open = True
            self._open.leave(payment)
            raise

    def _end_of(self, payment: Presented, reply: Reply) -> Bought | None:
        """The end of a payment, where a response is one: its answer, or a refusal, which is raised."""
        if 200 <= reply.status < 300:
            receipt = base64_json(reply.headers.get("payment-response"))
            self._note(payment.record.ended("bought", receipt if isinstance(receipt, dict) else None))
            return Bought(reply, receipt if isinstance(receipt, dict) else None, payment.record.amount)
        is_expired = self._wallet.now() > payment.record.expires_at
        refusal = refusal_of(reply, was_open=payment.was_open, is_expired=is_expired)
        if refusal is None:
            return None
        if refusal.charged is False and self._wallet.trust_refusals:
            self._release(payment.record)
        else:
            self._note(payment.record.ended("refused"))
        raise refusal

    def _turned_away(self, payment: Presented) -> None:
        """The seller says that nothing was charged, and can take what was signed later."""
        if self._wallet.trust_refusals:
            self._release(payment.record)
        elif payment.signed is not None:
            with self._lock:
                self._spare.append(payment.signed)

    def _take_spare(self, requirement: Requirement) -> Signed | None:
        until = self._wallet.now() + SPARE_MS
        with self._lock:
            self._spare = [spare for spare in self._spare if spare.record.expires_at > until]
            for at, spare in enumerate(self._spare):
                if spare.terms == requirement.terms:
                    return self._spare.pop(at)
        return None

    def _release(self, record: PaymentRecord) -> None:
        self._budget.release(record.nonce)
        self._note(record.ended("released"))

    def _note(self, record: PaymentRecord) -> None:
        """An end that cannot be noted leaves the amount spent, which harms no cap."""
        try:
            self._store.save(record)
        except OSError:
            pass

    def _restore(self) -> None:
        """Counts what the store remembers, once."""
        with self._lock:
            if self._is_restored:
                return
            now = self._wallet.now()
            for record in self._store.load():
                if record.state == "released":
                    continue
                self._budget.restore(record.nonce, record.amount, record.at)
                left = left_by(record, now)
                if left is not None:
                    self._open.leave(left)
            self._is_restored = True
