"""The service and the buyer that the tests are given by their environment, and a seller that breaks connections."""

from __future__ import annotations

import base64
import json
import os
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from perpmeter import Caps, Client, PrivateKey, Wallet


@pytest.fixture(scope="session")
def given() -> Any:
    """Address of the service, key and address of the buyer, signatures by another implementation."""
    with open(os.environ["PERPMETER_TEST_FACTS"]) as file:
        return json.load(file)


@pytest.fixture
def wallet(given: Any) -> Any:
    def make(**more: Any) -> Wallet:
        return Wallet(**{"signer": PrivateKey(given["key"]), "caps": Caps(per_call="0.05", total="1"), **more})

    return make


@pytest.fixture
def client(given: Any, wallet: Any) -> Client:
    return Client(given["url"], wallet())


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[Any]:
    """A server on loopback, at its `url`, in a thread of its own."""
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _dearer(header: str, times: int) -> str:
    """The terms of a 402 at so many times their price."""
    terms = json.loads(base64.b64decode(header))
    for one in terms["accepts"]:
        one["amount"] = str(int(one["amount"]) * times)
    return base64.b64encode(json.dumps(terms).encode()).decode()


class _Relay(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        relay: Any = self.server
        names = ("payment-signature", "idempotency-key")
        headers = {name: self.headers[name] for name in names if name in self.headers}
        relay.paid.extend([headers["payment-signature"]] if "payment-signature" in headers else [])
        try:
            response = urllib.request.urlopen(urllib.request.Request(relay.target + self.path, headers=headers))
        except urllib.error.HTTPError as refused:
            response = refused
        body = response.read()
        if relay.moved is not None:
            self.send_response(302)
            self.send_header("location", relay.moved + self.path)
            self.send_header("content-length", "0")
            self.end_headers()
            return
        if headers and relay.broken > 0:
            relay.broken -= 1
            self.close_connection = True
            self.connection.close()
            return
        self.send_response(response.status)
        for name, value in response.headers.items():
            if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                is_terms = name.lower() == "payment-required"
                self.send_header(name, _dearer(value, relay.times) if is_terms else value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def relay(given: Any) -> Iterator[Any]:
    """
    The service behind a relay: it loses as many paid answers as `broken` says, asks for `times` the price, and leads to `moved` where
    that is an address. `paid` has what was presented.
    """
    with serving(_Relay) as server:
        server.target, server.broken, server.paid = given["url"], 0, []
        server.times, server.moved = 1, None
        yield server
