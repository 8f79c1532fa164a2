"""Who pays: a private key, an account of eth_account, or any function that signs typed data."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, Protocol

from . import _secp256k1
from ._keccak import keccak256
from .typed_data import TypedData

_KEY = re.compile(r"\s*(?:0x)?([0-9a-fA-F]{64})\s*")
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")


class Signer(Protocol):
    """The payer."""

    @property
    def address(self) -> str:
        """The payer's address, 0x and 40 hexadecimal digits."""

    def sign_typed_data(self, data: TypedData) -> str:
        """The signature, 0x and hexadecimal digits. Raises where it does not sign."""


class UnusableKey(ValueError):
    """A private key cannot be read, or others can read it. The text never has the key."""


class PrivateKey:
    """
    Signs with a private key: by coincurve where that is installed, else by plain Python, whose time depends on the key.

    The key is in no text of the object, and it cannot be pickled or copied.
    """

    __slots__ = ("_address", "_secret")

    def __init__(self, key: str | bytes) -> None:
        secret = _secret_of(key)
        # A traceback that shows local variables must not show it.
        del key
        if secret is None:
            raise UnusableKey("a private key is 64 hexadecimal digits, after 0x or not")
        self._secret = secret
        self._address = checksummed(keccak256(_public_key(self._secret))[-20:])

    @classmethod
    def from_env(cls, name: str = "PERPMETER_BUYER_KEY") -> PrivateKey:
        """The key in a variable of the environment."""
        key = os.environ.get(name)
        if key is None:
            raise UnusableKey(f"the environment has no {name}")
        return cls(key)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> PrivateKey:
        """The key in a file that its owner alone may read (mode 0600)."""
        with Path(path).open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
                raise UnusableKey(f"others may read {path}: chmod 600 {path}")
            return cls(file.read(256))

    @property
    def address(self) -> str:
        return self._address

    def sign_typed_data(self, data: TypedData) -> str:
        return "0x" + _sign(data.digest(), self._secret).hex()

    def __repr__(self) -> str:
        return f"PrivateKey({getattr(self, '_address', 'unusable')})"

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        raise TypeError("a private key is neither pickled nor copied")


class _Secret:
    """Holds a number that no traceback shows, since it has no text of its own."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def __repr__(self) -> str:
        return "<secret>"


def _secret_of(key: str | bytes) -> _Secret | None:
    """The number of a key; None where it is none."""
    text = key.decode("ascii", "replace") if isinstance(key, bytes) else key
    found = _KEY.fullmatch(text)
    number = 0 if found is None else int(found[1], 16)
    return _Secret(number) if 0 < number < _secp256k1.ORDER else None


def _coincurve_key(secret: _Secret) -> Any:
    """A key of coincurve; None where that is not installed."""
    try:
        from coincurve import PrivateKey as NativeKey
    except ImportError:
        return None
    return NativeKey(secret.number.to_bytes(32, "big"))


def _public_key(secret: _Secret) -> bytes:
    native = _coincurve_key(secret)
    if native is None:
        return _secp256k1.public_key(secret.number)
    return bytes(native.public_key.format(compressed=False)[1:])


def _sign(digest: bytes, secret: _Secret) -> bytes:
    native = _coincurve_key(secret)
    if native is None:
        return _secp256k1.sign(digest, secret.number)
    signature = bytes(native.sign_recoverable(digest, hasher=None))
    return signature[:64] + bytes([27 + signature[64]])


def checksummed(address: bytes) -> str:
    """An address of 20 bytes as text, with the checksum of EIP-55."""
    digits = address.hex()
    hashed = keccak256(digits.encode()).hex()
    pairs = zip(digits, hashed, strict=False)
    return "0x" + "".join(digit.upper() if int(by, 16) > 7 else digit for digit, by in pairs)


class AccountSigner:
    """Signs by an account of eth_account, or any object with its `address` and `sign_typed_data(full_message=)`."""

    def __init__(self, account: Any) -> None:
        self._account = account

    @property
    def address(self) -> str:
        return str(self._account.address)

    def sign_typed_data(self, data: TypedData) -> str:
        signature = bytes(self._account.sign_typed_data(full_message=data.as_json()).signature)
        return "0x" + signature.hex()


class CallbackSigner:
    """
    Signs by a function, as hardware wallets and key services need it.

    `sign` is given the typed data, whose `digest()` and `as_json()` are what such a device takes, and returns the signature:
    65 bytes (r, s, v), or those as hexadecimal text.
    """

    def __init__(self, address: str, sign: Callable[[TypedData], str | bytes]) -> None:
        if _ADDRESS.fullmatch(address) is None:
            raise ValueError(f"{address!r} is no address")
        self._address = address
        self._sign = sign

    @property
    def address(self) -> str:
        return self._address

    def sign_typed_data(self, data: TypedData) -> str:
        signature = self._sign(data)
        return signature if isinstance(signature, str) else "0x" + signature.hex()
