"""The channels of a wallet."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ._channel import ChannelRecord, ChannelStore


class ChannelBook:
    """Records of channels, and the order in which calls use each. Threads may share it."""

    def __init__(self, store: ChannelStore) -> None:
        self.lock = threading.RLock()
        """Held while the next signature is decided: all that lies in channels is counted under it."""
        self._store = store
        self._records = {record.id: record for record in store.load()}
        self._turns: dict[str, threading.Lock] = {}

    def get(self, channel: str) -> ChannelRecord | None:
        """The record of a channel; None where there is none."""
        return self._records.get(channel)

    def all(self) -> list[ChannelRecord]:
        """All of them."""
        with self.lock:
            return list(self._records.values())

    def unspent(self, payer: str) -> int:
        """A payer's money that lies unspent in all its channels, atomic units."""
        return sum(record.unspent for record in self.all() if record.config.payer == payer)

    @contextmanager
    def turn(self, channel: str) -> Iterator[None]:
        """Waits until all earlier calls have left a channel: it sells one answer at a time."""
        with self.lock:
            turn = self._turns.setdefault(channel, threading.Lock())
        with turn:
            yield

    def save(self, record: ChannelRecord) -> None:
        """Saves a record. What the store raises passes."""
        with self.lock:
            self._store.save(record)
            self._records[record.id] = record

    def change(self, channel: str, changed: Callable[[ChannelRecord], ChannelRecord]) -> None:
        """
        Changes a record by what is known of its channel. One that cannot be stored is changed in memory all the same: a later process
        has what was true before, as after a kill, and signs no more by it than was counted already.
        """
        with self.lock:
            record = self._records.get(channel)
            if record is None:
                return
            self._records[channel] = changed(record)
            try:
                self._store.save(self._records[channel])
            except Exception:  # noqa: BLE001 a store of others raises what it likes
                pass

    def take_back(self, channel: str, changed: Callable[[ChannelRecord], ChannelRecord]) -> bool:
        """
        Changes a record to less than was signed or counted. False, with nothing changed, where that cannot be stored: the caps must
        not give back what a later process finds counted.
        """
        with self.lock:
            record = self._records.get(channel)
            try:
                if record is not None:
                    self.save(changed(record))
            except Exception:  # noqa: BLE001 a store of others raises what it likes
                return False
            return True
