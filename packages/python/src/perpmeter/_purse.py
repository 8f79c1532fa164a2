"""Pays, within caps that calls at the same time share."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ._catalog import Catalog
from ._challenge import Challenge, Requirement, base64_json, challenge_of
from ._channel_book import ChannelBook
from ._channel_close import Closing
from ._channel_sale import Sale
from ._channel_scheme import ChannelScheme, origin_of
from ._exact import ExactScheme
from ._http import Broken, Http, Reply
from ._open_payments import OpenPayments, Presented, left_by
from ._payment import header_of
from ._problems import is_payment_retryable, refusal_of, service_error_of, unknown_outcome
from ._spending import Spending
from ._wallet import Bought, Order, Refusal, Wallet
from .amounts import atomic_of, usd_of
from .channels import Channels, ChannelStatus, ClosedChannel, status_of
from .errors import OverBudget, PerpmeterError
from .store import PaymentRecord


class Purse:
    """Threads may share it."""

    def __init__(self, http: Http, wallet: Wallet, base: str, catalog_url: str) -> None:
        self._http = http
        self._wallet = wallet
        self._base = base
        self._spending = Spending(wallet)
        self._exact = ExactScheme(wallet, self._spending)
        self._catalog = Catalog(http, catalog_url)
        self._open = OpenPayments()
        self._lock = threading.Lock()
        self._is_restored = False
        store = getattr(self._spending.store, "channels", None)
        self._book = None if store is None else ChannelBook(store)
        self._channels: ChannelScheme | None = None
        # A state that ends with the process is no place for a deposit that nobody has asked for.
        asked = Channels() if wallet.channels is None and wallet.store is not None else wallet.channels
        if self._book is not None and asked:
            self._channels = ChannelScheme(wallet, asked, self._spending, self._book)

    def spent(self) -> int:
        """Paid, promised and possibly paid amounts, those of earlier runs among them; atomic units."""
        self._restore()
        return self._spending.spent()

    def has_open(self, path: str) -> bool:
        """True if a payment for this path is without an outcome: the next call presents it again."""
        self._restore()
        return self._open.has(path)

    def channels(self) -> list[ChannelStatus]:
        """All channels of the store."""
        return [] if self._book is None else [status_of(record) for record in self._book.all()]

    def pays_by_channel(self) -> bool:
        """True if a channel is open with this service."""
        origin = origin_of(self._base)
        is_open = any(one.origin == origin and one.state == "open" for one in self.channels())
        return self._channels is not None and is_open

    def close_channel(self, channel: str) -> ClosedChannel | None:
        """Closes a channel; None where there is none of this name."""
        return None if self._book is None else Closing(self._http, self._base, self._wallet, self._book).close(channel)

    def resume(self, url: str, path: str) -> Bought | None:
        """Presents again what an earlier call for this path left; None where it left nothing that can buy something."""
        self._restore()
        left = self._open.take(path)
        if left is None:
            return None
        if left.sale is None or self._channels is None:
            return self._present_or_raise(url, left)
        with self._channels.turn(left.sale.channel):
            self._channels.take_up(left.sale)
            if left.sale.is_used:
                self._spending.note(left.record.ended("refused"))
                return None
            try:
                return self._present(url, left)
            except Refusal as refusal:
                if self._channels.heed(left.sale, refusal):
                    return None
                raise refusal.error from None

    def buy(self, url: str, path: str, asked: Reply, *, max_usd: str | None, payment_id: str | None) -> Bought:
        """Buys what a 402 asks for. Raises PerpmeterError, with nothing signed, where the terms are not to be paid."""
        challenge, requirement = self._payable(asked)
        if max_usd is not None and requirement.amount > atomic_of(max_usd):
            raise OverBudget("call", usd_of(requirement.amount), max_usd)
        if not self._is_listed(path, requirement):
            where = path.partition("?")[0]
            detail = f"The catalog does not list {where} at {usd_of(requirement.amount)} USD on these terms."
            raise PerpmeterError(
                "not_as_listed", detail, remedy="Ask again; where it stays so, do not pay this seller."
            )
        self._restore()
        most, key = self._spending.most_of_call(max_usd), payment_id or secrets.token_hex(16)
        order = Order(url, path, challenge, requirement, most, key)
        bought = None if self._channels is None else self._by_channel(order, self._channels)
        if bought is not None:
            return bought
        signed = self._exact.sign(order)
        payment = self._sent_off(order, requirement, signed.record, signed.payload)
        payment.signed = replace(signed, record=payment.record)
        return self._present_or_raise(url, payment)

    def _by_channel(self, order: Order, channels: ChannelScheme) -> Bought | None:
        """Pays by channel; None where `exact` has to pay."""
        way = channels.choose(order)
        if way is None or not self._is_listed(order.path, way.offer.entry):
            return None
        with channels.turn(way.id):
            made = channels.sign(order, way)
            while made is not None:
                sale, payload = made
                payment = self._sent_off(order, way.offer.entry, sale.record, payload)
                payment.sale = sale
                try:
                    return self._present(order.url, payment)
                except Refusal as refusal:
                    made = channels.correct(sale, order, way, refusal)
                    if made is None and order.requirement.amount + sale.exposed > order.most:
                        raise refusal.error from None
        return None

    def _is_listed(self, path: str, entry: Requirement) -> bool:
        return not self._wallet.check_catalog or self._catalog.lists(path.partition("?")[0], entry)

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

    def _sent_off(
        self, order: Order, entry: Requirement, signed: PaymentRecord, payload: Mapping[str, Any]
    ) -> Presented:
        """Notes the header before it leaves, so that a later process presents it again."""
        header = header_of(order.challenge, entry, payload)
        record = replace(signed, path=order.path, key=order.key, header=header)
        self._spending.store.save(record)
        return Presented(record, header, order.key)

    def _present_or_raise(self, url: str, payment: Presented) -> Bought:
        try:
            return self._present(url, payment)
        except Refusal as refusal:
            raise refusal.error from None

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
                self._leave(payment)
                raise unknown_outcome(sent)
        except KeyboardInterrupt:
            payment.was_open = True
            self._leave(payment)
            raise

    def _leave(self, payment: Presented) -> None:
        if self._channels is not None and payment.sale is not None:
            self._channels.leave(payment.sale)
        self._open.leave(payment)

    def _end_of(self, payment: Presented, reply: Reply) -> Bought | None:
        """The end of a payment, where a response is one: its answer, or a refusal, which is raised."""
        record = payment.record
        if 200 <= reply.status < 300:
            said = base64_json(reply.headers.get("payment-response"))
            receipt = said if isinstance(said, dict) else None
            if self._channels is not None and payment.sale is not None:
                self._channels.bought(payment.sale)
            self._spending.note(record.ended("bought", receipt))
            return Bought(reply, receipt, record.amount)
        is_expired = record.expires_at > 0 and self._wallet.now() > record.expires_at
        refusal = refusal_of(reply, was_open=payment.was_open, is_expired=is_expired)
        if refusal is None:
            return None
        if refusal.charged is False and self._wallet.trust_refusals:
            self._release(record, payment.sale, is_over=True)
        else:
            self._spending.note(record.ended("refused"))
        raise Refusal(refusal, reply, payment.was_open)

    def _turned_away(self, payment: Presented) -> None:
        """The seller says that nothing was charged, and can take what was signed later."""
        if self._wallet.trust_refusals:
            self._release(payment.record, payment.sale, is_over=False)
        elif payment.signed is not None:
            self._exact.keep(payment.signed)
        elif payment.sale is not None:
            # The next voucher of the channel is for the same total, which is counted.
            self._spending.note(payment.record.ended("refused"))

    def _release(self, record: PaymentRecord, sale: Sale | None, *, is_over: bool) -> None:
        """
        Gives back what the seller says it has not taken.

        :param is_over: it will not be presented again, and its deposit neither
        """
        deposit = None if sale is None or not is_over else sale.deposit
        if self._channels is None or sale is None or self._channels.give_back(sale, deposit):
            self._spending.release(record)
        else:
            self._spending.note(record.ended("refused"))

    def _restore(self) -> None:
        """Counts what the store remembers, once."""
        with self._lock:
            if self._is_restored:
                return
            now = self._wallet.now()
            records = list(self._spending.store.load())
            used = {(one.channel, one.total) for one in records if one.state == "bought"}
            for record in records:
                self._spending.restore(record)
                left = left_by(record, now)
                if left is None or (record.channel and (record.channel, record.total) in used):
                    continue
                if self._channels is not None and record.channel:
                    left.sale = self._channels.left_by(record)
                self._open.leave(left)
            self._is_restored = True
