"""The next total of a channel, its deposits, and its record after each outcome. Amounts are atomic units."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ._channel import ChannelRecord, PendingDeposit

SPARE_MS = 15_000
"""A deposit must live so much longer to be presented again."""
WORTH_CALLS = 4
"""A channel that pays for fewer calls costs more gas than `exact`."""
USUAL_CALLS = 20
"""Prices in a deposit where the seller proposes nothing."""
MOST_PROPOSED_CALLS = 100
"""Of a proposal for more calls no more is taken at first: the seller does not know how many come."""


@dataclass(frozen=True)
class Need:
    """A call that a channel is to pay."""

    price: int
    proposed: int | None
    """The deposit that the seller proposes."""
    takes_deposits: bool
    calls: int
    """Calls that are still to come, as far as the caller knows."""
    room: int
    """Most that may be deposited now."""
    valid_before: int
    """Of a new deposit, Unix seconds."""
    salt: str
    """Of a new deposit."""
    now: int
    """Ms since 1970."""


@dataclass(frozen=True)
class Plan:
    """The signatures that one call needs."""

    total: int
    increment: int
    """The part of it that the caps have not counted."""
    deposit: PendingDeposit | None
    """None: the channel has enough."""
    next: ChannelRecord
    """It has to be stored before anything is signed."""


def plan_of(record: ChannelRecord, need: Need) -> Plan | None:
    """
    The next total, and the deposit where the channel has too little. A deposit whose fate is not known is presented again while it
    lives; none is signed beside it. None where the channel cannot pay for the call.
    """
    total = record.charged + need.price
    is_alive = record.pending is not None and record.pending.valid_before * 1000 > need.now + SPARE_MS
    pending = record.pending if is_alive else None
    missing = total - record.funded
    deposit = None
    if missing > 0:
        deposit = (pending or _new_deposit(record, need, missing)) if need.takes_deposits else None
        if deposit is None or deposit.amount < missing:
            return None
    added = 0 if deposit is None or deposit is pending else deposit.amount
    following = replace(
        record,
        signed=max(record.signed, total),
        counted=max(record.counted, total),
        deposited=record.deposited + added,
        pending=deposit or pending,
        closed_at=None,
    )
    return Plan(total, max(total - record.counted, 0), deposit, following)


def _new_deposit(record: ChannelRecord, need: Need, missing: int) -> PendingDeposit | None:
    """
    The deposit that is worth its transaction: as the seller proposes up to a hundred calls, for the calls that are known to come, or
    for as much again as was bought so far, whichever is the most, within what is allowed.
    """
    proposed = USUAL_CALLS * need.price if need.proposed is None else need.proposed
    advised = min(proposed, MOST_PROPOSED_CALLS * need.price)
    target = max(advised, need.calls * need.price, record.charged)
    amount = min(max(target, missing), need.room)
    is_first = record.unspent == 0
    if amount < missing or (is_first and amount < WORTH_CALLS * need.price):
        return None
    return PendingDeposit(amount, need.valid_before, need.salt)


def after_sale(record: ChannelRecord, total: int, deposit: PendingDeposit | None) -> ChannelRecord:
    """The record after the answer to a payment came."""
    is_in = deposit is not None and record.pending is not None and record.pending.salt == deposit.salt
    added = deposit.amount if is_in and deposit is not None else 0
    charged, pending = max(record.charged, total), None if is_in else record.pending
    return replace(record, charged=charged, funded=record.funded + added, pending=pending)


def after_refusal(
    record: ChannelRecord, total: int, counted_before: int, deposit: PendingDeposit | None
) -> ChannelRecord:
    """
    The record after a payment that was not taken, as the seller says.

    :param deposit: one that will not be presented again
    """
    is_out = deposit is not None and record.pending is not None and record.pending.salt == deposit.salt
    less = deposit.amount if is_out and deposit is not None else 0
    counted, pending = counted_before if record.counted == total else record.counted, None if is_out else record.pending
    return replace(record, counted=counted, deposited=record.deposited - less, pending=pending)


def after_correction(record: ChannelRecord, charged: int, balance: int | None, proven: int) -> ChannelRecord:
    """
    The record after the seller has shown what it has charged.

    :param balance: money that is in the channel; None where the seller does not say
    :param proven: the highest total that it can claim
    """
    funded = record.funded if balance is None else balance
    pending = record.pending
    is_in = pending is not None and funded >= record.funded + pending.amount
    return replace(
        record,
        charged=charged,
        signed=max(record.signed, proven),
        # A total of another run was counted by it.
        counted=max(record.counted, proven if proven > record.signed else 0),
        funded=funded,
        deposited=max(record.deposited, funded),
        pending=None if is_in else pending,
    )


def after_refund(record: ChannelRecord, refunded: int, now: int) -> ChannelRecord:
    """The record after a refund of what the seller says it gave back; the rest of what is known to be there stays."""
    left = max(record.funded - record.charged - refunded, 0)
    funded = record.charged + left
    closed_at = now if left == 0 else None
    return replace(record, funded=funded, deposited=funded, closed_at=closed_at, pending=None)
