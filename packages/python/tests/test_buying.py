from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from perpmeter import Allowed, CallbackSigner, Caps, Client, FileStore, OverBudget, PerpmeterError, StoreInUse, receipts
from perpmeter.__main__ import main
from perpmeter.frames import NoTable

RATES = "/v1/funding/current?symbol=BTC"


def test_an_answer_is_bought_once_with_its_receipt_and_time(client: Client, given: Any) -> None:
    answer = client.funding_current(symbol="BTC")
    assert {row["symbol"] for row in answer.data["rates"]} == {"BTC"}
    assert answer.receipt is not None and answer.receipt["success"] is True
    assert answer.receipt["payer"].lower() == given["address"].lower()
    assert answer.as_of is not None and answer.as_of.tzinfo == timezone.utc
    assert "binance" in answer.sources
    assert client.spent_usd() == "0.001"


def test_a_receipt_is_verified_without_a_network(client: Client, given: Any) -> None:
    keys = json.load(urllib.request.urlopen(given["url"] + "/.well-known/did.json"))
    answer = client.funding_current(symbol="BTC")
    receipt = answer.signed_receipt
    assert receipt is not None
    words = receipts.verify(receipt, answer.reply.body, keys, request=RATES, payer=given["address"])
    assert words["amount"] == "1000"
    faults = {
        "other_answer": lambda: receipts.verify(receipt, answer.reply.body + b" ", keys),
        "other_request": lambda: receipts.verify(
            receipt, answer.reply.body, keys, request="/v1/funding/current?symbol=ETH"
        ),
        "unknown_key": lambda: receipts.verify(receipt, answer.reply.body, {"verificationMethod": []}),
        "bad_signature": lambda: receipts.verify(_changed(receipt), answer.reply.body, keys),
        "not_a_receipt": lambda: receipts.verify("a.b", answer.reply.body, keys),
    }
    for fault, check in faults.items():
        with pytest.raises(receipts.WrongReceipt) as refused:
            check()
        assert refused.value.fault == fault


def _changed(receipt: str) -> str:
    head, body, signature = receipt.split(".")
    return f"{head}.{body}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"


def test_free_answers_cost_nothing_and_need_no_wallet(given: Any) -> None:
    answer = Client(given["url"]).venues_list()
    assert answer.receipt is None and "binance" in {row["name"] for row in answer.data}


def test_without_a_wallet_what_is_sold_is_said_to_be(given: Any) -> None:
    with pytest.raises(PerpmeterError) as refused:
        Client(given["url"]).funding_current(symbol="BTC")
    assert (refused.value.code, refused.value.charged) == ("payment_required", False)


def test_mistakes_cost_nothing_and_have_a_remedy(client: Client) -> None:
    with pytest.raises(PerpmeterError) as refused:
        client.funding_spread_symbol(symbol="NOSUCHCOIN")
    assert (refused.value.code, refused.value.charged) == ("unknown_ticker", False)
    assert refused.value.remedy
    # What was signed for it is spent until it buys the next answer of that price.
    assert client.funding_spread_symbol(symbol="BTC").data and client.spent_usd() == "0.001"


def test_caps_hold_over_threads(given: Any, wallet: Any) -> None:
    client = Client(given["url"], wallet(caps=Caps(per_call="0.01", total="0.003")))
    over: list[str] = []

    def buy() -> None:
        try:
            client.funding_current(symbol="ETH")
        except OverBudget as refused:
            over.append(refused.cap)

    threads = [threading.Thread(target=buy) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert client.spent_usd() == "0.003" and over == ["total"] * 5


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"allow": Allowed(networks=("eip155:1",))}, "not_allowed"),
        ({"allow": Allowed(assets=("0x" + "11" * 20,))}, "not_allowed"),
        ({"allow": Allowed(receivers=("0x" + "11" * 20,))}, "not_allowed"),
        ({"caps": Caps(per_call="0.0001", total="1")}, "over_budget"),
    ],
)
def test_terms_that_are_not_allowed_sign_nothing(given: Any, wallet: Any, more: Any, code: str) -> None:
    client = Client(given["url"], wallet(**more))
    with pytest.raises(PerpmeterError) as refused:
        client.funding_current(symbol="BTC")
    assert (refused.value.code, client.spent_usd()) == (code, "0")


def test_a_price_that_the_catalog_does_not_list_signs_nothing(relay: Any, wallet: Any) -> None:
    relay.times = 2
    client = Client(relay.url, wallet())
    with pytest.raises(PerpmeterError) as refused:
        client.funding_current(symbol="BTC")
    assert (refused.value.code, relay.paid, client.spent_usd()) == ("not_as_listed", [], "0")


def test_another_address_is_not_followed(relay: Any, given: Any, wallet: Any) -> None:
    client = Client(relay.url, wallet())
    relay.moved = given["url"]
    with pytest.raises(PerpmeterError) as refused:
        client.funding_current(symbol="BTC")
    assert (refused.value.code, client.spent_usd()) == ("redirected", "0")


def test_a_signer_that_refuses_leaves_nothing_spent(given: Any, wallet: Any) -> None:
    def sign(_: object) -> str:
        raise RuntimeError("the device says no")

    client = Client(given["url"], wallet(signer=CallbackSigner(given["address"], sign)))
    with pytest.raises(PerpmeterError, match="the device says no") as refused:
        client.funding_current(symbol="BTC")
    assert (refused.value.code, client.spent_usd()) == ("not_signed", "0")


def test_a_lost_answer_is_asked_for_again_with_the_same_payment(relay: Any, wallet: Any) -> None:
    relay.broken = 2
    client = Client(relay.url, wallet())
    assert client.funding_current(symbol="BTC").data["rates"]
    assert len(relay.paid) == 3 and len(set(relay.paid)) == 1
    assert client.spent_usd() == "0.001"


def test_a_killed_process_is_resumed_by_the_next(relay: Any, given: Any, wallet: Any, tmp_path: Path) -> None:
    relay.broken = 1_000
    program = f"""
import sys
from perpmeter import *
store = FileStore(sys.argv[1])
Client({relay.url!r}, Wallet(PrivateKey({given["key"]!r}), Caps("0.05", "1"), store=store, attempts=100)).funding_current(symbol="BTC")
"""
    child = subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "payments")])
    while not relay.paid:
        assert child.poll() is None
    child.send_signal(signal.SIGKILL)
    child.wait()
    relay.broken = 0
    store = FileStore(tmp_path / "payments")
    client = Client(relay.url, wallet(store=store))
    assert client.is_open(RATES)
    assert client.funding_current(symbol="BTC").data["rates"]
    assert len(set(relay.paid)) == 1 and client.spent_usd() == "0.001"
    assert not client.is_open(RATES)
    store.close()


def test_a_file_of_payments_is_held_by_one_process(tmp_path: Path) -> None:
    store = FileStore(tmp_path / "payments")
    assert os.stat(tmp_path / "payments").st_mode & 0o777 == 0o600
    with pytest.raises(StoreInUse):
        FileStore(tmp_path / "payments")
    store.close()
    FileStore(tmp_path / "payments").close()


def test_times_and_lists_are_asked_as_the_service_reads_them(client: Client) -> None:
    answer = client.funding_current(symbol=["BTC"], limit=1)
    assert len(answer.data["rates"]) == 1
    with pytest.raises(ValueError, match="zone"):
        client.funding_current(symbol="BTC", as_of=datetime.fromisoformat("2026-11-20"))


def test_rows_as_a_table_keep_what_is_unknown_apart_from_zero(client: Client) -> None:
    pandas = pytest.importorskip("pandas")
    frame = client.funding_current(symbol="BTC", as_="pandas")
    assert str(frame["rate_8h"].dtype) == "Float64"
    assert str(frame["rate_updated_at"].dtype) == "datetime64[ns, UTC]"
    assert frame.attrs["units"]["rate_8h"] and "binance" in frame.attrs["sources"]
    assert isinstance(frame, pandas.DataFrame)


def test_a_library_that_is_not_there_is_said_before_anything_is_paid(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError):
        client.funding_current(symbol="BTC", as_="polars")
    assert client.spent_usd() == "0"


def test_an_answer_without_the_table_is_in_the_error(client: Client) -> None:
    pytest.importorskip("pandas")
    with pytest.raises(NoTable) as refused:
        client.perp_snapshot(ticker=["BTC", "ETH"], as_="pandas")
    assert len(refused.value.answer.data["answers"]) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["buy", RATES, "--out", "/nowhere/answer.json"], "/nowhere/answer.json cannot be written"),
        (["buy", RATES, "--receipt", "/"], "/ cannot be written"),
        (["buy", RATES, "--max", "a lot"], "no amount in USD"),
        (["follow", "topic=funding", "--max-usd", "0.01"], "topic is unknown"),
        (["follow", "BTC", "--max-usd", "0.01"], "BTC is unknown"),
        (["follow", "symbol=BTC&size_usd=large", "--max-usd", "0.01"], "no whole number of USD"),
        (["follow", "symbol=BTC", "--max-usd", "a dime"], "no amount in USD"),
    ],
)
def test_a_command_that_cannot_be_carried_out_pays_nothing(
    relay: Any, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--url", relay.url]) == 2
    assert said in capsys.readouterr().err
    assert relay.paid == []
