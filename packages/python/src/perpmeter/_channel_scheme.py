"""
The scheme `batch-settlement`: a deposit opens a channel with a seller, and each call is paid by a voucher for all that was bought so
far. No total is signed above what the seller can claim already and the price, one at a time in each channel.
"""

from __future__ import annotations

import secrets
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from ._channel import ChannelConfig, ChannelRecord, PendingDeposit
from ._channel_book import ChannelBook
from ._channel_digests import channel_id
from ._channel_payloads import deposit_payload, voucher_payload
from ._channel_plan import Need, Plan, after_correction, after_refusal, after_sale, plan_of
from ._channel_proof import claimed_in, proven_total
from ._channel_sale import Sale
from ._channel_terms import Offer, offers_of
from ._payment import expiry_of, new_nonce
from ._spending import Spending
from ._wallet import Order, Refusal, Wallet, not_signed
from .amounts import atomic_of
from .channels import Channels
from .errors import OverBudget
from .store import PaymentRecord

OUT_MS = 600_000
"""A channel that did not pay is left alone for so long."""
TRIES = 3
MOST_CHANNELS = 8
"""With one seller; more are not opened, whatever it disputes."""


@dataclass(frozen=True)
class Way:
    """The channel by which an order can be paid."""

    id: str
    config: ChannelConfig
    offer: Offer


class ChannelScheme:
    """Pays by channel. Threads may share it."""

    def __init__(self, wallet: Wallet, channels: Channels, spending: Spending, book: ChannelBook) -> None:
        self._wallet = wallet
        self._channels = channels
        self._spending = spending
        self._book = book
        self._left: list[Sale] = []
        """Sales whose outcome was left open."""
        self._out: dict[str, int] = {}
        """Until when a channel is left alone, ms since 1970."""

    def turn(self, channel: str) -> AbstractContextManager[None]:
        """The turn of a call at a channel, from before its voucher is signed until its outcome is known."""
        return self._book.turn(channel)

    def choose(self, order: Order) -> Way | None:
        """The channel that pays an order: one that is open, or that pays from this call on."""
        payable = [one for one in order.challenge.accepts if self._wallet.allow.refusal_of(one) is None]
        exacts = [one for one in payable if one.amount == order.requirement.amount]
        first: Way | None = None
        for offer in offers_of(order.challenge, exacts, self._channels.max_withdraw_delay_seconds):
            way = self._way_of(offer)
            if way is None or self._out.get(way.id, 0) > self._wallet.now():
                continue
            record = self._book.get(way.id)
            if record is not None and record.closed_at is None:
                return way
            if first is None and offer.is_named and offer.takes_deposits:
                first = way
        if first is None:
            return None
        known = self._book.get(first.id)
        closed_at = 0 if known is None else known.closed_at or 0
        calls = self._spending.purchases_from(order.requirement, closed_at) + 1
        return first if calls >= self._channels.from_call else None

    def _way_of(self, offer: Offer) -> Way | None:
        """The first of the payer's channels with a seller that is not disputed."""
        for number in range(MOST_CHANNELS):
            config = offer.config(self._wallet.signer.address, number)
            channel = channel_id(config, offer.entry.chain_id)
            record = self._book.get(channel)
            if record is None or not record.is_disputed:
                return Way(channel, config, offer)
        return None

    def sign(self, order: Order, way: Way, before: Sale | None = None) -> tuple[Sale, Any] | None:
        """
        The next voucher of a channel with its payload, by the call whose turn it is; what it adds to the caps, and the channel as it
        is then, are stored before. None where `exact` has to pay.

        :param before: the sale that is set right by it
        :raises PerpmeterError: it is not signed
        """
        with self._book.lock:
            known = self._book.get(way.id) or ChannelRecord(way.id, way.offer.entry.network, way.config)
            plan = plan_of(known, self._need(order, way))
            if plan is None:
                return None
            base = known.signed if before is None else before.base
            total = max(plan.total, 0 if before is None else before.total)
            if total - base > max(order.requirement.amount, order.most):
                return None
            record = self._record(order, way, plan)
            try:
                self._spending.take(record, order.requirement.amount)
                # The amount stays counted where this cannot be stored: it may be there all the same.
                self._book.save(_named(plan.next, order))
            except OverBudget:
                raise
            except Exception as cause:  # noqa: BLE001 a store of others raises what it likes
                raise not_signed(cause) from None
        sale = Sale(record, plan.deposit, known.counted, base, 0 if before is None else before.corrections + 1)
        try:
            return sale, self._payload(way, plan)
        except Exception as cause:  # noqa: BLE001 a signer of others raises what it likes
            self._undo(known, sale)
            raise not_signed(cause) from None

    def _need(self, order: Order, way: Way) -> Need:
        most = self._spending.left()
        if self._channels.max_deposit_usd is not None:
            most = min(most, atomic_of(self._channels.max_deposit_usd))
        now = self._wallet.now()
        return Need(
            price=order.requirement.amount,
            proposed=way.offer.min_deposit,
            takes_deposits=way.offer.takes_deposits,
            calls=self._channels.calls,
            room=max(most - self._book.unspent(way.config.payer), 0),
            valid_before=expiry_of(way.offer.entry, now),
            salt="0x" + secrets.token_hex(32),
            now=now,
        )

    def _record(self, order: Order, way: Way, plan: Plan) -> PaymentRecord:
        entry = way.offer.entry
        return PaymentRecord(
            nonce=new_nonce(),
            at=self._wallet.now(),
            amount=plan.increment,
            path=order.path,
            network=entry.network,
            asset=entry.asset,
            pay_to=entry.pay_to,
            state="signing",
            key=order.key,
            expires_at=0 if plan.deposit is None else plan.deposit.valid_before * 1000,
            channel=way.id,
            total=plan.total,
        )

    def _payload(self, way: Way, plan: Plan) -> Any:
        signer, entry = self._wallet.signer, way.offer.entry
        if plan.deposit is None:
            return voucher_payload(signer, "voucher", way.config, way.id, plan.total, entry.chain_id)
        return deposit_payload(signer, entry, way.config, way.id, plan.total, plan.deposit)

    def _undo(self, before: ChannelRecord, sale: Sale) -> None:
        """Takes back what was noted for a voucher that was not signed: nothing of it has left this process."""

        def undone(record: ChannelRecord) -> ChannelRecord:
            known = replace(record, signed=before.signed, counted=before.counted)
            return replace(known, deposited=before.deposited, pending=before.pending)

        if self._book.take_back(before.id, undone):
            self._spending.release(sale.record)

    def bought(self, sale: Sale) -> None:
        """The answer came."""
        self.take_up(sale)
        with self._book.lock:
            for other in self._left:
                if (other.channel, other.total) == (sale.channel, sale.total):
                    other.is_used = True
        self._book.change(sale.channel, lambda known: after_sale(known, sale.total, sale.deposit))

    def leave(self, sale: Sale) -> None:
        """Its outcome is not known."""
        with self._book.lock:
            self._left.append(sale)

    def take_up(self, sale: Sale) -> None:
        """A sale is presented again, or has an outcome."""
        with self._book.lock:
            self._left = [other for other in self._left if other is not sale]

    def give_back(self, sale: Sale, deposit: PendingDeposit | None) -> bool:
        """
        Gives back what the seller says it has not taken; a deposit only where it will not be presented again. False where that cannot
        be stored: the amount stays counted.
        """
        return self._book.take_back(
            sale.channel, lambda known: after_refusal(known, sale.total, sale.counted_before, deposit)
        )

    def left_by(self, record: PaymentRecord) -> Sale:
        """The sale of a voucher that an earlier process presented."""
        known = self._book.get(record.channel)
        pending = None if known is None or record.expires_at == 0 else known.pending
        sale = Sale(record, pending, record.total if known is None else known.counted, record.total)
        self.leave(sale)
        return sale

    def heed(self, sale: Sale, refusal: Refusal) -> bool:
        """
        Takes over what the seller shows of a channel in a refusal. False where it shows no reason to sign another voucher: then the
        channel is left alone for a while, and for good where the seller claims what it cannot prove.
        """
        channel = sale.channel
        seller, record = claimed_in(refusal.reply, channel), self._book.get(channel)
        is_usable = seller is not None and not seller.is_leaving and sale.corrections < TRIES
        proven = proven_total(record, seller) if is_usable and record is not None and seller is not None else None
        if seller is None or record is None or proven is None:
            self._out[channel] = self._wallet.now() + OUT_MS
            if is_usable:
                self._book.change(channel, lambda known: replace(known, is_disputed=True))
            return False
        charged, balance, total = seller.charged, seller.balance, proven
        if proven > record.signed:
            # A voucher of this call itself proves nothing of what was bought before it.
            sale.base = proven
        self._book.change(channel, lambda known: after_correction(known, charged, balance, total))
        # The lost answer to an earlier attempt may have been charged: a second payment would be one too many.
        return not (refusal.was_open and charged >= sale.total)

    def correct(self, sale: Sale, order: Order, way: Way, refusal: Refusal) -> tuple[Sale, Any] | None:
        """
        Another voucher for the same order, where the refusal shows how it has to be; None where `exact` has to pay.

        :raises PerpmeterError: the refusal stands
        """
        if self.heed(sale, refusal):
            return self.sign(order, way, sale)
        if refusal.was_open:
            raise refusal.error
        return None


def origin_of(url: str) -> str:
    """Scheme, host and port of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _named(record: ChannelRecord, order: Order) -> ChannelRecord:
    """With the place at which its seller is asked for a refund."""
    return replace(record, origin=origin_of(order.url), path=order.path)
