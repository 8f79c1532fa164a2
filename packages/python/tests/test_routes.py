"""Each route, bought as its example asks for it, and held against the type that its method has."""

from __future__ import annotations

import json
import os
import re
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from conforms import answer_type, faults

from perpmeter import Caps, Channels, Client, MemoryStore, PrivateKey, Wallet
from perpmeter._facts import PATHS

with open(os.environ["PERPMETER_TEST_FACTS"]) as file:
    GIVEN = json.load(file)
METHODS = {path: method for method, path in PATHS.items()}


@pytest.fixture(scope="session")
def buyer() -> Client:
    channels = Channels(max_deposit_usd="5", from_call=1)
    wallet = Wallet(PrivateKey(GIVEN["key"]), Caps(per_call="5", total="50"), store=MemoryStore(), channels=channels)
    return Client(GIVEN["url"], wallet)


def asked(path: str, request: str) -> dict[str, str]:
    """The parameters of a request, as the route's method takes them."""
    parts = urlsplit(request)
    pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(path))
    found = re.fullmatch(pattern, parts.path)
    assert found is not None
    given = {name: unquote(value) for name, value in found.groupdict().items()} | dict(parse_qsl(parts.query))
    return {"from_" if name == "from" else name: value for name, value in given.items()}


@pytest.mark.parametrize("route", GIVEN["routes"], ids=lambda route: route["path"])
def test_what_is_bought_has_the_fields_of_its_type(route: Any, buyer: Client) -> None:
    method = METHODS[route["path"]]
    answer = getattr(buyer, method)(**asked(route["path"], route["request"]))
    assert (answer.receipt is not None) == route["isPaid"]
    assert list(faults(answer.data, answer_type(method), "data")) == []


def test_all_was_paid_by_one_channel(buyer: Client) -> None:
    [channel] = buyer.channels()
    assert channel.spent_usd == buyer.spent_usd()
