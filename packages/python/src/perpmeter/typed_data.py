"""Content that a wallet signs (EIP-712), with its digest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from ._keccak import keccak256

Member = tuple[str, str]
"""Name and type of a member of a struct."""

DOMAIN: Final[tuple[Member, ...]] = (
    ("name", "string"),
    ("version", "string"),
    ("chainId", "uint256"),
    ("verifyingContract", "address"),
)

TRANSFER: Final[tuple[Member, ...]] = (
    ("from", "address"),
    ("to", "address"),
    ("value", "uint256"),
    ("validAfter", "uint256"),
    ("validBefore", "uint256"),
    ("nonce", "bytes32"),
)
"""Members of an authorization to move money (EIP-3009)."""


@dataclass(frozen=True)
class TypedData:
    """A message under a domain. Integers are int, addresses and hashes are hexadecimal text."""

    domain: Mapping[str, str | int]
    primary_type: str
    fields: Sequence[Member]
    message: Mapping[str, str | int]

    def digest(self) -> bytes:
        """The 32 bytes that are signed (EIP-712, "Definition of the signing function")."""
        domain = _domain_hash(*(self.domain[name] for name, _ in DOMAIN))
        return keccak256(b"\x19\x01" + domain + _hash_of(self.primary_type, self.fields, self.message))

    def as_json(self) -> dict[str, Any]:
        """The content as `eth_signTypedData_v4` and `eth_account` take it."""
        types = {"EIP712Domain": DOMAIN, self.primary_type: self.fields}
        return {
            "types": {
                name: [{"name": member, "type": kind} for member, kind in members] for name, members in types.items()
            },
            "primaryType": self.primary_type,
            "domain": dict(self.domain),
            "message": dict(self.message),
        }


@lru_cache(maxsize=64)
def _domain_hash(*values: str | int) -> bytes:
    """Hash of a domain by its members: one buyer signs under few of them."""
    return _hash_of("EIP712Domain", DOMAIN, dict(zip((name for name, _ in DOMAIN), values, strict=True)))


def _hash_of(name: str, fields: Sequence[Member], values: Mapping[str, str | int]) -> bytes:
    described = ",".join(f"{kind} {member}" for member, kind in fields)
    words = [word_of(kind, values[member]) for member, kind in fields]
    return keccak256(text_hash(f"{name}({described})") + b"".join(words))


@lru_cache(maxsize=64)
def text_hash(text: str) -> bytes:
    """Hash of a text, of which few are hashed: types, and names of tokens."""
    return keccak256(text.encode())


def word_of(kind: str, value: str | int) -> bytes:
    """A value as a word of 32 bytes. Raises ValueError for a value that its type cannot hold."""
    if kind == "string":
        return text_hash(str(value))
    if kind.startswith("uint"):
        number = int(value)
        if not 0 <= number < 1 << int(kind[4:] or 256):
            raise ValueError(f"{value} is no {kind}")
        return number.to_bytes(32, "big")
    length = {"address": 20, "bytes32": 32}.get(kind)
    if length is None:
        raise ValueError(f"no encoding of {kind}")
    text = str(value)
    data = bytes.fromhex(text.removeprefix("0x"))
    if not text.startswith("0x") or len(data) != length:
        raise ValueError(f"{value} is no {kind}")
    return data.rjust(32, b"\x00")
