"""Payments by channel: a deposit with a seller, and a voucher for each answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ._channel import ChannelRecord
from .amounts import atomic_of, usd_of

WEEK_SECONDS = 604_800


@dataclass(frozen=True)
class Channels:
    """
    How a wallet pays by channel.

    :param max_deposit_usd: most money that may lie unspent in all channels of the store, USD as decimal text; never above what the
        caps of the day and in all have left, which bound it alone where none is given
    :param calls: calls that a deposit is to pay for; as many as the seller proposes, up to a hundred, else twenty
    :param from_call: the call at one seller within a day that opens a channel; the third is the earliest that can pay
    :param max_withdraw_delay_seconds: a channel whose withdrawal takes longer is not opened
    """

    max_deposit_usd: str | None = None
    calls: int = 0
    from_call: int = 3
    max_withdraw_delay_seconds: int = WEEK_SECONDS

    def __post_init__(self) -> None:
        if self.max_deposit_usd is not None:
            atomic_of(self.max_deposit_usd)


@dataclass(frozen=True)
class ChannelStatus:
    """A channel as its owner sees it; amounts are USD as decimal text."""

    id: str
    """32 bytes in hex."""
    network: str
    """CAIP-2."""
    origin: str
    """Origin of the service at which it pays."""
    payer: str
    seller: str
    """The receiver of the money."""
    state: Literal["open", "closed", "disputed"]
    """
    closed: its rest was refunded. disputed: the seller claims more than it proves; nothing more is paid by it, and its rest comes back
    by `close_channel`.
    """
    deposited_usd: str
    """All that was deposited, less what came back."""
    spent_usd: str
    """Prices of what was bought."""
    left_usd: str
    """The rest, which comes back by a refund or a withdrawal."""
    withdraw_delay_seconds: int


@dataclass(frozen=True)
class WithdrawCall:
    """A transaction that the payer sends itself."""

    sender: str
    to: str
    data: str


@dataclass(frozen=True)
class ClosedChannel:
    """The end of a channel."""

    kind: Literal["refunded", "empty", "withdraw"]
    """
    refunded: the seller gave the rest back. empty: nothing is left in it. withdraw: the seller does not refund; the payer sends
    `initiate`, and after the delay `finalize`: what the seller has not claimed by then comes back.
    """
    id: str
    refunded_usd: str = "0"
    transaction: str = ""
    """Of the refund."""
    left_usd: str = "0"
    reason: str = ""
    """The seller's word, or why there is none."""
    initiate: WithdrawCall | None = None
    finalize: WithdrawCall | None = None
    delay_seconds: int = 0


def status_of(record: ChannelRecord) -> ChannelStatus:
    """A record as its owner sees it."""
    is_closed = record.closed_at is not None
    return ChannelStatus(
        id=record.id,
        network=record.network,
        origin=record.origin,
        payer=record.config.payer,
        seller=record.config.receiver,
        state="closed" if is_closed else "disputed" if record.is_disputed else "open",
        deposited_usd=usd_of(record.deposited),
        spent_usd=usd_of(record.charged),
        left_usd=usd_of(record.unspent),
        withdraw_delay_seconds=record.config.withdraw_delay,
    )
