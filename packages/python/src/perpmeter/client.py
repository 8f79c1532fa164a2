"""The client of one Perpmeter."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from ._facts import PATHS
from ._http import Http, Reply
from ._problems import unpaid_error_of
from ._purse import Purse
from ._routes import Routes
from ._wallet import Bought, Wallet
from .amounts import usd_of
from .answer import Answer, Value
from .channels import ChannelStatus, ClosedChannel
from .errors import PerpmeterError
from .events import Asked, Event, events_of
from .follow import Following, Selection


class Client(Routes):
    """
    A Perpmeter: a method for every route, paid for within the caps of the wallet. Threads may share it.

    :param base_url: address of the service: `https://data.example.com`
    :param wallet: without one nothing is paid, and what is sold raises `payment_required`
    :param timeout: seconds that a response may be silent
    """

    def __init__(self, base_url: str, wallet: Wallet | None = None, *, timeout: float = 60.0, http: Http | None = None):
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.username is not None:
            raise ValueError(f"{base_url!r} is no address of a service: http or https, and a host")
        self._base = base_url.rstrip("/")
        self._http = http or Http(timeout=timeout)
        catalog = f"{self._base}{PATHS['x402_discovery_resources']}?type=http&limit=1000"
        self._purse = None if wallet is None else Purse(self._http, wallet, self._base, catalog)

    def request(
        self, path: str, *, max_usd: str | None = None, payment_id: str | None = None, secret: str | None = None
    ) -> Bought:
        """
        Any path of the service with its query, as bytes.

        :param max_usd: most that this call may cost, USD as decimal text; below the cap of the wallet
        :param payment_id: your own name of this purchase, 16 to 128 characters of `A-Z a-z 0-9 _ -`: the service charges once
            for it in 24 hours, also where another process signs anew
        :param secret: of the purchase of a watch or a stream, which reads it
        :raises PerpmeterError: there is no answer
        """
        if not path.startswith("/") or path.startswith("//"):
            raise ValueError(f"{path!r} is no path: it begins with one slash")
        url = self._base + path
        left = None if self._purse is None else self._purse.resume(url, path)
        if left is not None:
            return left
        sent = self._http.get(url, {} if secret is None else {"Perpmeter-Secret": secret})
        if isinstance(sent, Reply) and 200 <= sent.status < 300:
            return Bought(sent, None)
        if not isinstance(sent, Reply) or sent.status != 402:
            raise unpaid_error_of(sent)
        if self._purse is None:
            detail = "This answer is for sale, and the client has no wallet."
            raise PerpmeterError("payment_required", detail, status=402, remedy="Give the client a Wallet.")
        return self._purse.buy(url, path, sent, max_usd=max_usd, payment_id=payment_id)

    def events(self, path: str, *, secret: str | None = None, last_id: str | None = None) -> Iterator[Event]:
        """
        Events of a free stream (`/v1/stream/preview`), of a watch (`/v1/watches/<id>`) or of a stream that was paid for
        (`/v1/streams/<id>`), over broken connections; `perpmeter.events.in_thread` gives them to `async for`.

        :param secret: what the purchase of a watch or a stream answered
        :param last_id: id of the event to go on behind
        :raises PerpmeterError: the stream cannot be had
        """
        return events_of(self._http, Asked(self._base + path, secret, last_id))

    def follow(
        self,
        *,
        max_usd: str,
        topics: Iterable[str] | None = None,
        symbol: Iterable[str] | None = None,
        venues: Iterable[str] | None = None,
        exclude: Iterable[str] | None = None,
        quote: Iterable[str] | None = None,
        size_usd: int | None = None,
    ) -> Following:
        """
        A paid stream that buys its minutes by itself: `for event in client.follow(symbol=["BTC"], max_usd="0.10")`.

        :param max_usd: most that this stream may cost, USD as decimal text; the caps of the wallet hold besides
        :param topics: `funding`, `touches`, `quotes`, `signals`
        """
        selection = Selection(topics, symbol, venues, exclude, quote, size_usd)
        return Following(self._http, self._base, self._buy_within, selection, max_usd, self._pays_by_channel)

    def _pays_by_channel(self) -> bool:
        return self._purse is not None and self._purse.pays_by_channel()

    def _buy_within(self, path: str, max_usd: str) -> Bought:
        return self.request(path, max_usd=max_usd)

    def spent_usd(self) -> str:
        """Paid, promised and possibly paid amounts, those of earlier runs of the store among them; USD as decimal text."""
        return "0" if self._purse is None else usd_of(self._purse.spent())

    def channels(self) -> list[ChannelStatus]:
        """All payment channels of the store."""
        return [] if self._purse is None else self._purse.channels()

    def close_channel(self, channel: str) -> ClosedChannel | None:
        """
        Asks the seller for the rest of a channel, which comes back to the payer; where the seller does not give it, says how the payer
        withdraws it. None where there is no channel of this name.
        """
        return None if self._purse is None else self._purse.close_channel(channel)

    def is_open(self, path: str) -> bool:
        """True if a payment for this path is without an outcome: the next call presents it again."""
        return self._purse is not None and self._purse.has_open(path)

    def _call(
        self,
        template: str,
        asked: Mapping[str, Value],
        *,
        max_usd: str | None = None,
        payment_id: str | None = None,
        secret: str | None = None,
    ) -> Answer[Any]:
        path = path_of(template, asked)
        bought = self.request(path, max_usd=max_usd, payment_id=payment_id, secret=secret)
        return _answer_of(bought, template)


def _text_of(value: Value) -> str:
    """A list keeps a comma also where it has one word, so that the answer is that to a list."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("a time without its zone: give datetime one, as datetime.now(timezone.utc) has")
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, (str, int, float)) or value is None:
        return str(value)
    words = list(value)
    return f"{words[0]}," if len(words) == 1 else ",".join(words)


def path_of(template: str, asked: Mapping[str, Value]) -> str:
    """The path of a call; what is in the template is no parameter of the query."""
    path, query = template, {}
    for name, value in asked.items():
        if value is None:
            continue
        if f"{{{name}}}" in path:
            path = path.replace(f"{{{name}}}", quote(_text_of(value), safe=""))
        else:
            query[name] = _text_of(value)
    return f"{path}?{urlencode(query)}" if query else path


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def _time_of(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text.replace("Z", "+00:00"))


def _answer_of(bought: Bought, template: str) -> Answer[Any]:
    headers = bought.reply.headers
    used, _, missing = headers.get("x-data-sources", "").partition(";")
    try:
        as_of = _time_of(headers.get("x-data-as-of"))
        data = _data_in(bought.reply)
    except (ValueError, RecursionError):
        charged = False if bought.receipt is None else None
        detail = "The reply is not an answer of this interface."
        raise PerpmeterError("unreadable", detail, charged=charged, status=bought.reply.status) from None
    return Answer(data, as_of, _names(used), _names(missing), bought.receipt, bought.reply, template)


def _data_in(reply: Reply) -> Any:
    kind = reply.headers.get("content-type", "")
    if "json" in kind:
        return json.loads(reply.body)
    return reply.body.decode() if kind.startswith("text/") and not kind.startswith("text/csv") else reply.body
