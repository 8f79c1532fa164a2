"""Checks receipts of answers, without a network: `perpmeter-receipt` against the seller's `/.well-known/did.json`."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from ._ed25519 import is_signed

TYPE = "perpmeter-receipt"
VERSION = 1
_FAR = datetime.max.replace(tzinfo=timezone.utc)


class WrongReceipt(ValueError):
    """A receipt is refused; `fault` names why, as `perpmeter verify` does."""

    def __init__(self, fault: str, detail: str) -> None:
        super().__init__(f"{fault}: {detail}")
        self.fault = fault


def verify(
    receipt: str,
    body: bytes,
    keys: Any,
    *,
    request: str | None = None,
    payer: str | None = None,
    transaction: str | None = None,
) -> Mapping[str, Any]:
    """
    The words of a receipt, where a published key signed them and they are of these bytes.

    :param receipt: the header `perpmeter-receipt`
    :param body: the answer before any content encoding, as `Answer.reply.body` has it
    :param keys: the document of `/.well-known/did.json`, which a buyer takes before the purchase or from another place
    :param request: path and query that must have been asked for
    :raises WrongReceipt: with the fault
    """
    header, payload, signed, signature = _parts_of(receipt)
    if header.get("alg") != "EdDSA":
        raise WrongReceipt("wrong_algorithm", "only EdDSA is taken")
    if header.get("typ") != TYPE:
        raise WrongReceipt("wrong_type", "it is signed for another purpose")
    if payload.get("version") != VERSION:
        raise WrongReceipt("unknown_version", "it has a version that this program does not know")
    _check_key(keys, header.get("kid"), payload, signed, signature)
    _check_words(payload, request, payer, transaction)
    if payload.get("body_sha256") != _base64url(hashlib.sha256(body).digest()):
        raise WrongReceipt("other_answer", "the answer is not the one that was sold")
    return payload


def _check_words(payload: Mapping[str, Any], request: str | None, payer: str | None, transaction: str | None) -> None:
    if request is not None and payload.get("request") != _bounded(f"GET {request}"):
        raise WrongReceipt("other_request", "it is the receipt of another request")
    if payer is not None and str(payload.get("payer")).lower() != payer.lower():
        raise WrongReceipt("other_payer", "it is the receipt of another payer")
    if transaction is not None and str(payload.get("transaction")).lower() != transaction.lower():
        raise WrongReceipt("other_transaction", "it is the receipt of another transaction")


def _bounded(text: str) -> str:
    """Text of more than 128 characters stands in a receipt as its hash."""
    if len(text) <= 128:
        return text
    return "sha256:" + _base64url(hashlib.sha256(text.encode()).digest())


def _check_key(keys: Any, name: object, payload: Mapping[str, Any], signed: bytes, signature: bytes) -> None:
    methods = keys.get("verificationMethod") if isinstance(keys, dict) else None
    known = (
        [one for one in methods if isinstance(one, dict) and one.get("id") == name] if isinstance(methods, list) else []
    )
    jwk = known[0].get("publicKeyJwk") if known else None
    if not isinstance(jwk, dict) or jwk.get("crv") != "Ed25519":
        raise WrongReceipt("unknown_key", "the key document has no key of this name")
    if not is_signed(_bytes_of(str(jwk.get("x"))), signed, signature):
        raise WrongReceipt("bad_signature", "one of its words was changed, or another key signed")
    issued = _time_of(payload.get("issued_at"))
    begins, ends = _time_of(known[0].get("validFrom")), _time_of(known[0].get("expires")) or _FAR
    if issued is None or begins is None or not begins <= issued < ends:
        raise WrongReceipt("key_not_in_force", "the key did not sign at that time")


def _time_of(text: object) -> datetime | None:
    try:
        return datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None


def _parts_of(receipt: str) -> tuple[Mapping[str, Any], Mapping[str, Any], bytes, bytes]:
    parts = receipt.split(".")
    if len(parts) != 3:
        raise WrongReceipt("not_a_receipt", "it is no compact JWS")
    header, payload = (_json_of(part) for part in parts[:2])
    return header, payload, f"{parts[0]}.{parts[1]}".encode(), _bytes_of(parts[2])


def _json_of(part: str) -> Mapping[str, Any]:
    try:
        value = json.loads(_bytes_of(part))
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise WrongReceipt("not_a_receipt", "a part of it is no JSON object")
    return value


def _bytes_of(text: str) -> bytes:
    """Bytes that are spelled in one way only: what a decoder would forgive is another statement."""
    try:
        decoded = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        decoded = b""
    if _base64url(decoded) != text:
        raise WrongReceipt("not_a_receipt", "a part of it is no base64url")
    return decoded


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
