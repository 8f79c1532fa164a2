"""The terms of a 402 (x402, version 2)."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

BASE = "eip155:8453"
BASE_USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"

ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}", re.ASCII)
_AMOUNT = re.compile(r"\d{1,18}", re.ASCII)
_NETWORK = re.compile(r"eip155:\d{1,12}", re.ASCII)


@dataclass(frozen=True)
class Requirement:
    """One way to pay, as a seller asks for it."""

    scheme: str
    network: str
    """CAIP-2."""
    amount: int
    """Atomic units."""
    asset: str
    pay_to: str
    timeout_seconds: int
    name: str
    version: str
    """The token's name and version, under which its owner signs."""
    stated: Mapping[str, Any]
    """The entry as it came."""

    @property
    def chain_id(self) -> int:
        return int(self.network.removeprefix("eip155:"))

    @property
    def terms(self) -> str:
        """Equal for entries that one authorization pays."""
        return json.dumps(self.stated, sort_keys=True)


@dataclass(frozen=True)
class Challenge:
    """The terms of a 402, and what can be paid of them."""

    stated: Mapping[str, Any]
    accepts: tuple[Requirement, ...]
    """Entries of the scheme `exact`."""
    others: tuple[Requirement, ...] = ()
    """Entries of other schemes."""


def base64_json(text: str | None) -> Any:
    """The JSON in base64 of a header; None where there is none that can be read."""
    if text is None:
        return None
    try:
        return json.loads(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError, RecursionError):
        return None


def _is_text(value: object, pattern: re.Pattern[str]) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def requirement_of(entry: object) -> Requirement | None:
    """An entry of a challenge; None where it has not the form of one."""
    if not isinstance(entry, dict) or not isinstance(entry.get("extra"), dict):
        return None
    extra, seconds = entry["extra"], entry.get("maxTimeoutSeconds")
    is_sound = (
        isinstance(entry.get("scheme"), str)
        and _is_text(entry.get("network"), _NETWORK)
        and _is_text(entry.get("amount"), _AMOUNT)
        and _is_text(entry.get("asset"), ADDRESS)
        and _is_text(entry.get("payTo"), ADDRESS)
        and isinstance(seconds, int)
        and not isinstance(seconds, bool)
        and isinstance(extra.get("name"), str)
        and isinstance(extra.get("version"), str)
    )
    if not is_sound:
        return None
    return Requirement(
        scheme=entry["scheme"],
        network=entry["network"],
        amount=int(entry["amount"]),
        asset=entry["asset"],
        pay_to=entry["payTo"],
        timeout_seconds=entry["maxTimeoutSeconds"],
        name=extra["name"],
        version=extra["version"],
        stated=entry,
    )


def challenge_of(header: str | None) -> Challenge | None:
    """The challenge in the header of a 402; None where it cannot be read."""
    stated = base64_json(header)
    if not isinstance(stated, dict) or not isinstance(stated.get("accepts"), list):
        return None
    entries = [entry for entry in map(requirement_of, stated["accepts"]) if entry is not None]
    exact = tuple(entry for entry in entries if entry.scheme == "exact")
    return Challenge(stated, exact, tuple(entry for entry in entries if entry.scheme != "exact"))


@dataclass(frozen=True)
class Allowed:
    """
    Who may be paid, and how.

    :param networks: CAIP-2; Base alone where nothing is said
    :param assets: tokens with six decimals; USDC on Base alone where nothing is said
    :param receivers: None: those that the catalog names
    """

    networks: tuple[str, ...] = (BASE,)
    assets: tuple[str, ...] = (BASE_USDC,)
    receivers: tuple[str, ...] | None = None

    def refusal_of(self, requirement: Requirement) -> tuple[str, str] | None:
        """The term that is not allowed, and its value; None where it may be paid."""
        if requirement.network not in self.networks:
            return "network", requirement.network
        if not is_among(requirement.asset, self.assets):
            return "asset", requirement.asset
        if self.receivers is not None and not is_among(requirement.pay_to, self.receivers):
            return "receiver", requirement.pay_to
        return None


def is_among(address: str, addresses: tuple[str, ...]) -> bool:
    """True if an address is one of these, in any spelling."""
    return address.lower() in (each.lower() for each in addresses)
