"""Payments of the scheme `exact`: each is an authorization of its own (EIP-3009), which buys once."""

from __future__ import annotations

import base64
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ._challenge import Challenge, Requirement
from .signers import Signer
from .store import PaymentRecord
from .typed_data import TRANSFER, TypedData

MOST_SECONDS = 600
"""A service takes no authorization that lives longer."""

_SIGNATURE = re.compile(r"0x(?:[0-9a-fA-F]{2})+", re.ASCII)


@dataclass(frozen=True)
class Signed:
    """An authorization with its signature. Whoever has it can use it, so no text shows it."""

    record: PaymentRecord
    terms: str
    """Of the entry that it pays."""
    payload: Mapping[str, Any] = field(repr=False)


def new_nonce() -> str:
    return "0x" + secrets.token_hex(32)


def expiry_of(requirement: Requirement, now: int) -> int:
    """The last second in which an authorization is valid that is signed now (ms), Unix seconds."""
    return now // 1000 + min(requirement.timeout_seconds, MOST_SECONDS)


def token_domain(requirement: Requirement) -> dict[str, str | int]:
    """The domain of a token, under which its owner lets it be moved."""
    return {
        "name": requirement.name,
        "version": requirement.version,
        "chainId": requirement.chain_id,
        "verifyingContract": requirement.asset,
    }


def transfer(requirement: Requirement, payer: str, nonce: str, valid_before: int) -> TypedData:
    """The authorization of exactly the price, as it is signed."""
    message: dict[str, str | int] = {
        "from": payer,
        "to": requirement.pay_to,
        "value": requirement.amount,
        "validAfter": 0,
        "validBefore": valid_before,
        "nonce": nonce,
    }
    return TypedData(token_domain(requirement), "TransferWithAuthorization", TRANSFER, message)


def signature_of(signer: Signer, data: TypedData) -> str:
    """
    Has content signed.

    :raises ValueError: the signer gave no signature; what it raises itself passes
    """
    signature = signer.sign_typed_data(data)
    if not isinstance(signature, str) or _SIGNATURE.fullmatch(signature) is None:
        raise ValueError("the signer gave no signature")
    return signature


def signed(requirement: Requirement, signer: Signer, record: PaymentRecord) -> Signed:
    """Has the authorization of a record signed. Raises what `signature_of` raises."""
    data = transfer(requirement, signer.address, record.nonce, record.expires_at // 1000)
    signature = signature_of(signer, data)
    authorization = {name: str(value) for name, value in data.message.items()}
    return Signed(record, requirement.terms, {"signature": signature, "authorization": authorization})


def header_of(challenge: Challenge, requirement: Requirement, payload: Mapping[str, Any]) -> str:
    """The header that carries a payment for what a challenge asks."""
    content = {"x402Version": 2, "accepted": requirement.stated, "payload": payload}
    if "resource" in challenge.stated:
        content["resource"] = challenge.stated["resource"]
    return base64.b64encode(json.dumps(content, separators=(",", ":")).encode()).decode()
