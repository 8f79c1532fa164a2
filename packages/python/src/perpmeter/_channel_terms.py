"""Terms of channels in a challenge, held against those of its entries of `exact`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ._challenge import ADDRESS, Challenge, Requirement, requirement_of
from ._channel import ChannelConfig

SCHEME = "batch-settlement"
LEAST_DELAY = 900
"""Seconds; the contract takes no shorter delay."""

_DECIMAL = re.compile(r"\d{1,38}", re.ASCII)


def decimal_of(value: object) -> int | None:
    """Decimal text as a number; None for anything else."""
    return int(value) if isinstance(value, str) and _DECIMAL.fullmatch(value) is not None else None


@dataclass(frozen=True)
class Offer:
    """An entry of a challenge that a channel can pay, with the seller's part of the channel's terms."""

    entry: Requirement
    receiver_authorizer: str
    withdraw_delay: int
    """Seconds."""
    min_deposit: int | None
    """The deposit that the seller proposes, atomic units."""
    takes_deposits: bool
    """False while the seller takes none: only what is in a channel already pays."""
    is_named: bool
    """False where the challenge does not name it: only a channel that is open pays it."""

    def config(self, payer: str, number: int) -> ChannelConfig:
        """
        The terms of a payer's channel; the same ones after any loss, so that the seller knows the channel again.

        :param number: 0 for the first channel, and one more for each that is disputed
        """
        return ChannelConfig(
            payer=payer.lower(),
            payer_authorizer=payer.lower(),
            receiver=self.entry.pay_to.lower(),
            receiver_authorizer=self.receiver_authorizer.lower(),
            token=self.entry.asset.lower(),
            withdraw_delay=self.withdraw_delay,
            salt=f"0x{number:064x}",
        )


def offers_of(challenge: Challenge, exacts: Iterable[Requirement], most_delay: int) -> list[Offer]:
    """
    The channels that can pay in the place of each of these entries of `exact`, in their order. A header has no room for the channels
    of many networks: where it names those of one, others are taken to be on the same terms.

    :param most_delay: seconds
    """
    named = [entry for entry in challenge.others if entry.scheme == SCHEME]
    offers = []
    for exact in exacts:
        own = next((entry for entry in named if _is_beside(entry, exact)), None)
        entry = own or (_like(named[0], exact) if named else None)
        offer = None if entry is None else _offer_of(entry, exact, most_delay, own is not None)
        if offer is not None:
            offers.append(offer)
    return offers


def entry_for(challenge: Challenge, network: str, token: str) -> Requirement | None:
    """The entry by which the seller of a channel is asked for its rest; None where it offers no channels."""
    named = [entry for entry in challenge.others if entry.scheme == SCHEME]
    own = next((entry for entry in named if entry.network == network), None)
    exact = next((one for one in challenge.accepts if one.network == network and one.asset.lower() == token), None)
    return own or (_like(named[0], exact) if named and exact is not None else None)


def _is_beside(entry: Requirement, exact: Requirement) -> bool:
    return entry.network == exact.network and entry.asset.lower() == exact.asset.lower()


def _like(named: Requirement, exact: Requirement) -> Requirement | None:
    """An entry as another network's, on the network of one of `exact`."""
    extra = {**exact.stated["extra"]}
    for name in ("receiverAuthorizer", "withdrawDelay"):
        extra[name] = named.stated["extra"].get(name)
    return requirement_of({**exact.stated, "scheme": SCHEME, "extra": extra})


def _offer_of(entry: Requirement, exact: Requirement, most_delay: int, is_named: bool) -> Offer | None:
    """
    None where an entry differs from that of `exact` in price, token, network or receiver, or would bind the money for longer than is
    allowed.
    """
    extra = entry.stated["extra"]
    authorizer, delay = extra.get("receiverAuthorizer"), extra.get("withdrawDelay")
    is_same_sale = (
        _is_beside(entry, exact)
        and entry.amount == exact.amount
        and entry.pay_to.lower() == exact.pay_to.lower()
        and (entry.name, entry.version) == (exact.name, exact.version)
        and extra.get("assetTransferMethod", "eip3009") == "eip3009"
    )
    if not is_same_sale or entry.amount == 0:
        return None
    if not isinstance(authorizer, str) or ADDRESS.fullmatch(authorizer) is None or int(authorizer, 16) == 0:
        return None
    if not isinstance(delay, int) or isinstance(delay, bool) or not LEAST_DELAY <= delay <= most_delay:
        return None
    takes_deposits = extra.get("depositsClosed") is not True
    return Offer(entry, authorizer, delay, decimal_of(extra.get("minDeposit")), takes_deposits, is_named)
