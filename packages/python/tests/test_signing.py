from __future__ import annotations

import copy
import pickle
import traceback
from pathlib import Path
from typing import Any

import pytest

from perpmeter import CallbackSigner, PrivateKey, TypedData, UnusableKey
from perpmeter._keccak import keccak256
from perpmeter.typed_data import TRANSFER


def test_keccak_of_long_and_short_texts_as_published() -> None:
    assert keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
    assert keccak256(b"abc").hex() == "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"
    assert keccak256(b"a" * 136).hex() != keccak256(b"a" * 135).hex()


def test_random_keys_and_payments_signed_as_another_implementation_does(given: Any) -> None:
    assert len(given["signatures"]) >= 100
    for case in given["signatures"]:
        signer = PrivateKey(case["key"])
        message = {**case["message"]}
        for name in ("value", "validAfter", "validBefore"):
            message[name] = int(message[name])
        data = TypedData(case["domain"], "TransferWithAuthorization", TRANSFER, message)
        assert signer.address == case["address"]
        assert "0x" + data.digest().hex() == case["digest"]
        assert signer.sign_typed_data(data) == case["signature"]


def test_a_key_is_in_no_text_of_its_object() -> None:
    text = "11" * 32
    key = PrivateKey("0x" + text)
    number = str(int(text, 16))
    for said in (repr(key), str(key), f"{key!r} {vars(type(key))}"):
        assert text not in said and number not in said
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            copied(key)  # type: ignore[operator]


def test_an_unusable_key_is_in_no_traceback_with_local_variables() -> None:
    text = "zz" + "11" * 31
    try:
        PrivateKey(text)
    except UnusableKey as wrong:
        shown = traceback.TracebackException.from_exception(wrong, capture_locals=True)
        own = [line for line in shown.format() if "signers.py" in line]
        assert own and all(text not in line for line in own)
        assert text not in str(wrong)
    else:
        pytest.fail("it was taken")


@pytest.mark.parametrize("key", ["", "0x", "00" * 32, "ff" * 32, "11" * 31, "11" * 33])
def test_what_is_no_key_is_refused(key: str) -> None:
    with pytest.raises(UnusableKey):
        PrivateKey(key)


def test_a_key_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("11" * 32 + "\n")
    file.chmod(0o644)
    with pytest.raises(UnusableKey, match="chmod 600"):
        PrivateKey.from_file(file)
    file.chmod(0o600)
    assert PrivateKey.from_file(file).address == PrivateKey("11" * 32).address


def test_a_callback_signs_what_a_device_is_given() -> None:
    key = PrivateKey("11" * 32)
    seen: list[TypedData] = []

    def sign(data: TypedData) -> bytes:
        seen.append(data)
        return bytes.fromhex(key.sign_typed_data(data).removeprefix("0x"))

    domain = {"name": "USD Coin", "version": "2", "chainId": 8453, "verifyingContract": "0x" + "ab" * 20}
    message = {
        "from": key.address,
        "to": "0x" + "cd" * 20,
        "value": 1,
        "validAfter": 0,
        "validBefore": 9,
        "nonce": "0x" + "00" * 32,
    }
    data = TypedData(domain, "TransferWithAuthorization", TRANSFER, message)
    assert CallbackSigner(key.address, sign).sign_typed_data(data) == key.sign_typed_data(data)
    assert seen[0].as_json()["primaryType"] == "TransferWithAuthorization"
