"""
Client of Perpmeter: market data of perpetual futures, one HTTP GET an answer, paid per request in USDC over x402.

>>> from perpmeter import Caps, Client, PrivateKey, Wallet
>>> client = Client("https://data.example.com", Wallet(PrivateKey.from_env(), Caps(per_call="0.01", total="5")))
>>> client.funding_current(symbol="BTC").data["rates"]
"""

from ._challenge import Allowed
from ._http import Http, Reply
from ._wallet import Bought, Wallet
from .answer import Answer
from .caps import Caps
from .channels import Channels, ChannelStatus, ClosedChannel, WithdrawCall
from .client import Client
from .demo import NoDemo, demo_client
from .errors import OverBudget, PerpmeterError
from .events import Event
from .follow import Following
from .signers import AccountSigner, CallbackSigner, PrivateKey, Signer, UnusableKey
from .store import FileStore, MemoryStore, PaymentRecord, Store, StoreInUse, file_store
from .typed_data import TypedData

__all__ = [
    "AccountSigner",
    "Allowed",
    "Answer",
    "Bought",
    "CallbackSigner",
    "Caps",
    "ChannelStatus",
    "Channels",
    "Client",
    "ClosedChannel",
    "Event",
    "FileStore",
    "Following",
    "Http",
    "MemoryStore",
    "NoDemo",
    "OverBudget",
    "PaymentRecord",
    "PerpmeterError",
    "PrivateKey",
    "Reply",
    "Signer",
    "Store",
    "StoreInUse",
    "TypedData",
    "UnusableKey",
    "Wallet",
    "WithdrawCall",
    "demo_client",
    "file_store",
]
