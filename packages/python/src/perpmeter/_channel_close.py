"""Refunds of channels, and the way out where the seller gives none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ._challenge import base64_json, challenge_of
from ._channel import ChannelRecord
from ._channel_book import ChannelBook
from ._channel_digests import CONTRACT, call_of
from ._channel_payloads import voucher_payload
from ._channel_plan import after_correction, after_refund
from ._channel_proof import claimed_in, proven_total
from ._channel_scheme import origin_of
from ._channel_terms import decimal_of, entry_for
from ._http import Broken, Http, Reply
from ._payment import header_of
from ._problems import is_payment_retryable, json_in
from ._wallet import Wallet
from .amounts import usd_of
from .channels import ClosedChannel, WithdrawCall

ATTEMPTS = 6
"""Times that one request for a refund is presented."""
UNSEEN = 1
"""
Above a total that was claimed, and that anybody can therefore present, atomic units: a seller proves what it has charged to the signer
of a total that nobody has seen. It is the least that can be signed.
"""


class Closing:
    """Closes channels of a wallet with the seller at one address."""

    def __init__(self, http: Http, base: str, wallet: Wallet, book: ChannelBook) -> None:
        self._http = http
        self._base = base
        self._wallet = wallet
        self._book = book

    def close(self, channel: str) -> ClosedChannel | None:
        """
        Asks the seller for the rest of a channel; where it does not give it, says how the payer withdraws it. None where there is no
        channel of this name.
        """
        with self._book.turn(channel):
            record = self._book.get(channel)
            if record is None:
                return None
            return ClosedChannel("empty", channel) if record.unspent == 0 else self._refunded(record, "")

    def _refunded(self, record: ChannelRecord, tried: str) -> ClosedChannel:
        asked = self._ask(record, UNSEEN if tried == "above" else 0)
        if isinstance(asked, str):
            return _withdrawal(record, asked)
        said = base64_json(asked.headers.get("payment-response"))
        if 200 <= asked.status < 300 and isinstance(said, dict) and said.get("success") is True:
            return self._noted(record, said)
        seller = None if tried == "corrected" else claimed_in(asked, record.id)
        proven = None if seller is None else proven_total(record, seller)
        if seller is not None and proven is not None:
            charged, balance, total = seller.charged, seller.balance, proven
            self._book.change(record.id, lambda known: after_correction(known, charged, balance, total))
            return self._refunded(self._book.get(record.id) or record, "corrected")
        if seller is not None and not tried and not record.is_disputed:
            above = replace(record, signed=max(record.signed, record.charged + UNSEEN))
            try:
                self._book.save(above)
            except Exception as cause:  # noqa: BLE001 a store of others raises what it likes
                return _withdrawal(record, f"not stored: {cause}")
            return self._refunded(above, "above")
        problem = json_in(asked)
        words = (problem.get(name) for name in ("error", "detail", "code"))
        return _withdrawal(record, str(next(filter(None, words), f"status {asked.status}")))

    def _noted(self, record: ChannelRecord, said: Mapping[str, Any]) -> ClosedChannel:
        amount = decimal_of(said.get("amount"))
        refunded = record.unspent if amount is None else amount
        self._book.change(record.id, lambda known: after_refund(known, refunded, self._wallet.now()))
        transaction = str(said.get("transaction", ""))
        return ClosedChannel("refunded", record.id, refunded_usd=usd_of(refunded), transaction=transaction)

    def _ask(self, record: ChannelRecord, above: int) -> Reply | str:
        """The seller's answer to a request for a refund, or the reason for which there is none."""
        if record.origin != origin_of(self._base):
            return f"it pays at {record.origin}"
        url = self._base + record.path
        unpaid = self._http.get(url)
        if isinstance(unpaid, Broken):
            return "unreachable"
        challenge = challenge_of(unpaid.headers.get("payment-required"))
        entry = None if challenge is None else entry_for(challenge, record.network, record.config.token)
        if challenge is None or entry is None:
            return "the seller offers no channels any more"
        total = record.charged + above
        try:
            signer, config = self._wallet.signer, record.config
            payload = voucher_payload(signer, "refund", config, record.id, total, record.chain_id)
        except Exception as cause:  # noqa: BLE001 a signer of others raises what it likes
            return f"not signed: {type(cause).__name__}: {cause}"
        headers = {"PAYMENT-SIGNATURE": header_of(challenge, entry, payload)}
        attempt = 1
        while True:
            sent = self._http.once(url, headers)
            if attempt >= ATTEMPTS or not is_payment_retryable(sent) or not self._http.pause(attempt, sent):
                return "unreachable" if isinstance(sent, Broken) else sent
            attempt += 1


def _withdrawal(record: ChannelRecord, reason: str) -> ClosedChannel:
    """The transactions by which a payer takes its money back without the seller."""
    config, left = record.config, record.unspent
    return ClosedChannel(
        "withdraw",
        record.id,
        left_usd=usd_of(left),
        reason=reason,
        initiate=WithdrawCall(config.payer, CONTRACT, call_of("initiateWithdraw", config, left)),
        finalize=WithdrawCall(config.payer, CONTRACT, call_of("finalizeWithdraw", config)),
        delay_seconds=config.withdraw_delay,
    )
