"""A client of the demo, which signs with the demo's key alone."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ._wallet import Wallet
from .caps import Caps
from .client import Client
from .signers import PrivateKey

DEMO_FILE = "var/demo.json"
DEMO_CAPS = Caps(per_call="0.25", total="5")


class NoDemo(RuntimeError):
    """No demo runs where it was looked for."""


def demo_client(path: str | os.PathLike[str] = DEMO_FILE, caps: Caps = DEMO_CAPS, **more: Any) -> Client:
    """
    A client of the demo that runs, with money of its local chain.

    :param path: the file that the demo writes: var/demo.json of the folder where it was started
    :param more: further fields of the `Wallet`, as `store` and `channels`
    :raises NoDemo: there is none
    """
    try:
        demo = json.loads(Path(path).read_bytes())
        base, key = demo["base_url"], demo["buyer_private_key"]
    except (OSError, ValueError, KeyError, TypeError):
        raise NoDemo(f"no demo has written {path}: start it by `npm run demo`, and name its file") from None
    return Client(base, Wallet(PrivateKey(key), caps, **more))
