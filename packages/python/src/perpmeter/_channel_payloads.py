"""The parts of a header that pay by channel. What the signer raises passes."""

from __future__ import annotations

from typing import Any

from ._challenge import Requirement
from ._channel import ChannelConfig, PendingDeposit
from ._channel_digests import deposit, voucher
from ._payment import signature_of
from .signers import Signer


def voucher_payload(signer: Signer, kind: str, config: ChannelConfig, channel: str, total: int, chain_id: int) -> Any:
    """
    A voucher that lets the seller claim up to a total, atomic units.

    :param kind: `voucher` buys an answer; `refund` asks for the rest of the channel
    """
    signature = signature_of(signer, voucher(channel, total, chain_id))
    signed = {"channelId": channel, "maxClaimableAmount": str(total), "signature": signature}
    return {"type": kind, "channelConfig": config.as_json(), "voucher": signed}


def deposit_payload(
    signer: Signer, entry: Requirement, config: ChannelConfig, channel: str, total: int, pending: PendingDeposit
) -> Any:
    """A voucher with the money that it needs in its channel."""
    payload = voucher_payload(signer, "deposit", config, channel, total, entry.chain_id)
    signature = signature_of(signer, deposit(channel, entry, config.payer, pending))
    authorization = {"validAfter": "0", "validBefore": str(pending.valid_before), "salt": pending.salt}
    by_token = {"erc3009Authorization": {**authorization, "signature": signature}}
    return {**payload, "deposit": {"amount": str(pending.amount), "authorization": by_token}}
