"""Events that the service sends (server-sent events), over broken connections."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any

from ._http import Broken, Http, Opened, Sent
from ._problems import unpaid_error_of

SILENT_SECONDS = 45.0
"""The service speaks every 15 seconds."""
LONGEST_STEP = 6


@dataclass(frozen=True)
class Event:
    """An event with its data, as the service's docs name them."""

    event: str
    id: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """A stream that is read, and who may read it."""

    url: str
    secret: str | None = None
    last_id: str | None = None
    silent: float = SILENT_SECONDS


def open_events(http: Http, asked: Asked) -> Opened | Sent:
    """Opens one connection behind the last event."""
    headers = {"Accept": "text/event-stream"}
    if asked.secret is not None:
        headers["Perpmeter-Secret"] = asked.secret
    if asked.last_id is not None:
        headers["Last-Event-ID"] = asked.last_id
    return http.open(asked.url, headers, asked.silent)


def events_in(opened: Opened) -> Iterator[Event]:
    """Events of one connection, until it ends, breaks or falls silent."""
    fields: dict[str, str] = {}
    try:
        for raw in opened.lines():
            line = raw.decode().rstrip("\r\n")
            name, _, value = line.partition(":")
            if line:
                fields[name] = value.removeprefix(" ")
                continue
            if "event" in fields and "data" in fields:
                yield Event(fields["event"], fields.get("id", ""), json.loads(fields["data"]))
            fields = {}
    except (OSError, HTTPException, ValueError):
        return
    finally:
        opened.close()


def is_lasting(sent: Sent) -> bool:
    """True if the stream cannot be had by asking again."""
    return not isinstance(sent, Broken) and sent.status != 429 and sent.status < 500


def events_of(http: Http, asked: Asked) -> Iterator[Event]:
    """
    Events of a stream: a connection that breaks, falls silent or is closed is opened again behind the last event.

    :raises PerpmeterError: the stream cannot be had
    """
    last_id = asked.last_id
    failures = 0
    while True:
        opened = open_events(http, Asked(asked.url, asked.secret, last_id, asked.silent))
        sent: Sent = Broken(TimeoutError("the connection has ended"))
        if isinstance(opened, Opened):
            for event in events_in(opened):
                failures = 0
                last_id = event.id or last_id
                yield event
        elif is_lasting(opened):
            raise unpaid_error_of(opened)
        else:
            sent = opened
        failures += 1
        http.rest(min(failures, LONGEST_STEP), sent)


async def in_thread(events: Iterator[Event]) -> AsyncIterator[Event]:
    """The same events for `async for`: each is waited for in a thread, so that the loop goes on."""
    while (event := await asyncio.to_thread(lambda: next(events, None))) is not None:
        yield event
