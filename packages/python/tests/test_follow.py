"""Paid streams against a server that says what a test has written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from conftest import serving

from perpmeter import OverBudget, PerpmeterError
from perpmeter._http import Http, Reply
from perpmeter._wallet import Bought
from perpmeter.follow import Following, Selection

ROW = {"venue": "binance", "canonical_id": "crypto:BTC", "rate": 0.001}
OTHER = {"venue": "okx", "canonical_id": "crypto:BTC", "rate": 0.002}


def event(number: int, name: str, **data: Any) -> str:
    """An event as the service sends it."""
    return f"id: run-1-{number}\nevent: {name}\ndata: {json.dumps(data)}\n\n"


def change(number: int, name: str, *rows: Any, gone: tuple[str, ...] = ()) -> str:
    """An event with rows of funding."""
    return event(number, name, topics={"funding": {"rows": rows, "gone": gone}})


class _Scripted(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        server: Any = self.server
        server.asked.append(self.headers.get("last-event-id"))
        said = server.scripts.pop(0) if server.scripts else event(1, "closing", reason="replaced")
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write(said.encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Any]:
    """Answers each connection with the next of `scripts`, the last with `replaced`; `asked` has the ids that were sent."""
    with serving(_Scripted) as made:
        made.scripts, made.asked = [], []
        yield made


class Seller:
    """Sells minutes at a price, and notes what was bought."""

    def __init__(self, prices: dict[str, int], uses: int = 1) -> None:
        self.bought: list[str] = []
        self._prices = prices
        self._uses = uses

    def buy(self, path: str, max_usd: str) -> Bought:
        size = path.partition("?")[0].rpartition("/")[2]
        price = self._prices[size]
        if price > float(max_usd) * 1_000_000:
            raise OverBudget("call", str(price), max_usd)
        self.bought.append(size)
        answer = {"id": "s1", "secret": "secret", "selection": {"uses": self._uses}}
        return Bought(Reply(200, {}, json.dumps(answer).encode()), None, price)


PRICES = {"ten-minutes": 10_000, "minute": 1_000}


def followed(server: Any, seller: Seller, max_usd: str = "0.05") -> tuple[Following, list[str]]:
    """Follows until the server says that the stream was replaced; the names of its events."""
    http = Http(wait=lambda _: None)
    following = Following(http, server.url, seller.buy, Selection(symbol=["BTC"]), max_usd)
    names: list[str] = []
    with pytest.raises(PerpmeterError, match="stream_replaced"):
        for one in following:
            names.append(one.event)
    return following, names


def test_an_event_that_is_missing_has_all_rows_asked_for_again(server: Any) -> None:
    server.scripts = [
        change(1, "snapshot", ROW, OTHER) + change(3, "change", ROW),
        change(1, "snapshot", ROW),
        event(2, "closing", reason="replaced"),
    ]
    following, names = followed(server, Seller(PRICES))
    assert names == ["snapshot", "snapshot"]
    assert server.asked == [None, None, "run-1-1"]
    assert list(following.rows["funding"]) == ["binance crypto:BTC"]


def test_a_row_that_is_gone_is_no_longer_held(server: Any) -> None:
    server.scripts = [
        change(1, "snapshot", ROW, OTHER) + change(2, "change", gone=("okx crypto:BTC",)),
        event(3, "closing", reason="replaced"),
    ]
    following, _ = followed(server, Seller(PRICES))
    assert list(following.rows["funding"]) == ["binance crypto:BTC"]


def test_minutes_that_are_due_are_bought_once_for_each_sum_of_paid_ones(server: Any) -> None:
    due = {"ends_at": "2026-11-30T10:00:00Z"}
    server.scripts = [
        change(1, "snapshot", ROW) + event(2, "due", paid=10, **due) + event(3, "due", paid=10, **due),
        event(4, "paused", reason="unpaid", paid=10) + event(5, "due", paid=20, **due),
        event(6, "closing", reason="replaced"),
    ]
    seller = Seller(PRICES)
    following, _ = followed(server, seller)
    assert seller.bought == ["ten-minutes"] * 3
    assert following.spent_usd() == "0.03"


def test_a_stream_that_uses_several_minutes_is_not_bought_by_the_minute(server: Any) -> None:
    due = event(2, "due", paid=10, ends_at="2026-11-30T10:00:00Z")
    server.scripts = [change(1, "snapshot", ROW) + due + event(3, "paused", reason="unpaid", paid=10)]
    seller = Seller(PRICES, uses=2)
    following = Following(Http(wait=lambda _: None), server.url, seller.buy, Selection(), "0.015")
    assert [one.event for one in following] == ["snapshot", "due", "paused"]
    assert seller.bought == ["ten-minutes"]


def test_a_cap_that_is_reached_is_read_to_the_end_of_what_is_paid(server: Any) -> None:
    at = "2026-11-30T09:59:{}Z".format
    ends = change(1, "snapshot", ROW) + event(2, "due", paid=10, ends_at="2026-11-30T10:00:00Z")
    rows = [event(number, "change", at=at(second), topics={}) for number, second in ((3, "50"), (4, "58"), (5, "59"))]
    server.scripts = [ends + "".join(rows) + event(6, "change", at=at("59"), topics={})]
    following = Following(Http(wait=lambda _: None), server.url, Seller(PRICES).buy, Selection(), "0.01")
    assert [one.id[-1] for one in following] == ["1", "2", "3", "4", "5"]


def test_a_cap_that_allows_no_minute_is_said_and_nothing_is_read(server: Any) -> None:
    seller = Seller(PRICES)
    with pytest.raises(OverBudget):
        next(Following(Http(), server.url, seller.buy, Selection(), "0.0001"))
    assert (seller.bought, server.asked) == ([], [])
