"""
Signatures of Ethereum: ECDSA over secp256k1 (SEC 2, section 2.4.1) with the nonce of RFC 6979.

Its time depends on the key. Who may measure this process signs with coincurve, or by a wallet.
"""

from __future__ import annotations

import hmac
from functools import cache

_P = 2**256 - 2**32 - 977
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
_GX = 0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798
_GY = 0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8

_WINDOWS = 64

_Point = tuple[int, int, int]
_Affine = tuple[int, int]
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


def _affine(points: list[_Point]) -> list[_Affine]:
    """The same points with z = 1, none of them at infinity, by one inversion for all (Montgomery's trick)."""
    products = [1]
    for _, _, z in points:
        products.append(products[-1] * z % _P)
    inverse = pow(products[-1], -1, _P)
    found: list[_Affine] = []
    for (x, y, z), before in zip(reversed(points), reversed(products[:-1]), strict=True):
        own = inverse * before % _P
        inverse = inverse * z % _P
        square = own * own % _P
        found.append((x * square % _P, y * square * own % _P))
    return found[::-1]


@cache
def _base_table() -> list[list[_Affine]]:
    """For each four bits of a factor, 1 to 15 times the base point at their place."""
    points: list[_Point] = []
    base: _Point = (_GX, _GY, 1)
    for _ in range(_WINDOWS):
        multiple = base
        for _ in range(15):
            points.append(multiple)
            multiple = _sum(multiple, base)
        base = multiple
    table = _affine(points)
    return [table[at : at + 15] for at in range(0, len(table), 15)]


def _with_affine(a: _Point, b: _Affine) -> _Point:
    """The sum with a point whose z is 1; neither is at infinity."""
    x, y, z = a
    zz = z * z % _P
    h = (b[0] * zz - x) % _P
    r = (b[1] * zz * z - y) % _P
    if h == 0:
        return _doubled(a) if r == 0 else _INFINITY
    hh = h * h % _P
    hhh, v = h * hh % _P, x * hh % _P
    x3 = (r * r - hhh - 2 * v) % _P
    return x3, (r * (v - x3) - y * hhh) % _P, z * h % _P


def _times_base(factor: int) -> _Point:
    """A multiple of the base point; the factor is above 0 and below the order."""
    result = _INFINITY
    for multiples in _base_table():
        digit = factor & 15
        factor >>= 4
        if digit:
            x, y = multiples[digit - 1]
            result = (x, y, 1) if result[2] == 0 else _with_affine(result, (x, y))
    return result


def _times(point: _Point, factor: int) -> _Point:
    result = _INFINITY
    while factor:
        if factor & 1:
            result = _sum(result, point)
        point = _doubled(point)
        factor >>= 1
    return result


def _coordinates(point: _Point) -> tuple[bytes, bytes]:
    [(x, y)] = _affine([point])
    return x.to_bytes(32, "big"), y.to_bytes(32, "big")


def public_key(secret: int) -> bytes:
    """The 64 bytes of the key's point."""
    return b"".join(_coordinates(_times_base(secret)))


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
    [(x, y)] = _affine([_times_base(nonce)])
    r = x % ORDER
    s = pow(nonce, -1, ORDER) * (number + r * secret) % ORDER
    parity = y & 1
    if s > ORDER // 2:
        s, parity = ORDER - s, parity ^ 1
    return r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([27 + parity])


def recovered(digest: bytes, signature: bytes) -> bytes | None:
    """
    The 64 bytes of the key that signed 32 bytes (SEC 1, section 4.1.6); None where the signature has another form than r, s and 27
    or 28, or is of none.
    """
    if len(signature) != 65:
        return None
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:64], "big")
    parity = signature[64] % 27
    if not 0 < r < ORDER or not 0 < s < ORDER or parity > 1:
        return None
    square = (pow(r, 3, _P) + 7) % _P
    root = pow(square, (_P + 1) // 4, _P)
    if root * root % _P != square:
        return None
    point = (r, root if root % 2 == parity else _P - root, 1)
    inverse = pow(r, -1, ORDER)
    of_digest = -int.from_bytes(digest, "big") * inverse % ORDER
    key = _sum(_times(point, s * inverse % ORDER), _times_base(of_digest))
    return None if key[2] == 0 else b"".join(_coordinates(key))
