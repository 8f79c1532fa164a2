"""What a seller says it has charged, and what it proves of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._challenge import challenge_of
from ._channel import ChannelRecord
from ._channel_digests import voucher
from ._channel_terms import SCHEME, decimal_of
from ._http import Reply
from ._keccak import keccak256
from ._secp256k1 import recovered

OUT_OF_STEP = frozenset(
    {
        "invalid_batch_settlement_evm_cumulative_amount_mismatch",
        "invalid_batch_settlement_evm_cumulative_below_claimed",
    }
)
"""The seller's words for a total that does not follow."""


@dataclass(frozen=True)
class Claimed:
    """The seller's account of a channel, not yet believed; atomic units."""

    charged: int
    balance: int | None
    is_leaving: bool
    total: int | None
    """Of the voucher by which it proves what it has charged."""
    signature: str


def claimed_in(reply: Reply, channel: str) -> Claimed | None:
    """The account of a channel in a refusal; None where it is about something else."""
    challenge = challenge_of(reply.headers.get("payment-required"))
    if challenge is None or challenge.stated.get("error") not in OUT_OF_STEP:
        return None
    for entry in challenge.others:
        extra = entry.stated["extra"]
        state = extra.get("channelState")
        if entry.scheme == SCHEME and isinstance(state, dict) and str(state.get("channelId")).lower() == channel:
            return _claimed_of(state, extra.get("voucherState"))
    return None


def _claimed_of(state: Mapping[str, Any], proof: object) -> Claimed | None:
    charged = decimal_of(state.get("chargedCumulativeAmount"))
    if charged is None:
        return None
    shown = proof if isinstance(proof, dict) else {}
    return Claimed(
        charged=charged,
        balance=decimal_of(state.get("balance")),
        is_leaving=state.get("withdrawRequestedAt") not in (None, 0, "0"),
        total=decimal_of(shown.get("signedMaxClaimable")),
        signature=str(shown.get("signature")),
    )


def proven_total(record: ChannelRecord, claimed: Claimed) -> int | None:
    """
    The highest total that the seller can claim already, where that covers what it says it has charged: what was signed here, or what
    a voucher of our own key shows. None where it claims more than it can prove.
    """
    if claimed.charged <= record.signed:
        return record.signed
    if claimed.total is None or claimed.total < claimed.charged or claimed.total >= 1 << 128:
        return None
    try:
        signature = bytes.fromhex(claimed.signature.removeprefix("0x"))
    except ValueError:
        return None
    key = recovered(voucher(record.id, claimed.total, record.chain_id).digest(), signature)
    is_ours = key is not None and "0x" + keccak256(key)[-20:].hex() == record.config.payer_authorizer
    return claimed.total if is_ours else None
