"""Where payments are remembered."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol

from ._channel import ChannelStore, FileChannels, MemoryChannels

State = Literal["signing", "bought", "refused", "released"]
"""
signing: it may be signed; bought: an answer came; refused: the seller did not take it; released: it was never signed. All but
released count as spent.
"""


@dataclass(frozen=True)
class PaymentRecord:
    """One authorization, from before it was signed on."""

    nonce: str
    at: int
    """When the amount was taken from the caps, ms since 1970."""
    amount: int
    """Atomic units."""
    path: str
    network: str
    asset: str
    pay_to: str
    state: State
    key: str = ""
    """Its `Idempotency-Key`."""
    header: str = ""
    """Its `PAYMENT-SIGNATURE`, by which a later process presents it again; empty before it is signed and after it has ended."""
    expires_at: int = 0
    """Ms since 1970."""
    receipt: dict[str, Any] | None = None
    channel: str = ""
    """Of a voucher: its channel. The amount is then that part of its total which the caps had not counted."""
    total: int = 0
    """Of a voucher: all that its seller may claim by it, atomic units."""

    def ended(self, state: State, receipt: dict[str, Any] | None = None) -> PaymentRecord:
        """The record of a payment that nobody presents again."""
        return replace(self, state=state, header="", receipt=receipt)


class Store(Protocol):
    """Of each nonce the record saved last holds. One that has `channels` besides (a `ChannelStore`) can pay by channel."""

    def load(self) -> Iterable[PaymentRecord]:
        """The latest record of each nonce."""

    def save(self, record: PaymentRecord) -> None:
        """Returns when the record would survive; nothing is signed before."""


class MemoryStore:
    """A store that ends with the process."""

    def __init__(self) -> None:
        self._records: dict[str, PaymentRecord] = {}
        self.channels: ChannelStore = MemoryChannels()

    def load(self) -> Iterable[PaymentRecord]:
        return list(self._records.values())

    def save(self, record: PaymentRecord) -> None:
        self._records[record.nonce] = record


class StoreInUse(RuntimeError):
    """Another process has the file."""


class FileStore:
    """
    Payments in a file that its owner alone may read, a line of JSON each: caps hold over restarts, and a payment whose answer
    was lost is presented again by the next process. Channels are in a second file beside it. One process at a time.

    :param path: created where it is missing; its folder has to be there. The second one has `.channels` behind it
    :raises StoreInUse: another process has it
    :raises ValueError: the second file cannot be read
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()
        self._file = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        _claim(self._file, self._path)
        try:
            self.channels: ChannelStore = FileChannels(f"{os.fspath(path)}.channels")
        except BaseException:
            os.close(self._file)
            raise

    def load(self) -> Iterable[PaymentRecord]:
        with self._lock:
            text = self._path.read_bytes()
            # A line that was cut off by a kill: its payment was not signed.
            if text and not text.endswith(b"\n"):
                os.write(self._file, b"\n")
        latest: dict[str, PaymentRecord] = {}
        for line in text.splitlines():
            record = _record_in(line)
            if record is not None:
                latest[record.nonce] = record
        return list(latest.values())

    def save(self, record: PaymentRecord) -> None:
        line = json.dumps(asdict(record), separators=(",", ":")).encode() + b"\n"
        with self._lock:
            while line:
                line = line[os.write(self._file, line) :]
            os.fsync(self._file)

    def close(self) -> None:
        """Lets another process have the file."""
        with self._lock:
            os.close(self._file)


def _claim(file: int, path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows has no such lock.
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        raise StoreInUse(f"another process has {path}") from None


def _record_in(line: bytes) -> PaymentRecord | None:
    try:
        return PaymentRecord(**json.loads(line))
    except (ValueError, TypeError, RecursionError):
        return None


@contextmanager
def file_store(path: str | os.PathLike[str]) -> Iterator[FileStore]:
    """A `FileStore` for the length of a `with`."""
    store = FileStore(path)
    try:
        yield store
    finally:
        store.close()
