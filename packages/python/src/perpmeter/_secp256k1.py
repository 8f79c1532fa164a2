"""
Signatures of Ethereum: ECDSA over secp256k1 (SEC 2, section 2.4.1) with the nonce of RFC 6979.

Its time depends on the key. Who may measure this process signs with coincurve, or by a wallet.
"""

from __future__ import annotations

import hmac

_P = 2**256 - 2**32 - 977
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
_GX = 0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798
_GY = 0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8

_Point = tuple[int, int, int]
_INFINITY: _Point = (0, 1, 0)


def _doubled(point: _Point) -> _Point:
    """Twice a point in Jacobian coordinates; the curve has a = 0."""
    x, y, z = point
    if z == 0:
        return point
    square = y * y % _P
    s = 4 * x * square % _P
    m = 3 * x * x % _P
    x3 = (m * m - 2 * s) % _P
    return x3, (m * (s - x3) - 8 * square * square) % _P, 2 * y * z % _P


def _sum(a: _Point, b: _Point) -> _Point:
    if a[2] == 0:
        return b
    if b[2] == 0:
        return a
    za, zb = a[2] * a[2] % _P, b[2] * b[2] % _P
    u1, u2 = a[0] * zb % _P, b[0] * za % _P
    s1, s2 = a[1] * zb * b[2] % _P, b[1] * za * a[2] % _P
    if u1 == u2:
        return _doubled(a) if s1 == s2 else _INFINITY
    h, r = u2 - u1, s2 - s1
    hh = h * h % _P
    hhh, v = h * hh % _P, u1 * hh % _P
    x3 = (r * r - hhh - 2 * v) % _P
    return x3, (r * (v - x3) - s1 * hhh) % _P, h * a[2] * b[2] % _P


def _powers_of_base() -> list[_Point]:
    point: _Point = (_GX, _GY, 1)
    powers = []
    for _ in range(256):
        powers.append(point)
        point = _doubled(point)
    return powers


_POWERS = _powers_of_base()


def _times_base(factor: int) -> tuple[int, int]:
    """A multiple of the base point, affine; the factor is above 0 and below the order."""
    result = _INFINITY
    for i, power in enumerate(_POWERS):
        if factor >> i & 1:
            result = _sum(result, power)
    inverse = pow(result[2], -1, _P)
    square = inverse * inverse % _P
    return result[0] * square % _P, result[1] * square * inverse % _P


def public_key(secret: int) -> bytes:
    """The 64 bytes of the key's point."""
    x, y = _times_base(secret)
    return x.to_bytes(32, "big") + y.to_bytes(32, "big")


def _nonce(digest: bytes, secret: int) -> int:
    """The nonce of a signature (RFC 6979, section 3.2, with SHA-256)."""
    key = secret.to_bytes(32, "big")
    reduced = (int.from_bytes(digest, "big") % ORDER).to_bytes(32, "big")
    v, k = b"\x01" * 32, bytes(32)
    for byte in (b"\x00", b"\x01"):
        k = hmac.digest(k, v + byte + key + reduced, "sha256")
        v = hmac.digest(k, v, "sha256")
    while True:
        v = hmac.digest(k, v, "sha256")
        nonce = int.from_bytes(v, "big")
        if 0 < nonce < ORDER:
            return nonce
        k = hmac.digest(k, v + b"\x00", "sha256")
        v = hmac.digest(k, v, "sha256")


def sign(digest: bytes, secret: int) -> bytes:
    """
    Signs 32 bytes: r, s and 27 or 28, as 65 bytes. `s` is the smaller one of two, as tokens ask for.
    """
    number = int.from_bytes(digest, "big")
    nonce = _nonce(digest, secret)
    x, y = _times_base(nonce)
    r = x % ORDER
    s = pow(nonce, -1, ORDER) * (number + r * secret) % ORDER
    parity = y & 1
    if s > ORDER // 2:
        s, parity = ORDER - s, parity ^ 1
    return r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([27 + parity])
