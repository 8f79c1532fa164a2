"""
Content of channels that is signed, and their identities.

The contract is the same on every network (specs/schemes/batch-settlement/scheme_batch_settlement_evm.md of x402).
"""

from __future__ import annotations

from functools import lru_cache

from ._challenge import Requirement
from ._channel import CONFIG, ChannelConfig, PendingDeposit
from ._keccak import keccak256
from ._payment import token_domain
from .typed_data import TRANSFER, TypedData, text_hash, word_of

CONTRACT = "0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003"
DEPOSIT_COLLECTOR = "0x4020806089470a89826cB9fB1f4059150b550004"
"""Collects deposits that are signed as EIP-3009 authorizations."""

_VOUCHER = (("channelId", "bytes32"), ("maxClaimableAmount", "uint128"))


def _domain(chain_id: int) -> dict[str, str | int]:
    return {"name": "x402 Batch Settlement", "version": "1", "chainId": chain_id, "verifyingContract": CONTRACT}


@lru_cache(maxsize=64)
def channel_id(config: ChannelConfig, chain_id: int) -> str:
    """Identity of a channel on a chain."""
    return "0x" + TypedData(_domain(chain_id), "ChannelConfig", CONFIG, config.as_json()).digest().hex()


def voucher(channel: str, total: int, chain_id: int) -> TypedData:
    """A voucher as it is signed: the seller may claim up to a total, atomic units."""
    message: dict[str, str | int] = {"channelId": channel, "maxClaimableAmount": total}
    return TypedData(_domain(chain_id), "Voucher", _VOUCHER, message)


def deposit(channel: str, requirement: Requirement, payer: str, pending: PendingDeposit) -> TypedData:
    """The authorization of a deposit: the collector alone can take it, for this channel alone."""
    message: dict[str, str | int] = {
        "from": payer,
        "to": DEPOSIT_COLLECTOR,
        "value": pending.amount,
        "validAfter": 0,
        "validBefore": pending.valid_before,
        "nonce": "0x" + keccak256(word_of("bytes32", channel) + word_of("bytes32", pending.salt)).hex(),
    }
    return TypedData(token_domain(requirement), "ReceiveWithAuthorization", TRANSFER, message)


def call_of(method: str, config: ChannelConfig, *amounts: int) -> str:
    """Input of a call of the contract that takes a channel's terms."""
    types = ",".join([f"({','.join(kind for _, kind in CONFIG)})", *("uint128" for _ in amounts)])
    members = config.as_json()
    words = [word_of(kind, members[name]) for name, kind in CONFIG] + [word_of("uint128", one) for one in amounts]
    return "0x" + (text_hash(f"{method}({types})")[:4] + b"".join(words)).hex()
