from __future__ import annotations

import copy
import pickle
import traceback
from pathlib import Path
from typing import Any

import pytest

from perpmeter import CallbackSigner, PrivateKey, TypedData, UnusableKey
from perpmeter._challenge import requirement_of
from perpmeter._channel import ChannelConfig, PendingDeposit
from perpmeter._channel_digests import call_of, channel_id
from perpmeter._channel_payloads import deposit_payload, voucher_payload
from perpmeter._keccak import keccak256
from perpmeter._secp256k1 import public_key, recovered, sign
from perpmeter.typed_data import TRANSFER


def test_keccak_of_long_and_short_texts_as_published() -> None:
    assert keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
    assert keccak256(b"abc").hex() == "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"
    assert keccak256(b"a" * 136).hex() != keccak256(b"a" * 135).hex()


def test_random_keys_and_payments_signed_as_another_implementation_does(given: Any) -> None:
    assert len(given["signatures"]) >= 10
    for case in given["signatures"]:
        signer = PrivateKey(case["key"])
        assert signer.address == case["address"]
        for payment in case["payments"]:
            message = {**payment["message"]}
            for name in ("value", "validAfter", "validBefore"):
                message[name] = int(message[name])
            data = TypedData(case["domain"], "TransferWithAuthorization", TRANSFER, message)
            assert signer.sign_typed_data(data) == payment["signature"]


def test_random_channels_are_named_and_signed_as_the_other_client_does(given: Any) -> None:
    assert len(given["channels"]) >= 10
    for case in given["channels"]:
        config = ChannelConfig(*case["config"].values())
        entry = requirement_of(case["entry"])
        assert entry is not None and config.as_json() == case["config"]
        assert channel_id(config, entry.chain_id) == case["id"]
        signer, total, amount = PrivateKey(case["key"]), int(case["total"]), int(case["amount"])
        made = voucher_payload(signer, "voucher", config, case["id"], total, entry.chain_id)
        assert made == case["voucher"]
        pending = PendingDeposit(amount, case["validBefore"], case["salt"])
        assert deposit_payload(signer, entry, config, case["id"], total, pending) == case["deposit"]
        assert call_of("initiateWithdraw", config, amount) == case["initiate"]
        assert call_of("finalizeWithdraw", config) == case["finalize"]


def test_the_signer_of_a_digest_is_found_and_no_other() -> None:
    key, digest = PrivateKey("17" * 32), keccak256(b"voucher")
    signature = sign(digest, int("17" * 32, 16))
    found = recovered(digest, signature)
    assert found is not None and found == public_key(int("17" * 32, 16))
    assert key.address.lower().endswith(keccak256(found)[-20:].hex())
    assert recovered(keccak256(b"another"), signature) != found
    for wrong in (b"", signature[:64], bytes(65), b"\xff" * 65, signature[:64] + b"\x1d"):
        assert recovered(digest, wrong) is None


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
