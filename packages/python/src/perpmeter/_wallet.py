"""Who pays, how much at most, and for what."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from ._challenge import Allowed, Challenge, Requirement
from ._http import Reply
from .caps import Caps
from .channels import Channels
from .errors import PerpmeterError
from .signers import Signer
from .store import Store


@dataclass(frozen=True)
class Wallet:
    """
    Who pays, and how much at most.

    :param allow: networks, tokens and receivers; USDC on Base, to whom the catalog names, where nothing is said
    :param store: payments from before they are signed; in memory where none is given
    :param attempts: how often one payment is presented in one call
    :param check_catalog: False pays what a 402 asks without holding it against the catalog
    :param trust_refusals: True believes a seller who says that a payment was not taken, and gives its amount back; else what
        was signed stays spent, and buys the next answer of the same price while it is valid
    :param channels: payments by channel where a seller offers them; where nothing is said, from the third call at one seller on if a
        store is given; False never opens one
    :param now: ms since 1970
    """

    signer: Signer
    caps: Caps
    allow: Allowed = field(default_factory=Allowed)
    store: Store | None = None
    attempts: int = 6
    check_catalog: bool = True
    trust_refusals: bool = False
    channels: Channels | Literal[False] | None = None
    now: Callable[[], int] = lambda: time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Bought:
    """An answer, with the seller's statement about the payment."""

    reply: Reply
    receipt: dict[str, Any] | None
    amount: int = 0
    """Paid for it, atomic units."""


@dataclass(frozen=True)
class Order:
    """One answer to be paid for."""

    url: str
    path: str
    challenge: Challenge
    requirement: Requirement
    """The entry of `exact` that may be paid."""
    most: int
    """All that may be signed for it, atomic units."""
    key: str
    """Its `Idempotency-Key`."""


class Refusal(Exception):
    """A payment was not taken. The caller of the purse is given its `error`."""

    def __init__(self, error: PerpmeterError, reply: Reply, was_open: bool) -> None:
        super().__init__(error)
        self.error = error
        self.reply = reply
        self.was_open = was_open
        """An earlier attempt with the payment may have been taken."""


def not_signed(cause: BaseException) -> PerpmeterError:
    """The error of a payment that was not signed. What a signer raises may hold what it signs with: its text alone is passed on."""
    return PerpmeterError("not_signed", f"Not signed: {type(cause).__name__}: {cause}")
