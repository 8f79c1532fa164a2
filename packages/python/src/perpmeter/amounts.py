"""Amounts of USDC: atomic units of six decimals as int, US dollars as decimal text."""

from __future__ import annotations

import re

UNIT = 1_000_000
_USD = re.compile(r"(\d{1,12})(?:\.(\d{1,6}))?", re.ASCII)


def atomic_of(usd: str) -> int:
    """Atomic units, digit by digit. Raises ValueError for text that is no amount with at most six places."""
    found = _USD.fullmatch(usd.strip()) if isinstance(usd, str) else None
    if found is None:
        raise ValueError(f"{usd!r} is no amount in USD: decimal text with at most six places, such as '0.01'")
    return int(found[1]) * UNIT + int((found[2] or "").ljust(6, "0"))


def usd_of(atomic: int) -> str:
    """Decimal text: `0.005`."""
    whole, part = divmod(atomic, UNIT)
    places = f"{part:06d}".rstrip("0")
    return f"{whole}.{places}" if places else str(whole)
