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


def _moves() -> list[tuple[int, int, int, int]]:
    """For each lane, in the order after the steps rho and pi (FIPS 202, 3.2.2 and 3.2.3): source, its column, left and right shift."""
    moves = {0: (0, 0, 0, 64)}
    x, y = 1, 0
    for step in range(1, 25):
        target = (2 * x + 3 * y) % 5
        by = step * (step + 1) // 2 % 64
        moves[y + 5 * target] = (x + 5 * y, x, by, 64 - by)
        x, y = y, target
    return [moves[i] for i in range(25)]


_CONSTANTS = _round_constants()
_MOVES = _moves()
_ROWS = [(i, i - i % 5 + (i + 1) % 5, i - i % 5 + (i + 2) % 5) for i in range(25)]
_COLUMNS = [((x + 4) % 5, (x + 1) % 5) for x in range(5)]


def _permuted(lanes: list[int]) -> list[int]:
    # Without calls in it: it takes most of the time of a signature.
    for constant in _CONSTANTS:
        parity = [lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20] for x in range(5)]
        mixing = [parity[a] ^ ((parity[b] << 1 | parity[b] >> 63) & _MASK) for a, b in _COLUMNS]
        moved = [
            ((lane := lanes[source] ^ mixing[column]) << left | lane >> right) & _MASK
            for source, column, left, right in _MOVES
        ]
        lanes = [moved[i] ^ (~moved[j] & moved[k]) for i, j, k in _ROWS]
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
