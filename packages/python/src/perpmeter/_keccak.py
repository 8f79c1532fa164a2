"""Keccak-256 with the original padding, as Ethereum uses it (FIPS 202, before its change of the padding byte)."""

from __future__ import annotations

_RATE = 136
_MASK = (1 << 64) - 1


def _round_constants() -> list[int]:
    """The constants of the 24 rounds, from the shift register of FIPS 202, algorithm 5."""
    register = 1
    constants = []
    for _ in range(24):
        constant = 0
        for i in range(7):
            if register & 1:
                constant |= 1 << ((1 << i) - 1)
            register = (register << 1) ^ 0x171 if register & 0x80 else register << 1
        constants.append(constant)
    return constants


def _moves() -> list[tuple[int, int, int]]:
    """Source, target and rotation of the steps rho and pi (FIPS 202, sections 3.2.2 and 3.2.3)."""
    moves = [(0, 0, 0)]
    x, y = 1, 0
    for step in range(1, 25):
        target = (2 * x + 3 * y) % 5
        moves.append((x + 5 * y, y + 5 * target, step * (step + 1) // 2 % 64))
        x, y = y, target
    return moves


_CONSTANTS = _round_constants()
_MOVES = _moves()


def _rotated(lane: int, by: int) -> int:
    return ((lane << by) | (lane >> (64 - by))) & _MASK


def _permuted(lanes: list[int]) -> list[int]:
    for constant in _CONSTANTS:
        parity = [lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20] for x in range(5)]
        mixing = [parity[(x + 4) % 5] ^ _rotated(parity[(x + 1) % 5], 1) for x in range(5)]
        moved = [0] * 25
        for source, target, by in _MOVES:
            moved[target] = _rotated(lanes[source] ^ mixing[source % 5], by)
        lanes = [
            moved[i] ^ (~moved[i - i % 5 + (i + 1) % 5] & _MASK & moved[i - i % 5 + (i + 2) % 5]) for i in range(25)
        ]
        lanes[0] ^= constant
    return lanes


def keccak256(message: bytes) -> bytes:
    """Hash of 32 bytes."""
    padded = bytearray(message + bytes(_RATE - len(message) % _RATE))
    padded[len(message)] = 0x01
    padded[-1] |= 0x80
    lanes = [0] * 25
    for block in range(0, len(padded), _RATE):
        for i in range(_RATE // 8):
            at = block + 8 * i
            lanes[i] ^= int.from_bytes(padded[at : at + 8], "little")
        lanes = _permuted(lanes)
    return b"".join(lane.to_bytes(8, "little") for lane in lanes[:4])
