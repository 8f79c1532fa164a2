"""Channels as their buyer keeps them."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from .typed_data import Member

CONFIG: tuple[Member, ...] = (
    ("payer", "address"),
    ("payerAuthorizer", "address"),
    ("receiver", "address"),
    ("receiverAuthorizer", "address"),
    ("token", "address"),
    ("withdrawDelay", "uint40"),
    ("salt", "bytes32"),
)
"""Members of a channel's terms, in the order of the contract."""


@dataclass(frozen=True)
class ChannelConfig:
    """The fixed terms of a channel, which are its identity. Addresses and salt are hex in lower case."""

    payer: str
    payer_authorizer: str
    """The key that signs vouchers."""
    receiver: str
    receiver_authorizer: str
    """The seller's key that signs claims and refunds."""
    token: str
    withdraw_delay: int
    """Seconds between a request to withdraw and the withdrawal."""
    salt: str

    def as_json(self) -> dict[str, str | int]:
        """As the contract names its members."""
        return dict(zip((name for name, _ in CONFIG), asdict(self).values(), strict=True))


@dataclass(frozen=True)
class PendingDeposit:
    """A deposit that is signed and of which it is not known yet that it is in the channel."""

    amount: int
    """Atomic units."""
    valid_before: int
    """Unix seconds."""
    salt: str
    """32 bytes; names the authorization with the channel."""


@dataclass(frozen=True)
class ChannelRecord:
    """A channel as its buyer keeps it; amounts in atomic units over its whole life."""

    id: str
    """32 bytes in hex."""
    network: str
    """CAIP-2."""
    config: ChannelConfig
    origin: str = ""
    """Origin of the service at which it pays."""
    path: str = "/"
    """Path of the last purchase, at which the seller is asked for a refund."""
    charged: int = 0
    """Prices of the answers that came, or that the seller has proven."""
    signed: int = 0
    """The highest total that may have been signed: the seller can claim no more."""
    counted: int = 0
    """The part of it that the caps have counted."""
    funded: int = 0
    """Money that is known to be in the channel, with what was charged of it."""
    deposited: int = 0
    """Money that may be in the channel: all signed deposits, less refunds."""
    pending: PendingDeposit | None = None
    is_disputed: bool = False
    """The seller claims more than it can prove, so that nothing is signed for it any more."""
    closed_at: int | None = None
    """When its rest was refunded, ms since 1970; a later deposit opens it again."""

    @property
    def unspent(self) -> int:
        """Money that may lie in it and is not charged."""
        return max(self.deposited - self.charged, 0)

    @property
    def chain_id(self) -> int:
        return int(self.network.removeprefix("eip155:"))


def record_of(stored: Mapping[str, Any]) -> ChannelRecord:
    """A record as it was stored. Raises TypeError for what is none."""
    record = ChannelRecord(**stored)
    pending = None if record.pending is None else PendingDeposit(**stored["pending"])
    return replace(record, config=ChannelConfig(**stored["config"]), pending=pending)


class ChannelStore(Protocol):
    """Of each channel the record saved last holds."""

    def load(self) -> Iterable[ChannelRecord]:
        """The newest record of each channel."""

    def save(self, record: ChannelRecord) -> None:
        """Returns when the record would survive; no voucher is signed before."""


class MemoryChannels:
    """Channels that end with the process."""

    def __init__(self) -> None:
        self._records: dict[str, ChannelRecord] = {}

    def load(self) -> Iterable[ChannelRecord]:
        return list(self._records.values())

    def save(self, record: ChannelRecord) -> None:
        self._records[record.id] = record


class FileChannels:
    """
    Channels in a file that its owner alone may read. Each change puts a whole new file in the place of the old one, so that whatever
    ends the process leaves either. For one process at a time.

    :raises ValueError: the file cannot be read
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()
        self._records: dict[str, ChannelRecord] = {}
        if self._path.exists():
            try:
                stored = json.loads(self._path.read_bytes())["channels"]
                self._records = {one["id"]: record_of(one) for one in stored}
            except (ValueError, TypeError, KeyError):
                raise ValueError(f"{self._path} is no file of channels") from None

    def load(self) -> Iterable[ChannelRecord]:
        return list(self._records.values())

    def save(self, record: ChannelRecord) -> None:
        with self._lock:
            records = {**self._records, record.id: record}
            text = json.dumps({"channels": [asdict(one) for one in records.values()]}, indent=1)
            _replace(self._path, text.encode() + b"\n")
            self._records = records


def _replace(path: Path, data: bytes) -> None:
    draft = path.with_name(path.name + ".new")
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        while data:
            data = data[os.write(file, data) :]
        os.fsync(file)
    finally:
        os.close(file)
    os.replace(draft, path)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
