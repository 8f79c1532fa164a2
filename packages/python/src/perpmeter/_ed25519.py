"""Checks Ed25519 signatures (RFC 8032, section 5.1). Nothing here is secret."""

from __future__ import annotations

import hashlib

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT_OF_MINUS_ONE = pow(2, (_P - 1) // 4, _P)

_Point = tuple[int, int, int, int]
_NEUTRAL: _Point = (0, 1, 1, 0)


def _sum(a: _Point, b: _Point) -> _Point:
    """Sum of two points in extended coordinates (RFC 8032, section 5.1.4)."""
    e = (a[1] - a[0]) * (b[1] - b[0]) % _P
    f = (a[1] + a[0]) * (b[1] + b[0]) % _P
    g = 2 * a[3] * b[3] * _D % _P
    h = 2 * a[2] * b[2] % _P
    return (
        (f - e) * (h - g) % _P,
        (h + g) * (f + e) % _P,
        (h - g) * (h + g) % _P,
        (f - e) * (f + e) % _P,
    )


def _times(point: _Point, factor: int) -> _Point:
    result = _NEUTRAL
    while factor > 0:
        if factor & 1:
            result = _sum(result, point)
        point = _sum(point, point)
        factor >>= 1
    return result


def _x_of(y: int, sign: int) -> int | None:
    """The coordinate of a point that its other one and a bit name; None where there is no such point."""
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    if square == 0:
        return None if sign else 0
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P != 0:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if (x * x - square) % _P != 0:
        return None
    return x if x & 1 == sign else _P - x


def _point_of(text: bytes) -> _Point | None:
    number = int.from_bytes(text, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if y >= _P:
        return None
    x = _x_of(y, sign)
    return None if x is None else (x, y, 1, x * y % _P)


def _base() -> _Point:
    y = 4 * pow(5, -1, _P) % _P
    x = _x_of(y, 0)
    assert x is not None
    return x, y, 1, x * y % _P


_BASE = _base()


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """True if a key of 32 bytes signed a message. The check is that without the cofactor, as OpenSSL does it."""
    if len(key) != 32 or len(signature) != 64:
        return False
    point, commitment = _point_of(key), _point_of(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if point is None or commitment is None or s >= _ORDER:
        return False
    hashed = hashlib.sha512(signature[:32] + key + message).digest()
    challenge = int.from_bytes(hashed, "little") % _ORDER
    left = _times(_BASE, s)
    right = _sum(commitment, _times(point, challenge))
    return (left[0] * right[2] - right[0] * left[2]) % _P == 0 and (left[1] * right[2] - right[1] * left[2]) % _P == 0
