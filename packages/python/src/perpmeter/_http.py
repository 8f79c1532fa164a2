"""GETs that never follow a redirect: what is asked, and what is paid, goes to one host."""

from __future__ import annotations

import random
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException
from typing import IO, Any

MAX_BODY = 256 * 1024 * 1024
"""Bytes of an answer; none of the service is near it."""
MAX_LINE = 64 * 1024 * 1024
"""Bytes of one event's data."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        return None


@dataclass(frozen=True)
class Reply:
    """A response as it came."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes = field(repr=False)

    def retry_after(self) -> int | None:
        """Whole seconds that it asks to wait; None where it says none."""
        text = self.headers.get("retry-after", "")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


@dataclass(frozen=True)
class Broken:
    """No response came."""

    cause: BaseException


Sent = Reply | Broken


class Opened:
    """A response that goes on."""

    def __init__(self, response: IO[bytes]) -> None:
        self._response = response

    def lines(self) -> Iterator[bytes]:
        """Lines as they come."""
        while line := self._response.readline(MAX_LINE):
            yield line

    def close(self) -> None:
        """Ends the connection."""
        self._response.close()


def _read(response: IO[bytes]) -> bytes:
    body = response.read(MAX_BODY + 1)
    if len(body) > MAX_BODY:
        raise HTTPException(f"the answer has more than {MAX_BODY} bytes")
    return body


def _reply_of(response: Any) -> Reply:
    with response:
        named = {name.lower(): value for name, value in response.headers.items()}
        return Reply(response.status, named, _read(response))


class Http:
    """
    Asks one service. Threads may share it.

    :param timeout: seconds that a response may be silent
    :param retries: repetitions of a free request after 429, 5xx and broken connections
    :param longest_wait: seconds; a `Retry-After` above it ends a call
    """

    def __init__(
        self,
        *,
        timeout: float = 60.0,
        retries: int = 2,
        longest_wait: float = 30.0,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._opener = urllib.request.build_opener(_NoRedirect)
        self._timeout = timeout
        self._retries = retries
        self._longest_wait = longest_wait
        self._wait = wait

    def once(self, url: str, headers: Mapping[str, str]) -> Sent:
        """Asks once, and takes in the whole body."""
        try:
            return _reply_of(self._response(url, headers, self._timeout))
        except (OSError, HTTPException) as cause:
            return Broken(cause)

    def open(self, url: str, headers: Mapping[str, str], silent: float) -> Opened | Sent:
        """Asks once for a response that goes on; one that is an error is taken in."""
        try:
            response = self._response(url, headers, silent)
            return Opened(response) if 200 <= response.status < 300 else _reply_of(response)
        except (OSError, HTTPException) as cause:
            return Broken(cause)

    def _response(self, url: str, headers: Mapping[str, str], timeout: float) -> Any:
        request = urllib.request.Request(url, headers={"Accept": "*/*", "User-Agent": "perpmeter-python", **headers})
        try:
            return self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as refused:
            return refused

    def get(self, url: str, headers: Mapping[str, str] | None = None) -> Sent:
        """Asks, and asks again what can pass: 429, 5xx and broken connections."""
        attempt = 1
        while True:
            sent = self.once(url, headers or {})
            if attempt > self._retries or not can_pass(sent) or not self.pause(attempt, sent):
                return sent
            attempt += 1

    def pause(self, attempt: int, sent: Sent) -> bool:
        """Waits as long as the service asks, else ever longer. False where it asks for more than is waited for."""
        asked = sent.retry_after() if isinstance(sent, Reply) else None
        if asked is not None and asked > self._longest_wait:
            return False
        seconds = 0.5 * 2 ** (attempt - 1) * random.uniform(0.8, 1.2) if asked is None else float(asked)
        self._wait(min(seconds, self._longest_wait))
        return True

    def rest(self, attempt: int, sent: Sent) -> None:
        """Waits in any case, at most as long as the longest wait."""
        if not self.pause(attempt, sent):
            self._wait(self._longest_wait)


def can_pass(sent: Sent) -> bool:
    """True if another try can have another outcome."""
    return isinstance(sent, Broken) or sent.status == 429 or sent.status >= 500
