"""The terms that a service lists for all its routes."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping
from typing import Any

from ._challenge import Requirement
from ._http import Http, Reply

_RESOURCE = re.compile(r"https?://[^/]+(/[^?#]*)")
_Listed = tuple["re.Pattern[str]", tuple[Mapping[str, Any], ...]]


def _pattern_of(resource: object) -> re.Pattern[str] | None:
    """The path of an item: `{symbol}` is any one part."""
    found = _RESOURCE.fullmatch(str(resource))
    if found is None:
        return None
    parts = re.split(r"\{[^}]*\}", found[1])
    return re.compile("[^/]+".join(re.escape(part) for part in parts))


def _is_asked(listed: Mapping[str, Any], asked: Requirement) -> bool:
    return (
        listed.get("scheme") == asked.scheme
        and listed.get("network") == asked.network
        and listed.get("amount") == str(asked.amount)
        and str(listed.get("asset")).lower() == asked.asset.lower()
        and str(listed.get("payTo")).lower() == asked.pay_to.lower()
    )


class Catalog:
    """Is read once, and again where a path is not listed as it is asked for: a price may have changed."""

    def __init__(self, http: Http, url: str) -> None:
        self._http = http
        self._url = url
        self._lock = threading.Lock()
        self._held: tuple[_Listed, ...] | None = None

    def lists(self, path: str, asked: Requirement) -> bool:
        """True if a path is listed on these terms."""
        with self._lock:
            if self._held is not None and _is_listed(self._held, path, asked):
                return True
            self._held = self._read()
            return _is_listed(self._held, path, asked)

    def _read(self) -> tuple[_Listed, ...]:
        sent = self._http.get(self._url)
        if not isinstance(sent, Reply) or sent.status != 200:
            return ()
        try:
            items = json.loads(sent.body).get("items")
        except (ValueError, AttributeError, RecursionError):
            return ()
        listed = []
        for item in items if isinstance(items, list) else []:
            pattern = _pattern_of(item.get("resource")) if isinstance(item, dict) else None
            accepts = item.get("accepts") if pattern is not None else None
            if pattern is not None and isinstance(accepts, list):
                listed.append((pattern, tuple(entry for entry in accepts if isinstance(entry, dict))))
        return tuple(listed)


def _is_listed(held: tuple[_Listed, ...], path: str, asked: Requirement) -> bool:
    return any(
        pattern.fullmatch(path) is not None and any(_is_asked(entry, asked) for entry in accepts)
        for pattern, accepts in held
    )
