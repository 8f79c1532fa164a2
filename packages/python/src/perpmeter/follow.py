"""Paid streams that buy their minutes by themselves, within a cap of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from ._http import Broken, Http, Opened, Reply, Sent
from ._problems import unpaid_error_of
from ._wallet import Bought
from .amounts import atomic_of, usd_of
from .errors import OverBudget, PerpmeterError
from .events import LONGEST_STEP, Asked, Event, events_in, is_lasting, open_events

SIZES = (("ten-minutes", 10), ("minute", 1))
"""Paths of minutes that are bought, those of more minutes first."""
UNKNOWN_FOR = 6
"""A stream that was bought may be unknown to another host of the service for so many attempts."""
MARGIN = timedelta(seconds=1)
"""The stream is left so long before its last minute ends, so that none begins that would be owed."""

Buy = Callable[[str, str], Bought]


@dataclass(frozen=True)
class Selection:
    """Rows of a stream, as /v1/stream/minute is asked for them."""

    topics: Iterable[str] | None = None
    symbol: Iterable[str] | None = None
    venues: Iterable[str] | None = None
    exclude: Iterable[str] | None = None
    quote: Iterable[str] | None = None
    size_usd: int | None = None

    def query(self) -> str:
        """As parameters of a request."""
        asked = {name: value for name, value in vars(self).items() if value is not None}
        words = {
            name: str(value) if isinstance(value, (int, str)) else ",".join(value) for name, value in asked.items()
        }
        return urlencode(words)


def _name_of(row: Mapping[str, Any]) -> str:
    """The name of a row, as `gone` has it."""
    if "venue" not in row:
        return str(row["canonical_id"])
    name = f"{row['venue']} {row['canonical_id']}"
    return f"{name} {row['size_usd']}" if "size_usd" in row else name


class _Rows:
    """Rows of a stream as its events leave them; sees to it that none of these is missing."""

    def __init__(self) -> None:
        self.by_topic: dict[str, dict[str, dict[str, Any]]] = {}
        self.last_id: str | None = None
        self._number = 0

    def take(self, event: Event) -> bool:
        """Takes an event; False where one before it is missing: then all rows are asked for."""
        number = int(event.id.rpartition("-")[2])
        if number != self._number + 1:
            self._number, self.last_id = 0, None
            return False
        self._number, self.last_id = number, event.id
        for topic, change in event.data.get("topics", {}).items():
            held = self.by_topic.setdefault(topic, {})
            if event.event == "snapshot":
                held.clear()
            for name in change["gone"]:
                held.pop(name, None)
            held.update((_name_of(row), row) for row in change["rows"])
        return True


class Following(Iterator[Event]):
    """
    Events of a paid stream. Minutes are bought when the service says that they are due: who takes no events does not pay.
    It ends where the cap allows no further minutes and what was paid is used up.

    :raises PerpmeterError: it cannot be read, or paid for
    """

    def __init__(
        self,
        http: Http,
        base: str,
        buy: Buy,
        selection: Selection,
        max_usd: str,
        pays_by_channel: Callable[[], bool] = lambda: False,
    ) -> None:
        self._http = http
        self._base = base
        self._buy = buy
        self._pays_by_channel = pays_by_channel
        self._selection = selection
        self._left = atomic_of(max_usd)
        self._spent = 0
        self._uses = 1
        self._paid_for = -1
        self._is_full = False
        """The caps allow no further minutes."""
        self._ends_at: datetime | None = None
        """End of what is paid, once the service has said it."""
        self._secret: str | None = None
        self.stream_id: str | None = None
        self._rows = _Rows()
        self._events = self._run()

    @property
    def rows(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """Rows as the last event left them, by topic and name (`binance crypto:BTC`)."""
        return self._rows.by_topic

    @property
    def secret(self) -> str | None:
        """Reads the stream; None before it is bought."""
        return self._secret

    def spent_usd(self) -> str:
        """Paid for this stream, USD as decimal text."""
        return usd_of(self._spent)

    def __next__(self) -> Event:
        return next(self._events)

    def close(self) -> None:
        """Ends it. The service keeps paid minutes that are left for thirty days."""
        self._events.close()

    def _run(self) -> Generator[Event, None, None]:
        self._begin()
        failures = 0
        while True:
            before = self._rows.last_id
            opened = open_events(self._http, Asked(f"{self._base}/v1/streams/{self.stream_id}", self._secret, before))
            if isinstance(opened, Opened):
                if (yield from self._read(opened)):
                    return
                sent: Sent = Broken(TimeoutError("the connection has ended"))
            else:
                self._refuse(opened, failures)
                sent = opened
            failures = failures + 1 if self._rows.last_id == before else 1
            self._http.rest(min(failures, LONGEST_STEP), sent)

    def _read(self, opened: Opened) -> Generator[Event, None, bool]:
        """Reads one connection; True where the stream is over."""
        for event in events_in(opened):
            if not self._rows.take(event):
                return False
            # It is paid before it is handled, however long that takes.
            is_over = self._heed(event)
            yield event
            if is_over:
                return True
        return False

    def _refuse(self, sent: Sent, failures: int) -> None:
        is_new = isinstance(sent, Reply) and sent.status == 404 and failures < UNKNOWN_FOR
        if is_lasting(sent) and not is_new:
            raise unpaid_error_of(sent)

    def _begin(self) -> None:
        bought = self._pay(self._selection.query())
        if isinstance(bought, OverBudget):
            raise bought
        answer = json.loads(bought.reply.body)
        self.stream_id, self._secret = str(answer["id"]), str(answer["secret"])
        self._uses = int(answer["selection"]["uses"])

    def _heed(self, event: Event) -> bool:
        """Does what an event asks for; True where the stream is over."""
        reason = event.data.get("reason")
        if event.event == "closing" and reason == "replaced":
            raise PerpmeterError(
                "stream_replaced", "Newer readers have taken the place of this one: two read one stream."
            )
        if event.event == "due" or (event.event == "paused" and reason == "unpaid"):
            self._extend(event)
        is_unpaid = event.event in ("paused", "closing") and reason == "unpaid"
        return self._is_full and (is_unpaid or self._is_past(_time_of(event, "at")))

    def _is_past(self, at: datetime | None) -> bool:
        return at is not None and self._ends_at is not None and at >= self._ends_at - MARGIN

    def _extend(self, event: Event) -> None:
        """Buys the next minutes, once for each sum of paid ones."""
        paid = int(event.data["paid"])
        if paid <= self._paid_for:
            return
        if isinstance(self._pay(urlencode({"extends": self.stream_id})), OverBudget):
            self._is_full = True
            self._ends_at = _time_of(event, "ends_at")
        else:
            self._paid_for = paid

    def _pay(self, query: str) -> Bought | OverBudget:
        """Buys one minute by a channel, else ten, else one; the refusal where no cap allows either. No minute uses more than ten."""
        *larger, last = (size for size, minutes in SIZES if minutes >= self._uses)
        for size in [] if self._pays_by_channel() else larger:
            bought = self._bought(size, query)
            if isinstance(bought, Bought):
                return bought
        return self._bought(last, query)

    def _bought(self, size: str, query: str) -> Bought | OverBudget:
        try:
            bought = self._buy(f"/v1/stream/{size}?{query}", usd_of(self._left))
        except OverBudget as over:
            return over
        self._spent += bought.amount
        self._left -= bought.amount
        return bought


def _time_of(event: Event, name: str) -> datetime | None:
    said = event.data.get(name)
    return None if said is None else datetime.fromisoformat(str(said).replace("Z", "+00:00"))
