"""Payments by channel at the real service, on a chain with the contracts."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perpmeter import (
    Caps,
    Channels,
    Client,
    FileStore,
    MemoryStore,
    OverBudget,
    PerpmeterError,
    PrivateKey,
    Store,
    Wallet,
)

RATES = "/v1/funding/current?symbol=BTC"
OTHER = "/v1/funding/current?symbol=ETH"
FIRST = Channels(from_call=1)


@pytest.fixture(scope="session")
def keys(given: Any) -> Iterator[str]:
    """Keys with money, one for each test."""
    return iter(given["buyers"])


@pytest.fixture
def key(keys: Iterator[str]) -> str:
    return next(keys)


class Bench:
    """A relay and a key: makes clients, and tells what they presented."""

    def __init__(self, relay: Any, key: str) -> None:
        self.relay = relay
        self.key = key

    def client(self, store: Store | None = None, **more: Any) -> Client:
        given = {"caps": Caps(per_call="0.05", total="1"), "channels": FIRST, **more}
        return Client(self.relay.url, Wallet(PrivateKey(self.key), store=store or MemoryStore(), **given))

    def presented(self) -> list[Any]:
        """Payloads in their order."""
        return [json.loads(base64.b64decode(header))["payload"] for header in self.relay.paid]

    def totals(self) -> list[str]:
        return [payload["voucher"]["maxClaimableAmount"] for payload in self.presented()]

    def kinds(self) -> list[str]:
        return [payload.get("type", "exact") for payload in self.presented()]


@pytest.fixture
def bench(relay: Any, key: str) -> Bench:
    return Bench(relay, key)


def test_by_itself_twice_exact_then_a_deposit_then_vouchers(bench: Bench, tmp_path: Path) -> None:
    client = bench.client(FileStore(tmp_path / "payments"), channels=None)
    for _ in range(6):
        client.request(RATES)
    assert bench.kinds() == ["exact", "exact", "deposit", "voucher", "voucher", "voucher"]
    assert [payload["voucher"]["maxClaimableAmount"] for payload in bench.presented()[2:]] == [
        "1000",
        "2000",
        "3000",
        "4000",
    ]
    [channel] = client.channels()
    assert (channel.state, channel.spent_usd, client.spent_usd()) == ("open", "0.004", "0.006")
    assert {os.stat(path).st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_without_a_store_or_switched_off_no_channel_is_opened(bench: Bench) -> None:
    signer, caps = PrivateKey(bench.key), Caps(per_call="0.05", total="1")
    for wallet in (Wallet(signer, caps), Wallet(signer, caps, store=MemoryStore(), channels=False)):
        client = Client(bench.relay.url, wallet)
        for _ in range(3):
            client.request(RATES)
    assert set(bench.kinds()) == {"exact"}


def test_calls_at_once_are_paid_one_voucher_at_a_time(bench: Bench) -> None:
    client = bench.client()
    threads = [threading.Thread(target=client.request, args=(RATES,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(bench.totals()) == [str(1000 * number) for number in range(1, 9)]
    assert [channel.spent_usd for channel in client.channels()] == ["0.008"]


def test_a_lost_answer_is_asked_for_with_the_same_voucher(bench: Bench) -> None:
    client = bench.client()
    client.request(RATES)
    bench.relay.broken = 1
    client.request(RATES)
    client.request(RATES)
    assert bench.totals() == ["1000", "2000", "2000", "3000"]
    assert client.spent_usd() == "0.003"


def test_a_lost_answer_then_another_path_is_one_charge_for_each(bench: Bench) -> None:
    client = bench.client(attempts=1)
    client.request(RATES)
    bench.relay.broken = 1
    with pytest.raises(PerpmeterError) as unknown:
        client.request(RATES)
    assert (unknown.value.code, unknown.value.charged, client.is_open(RATES)) == ("outcome_unknown", None, True)
    client.request(OTHER)
    client.request(RATES)
    assert bench.totals() == ["1000", "2000", "2000", "3000", "2000"]
    assert client.spent_usd() == "0.003"
    assert [channel.spent_usd for channel in client.channels()] == ["0.003"]


def test_an_answer_that_cannot_be_made_leaves_its_total_to_the_next(bench: Bench) -> None:
    client = bench.client()
    client.request(RATES)
    with pytest.raises(PerpmeterError) as refused:
        client.request("/v1/funding/current?symbol=NOSUCH")
    assert refused.value.charged is False
    client.request(RATES)
    assert set(bench.totals()[1:]) == {"2000"}
    assert client.spent_usd() == "0.002"


def test_caps_hold_over_vouchers_with_money_left_in_the_channel(bench: Bench) -> None:
    client = bench.client(caps=Caps(per_call="0.001", per_day="0.005", total="1"))
    for _ in range(5):
        client.request(RATES)
    with pytest.raises(OverBudget) as over:
        client.request(RATES)
    assert (over.value.cap, client.spent_usd()) == ("day", "0.005")
    assert float(client.channels()[0].deposited_usd) <= 0.005


def test_deposits_are_no_more_than_is_allowed_and_topped_up(bench: Bench) -> None:
    client = bench.client(channels=Channels(from_call=1, max_deposit_usd="0.006"))
    for _ in range(14):
        client.request(RATES)
        assert float(client.channels()[0].left_usd) <= 0.006
    deposits = [payload["deposit"]["amount"] for payload in bench.presented() if "deposit" in payload]
    assert deposits == ["6000", "6000", "6000"]


def test_a_deposit_for_too_few_calls_is_not_made(bench: Bench) -> None:
    client = bench.client(channels=Channels(from_call=1, max_deposit_usd="0.003"))
    client.request(RATES)
    assert bench.kinds() == ["exact"]


def test_with_all_lost_the_seller_proves_what_it_has_charged(bench: Bench) -> None:
    client = bench.client()
    for _ in range(4):
        client.request(RATES)
    bench.relay.paid.clear()
    lost = bench.client()
    lost.request(RATES)
    lost.request(RATES)
    assert bench.totals() == ["1000", "5000", "6000"]
    assert [channel.spent_usd for channel in lost.channels()] == ["0.006"]


def _killed_while_waiting(bench: Bench, file: Path) -> None:
    """A process buys once, and is killed while it presents its second voucher."""
    program = f"""
import sys
from perpmeter import *
wallet = Wallet(PrivateKey({bench.key!r}), Caps("0.05", "1"), store=FileStore(sys.argv[1]), channels=Channels(from_call=1), attempts=1000)
client = Client({bench.relay.url!r}, wallet)
client.request({RATES!r})
print("bought", flush=True)
sys.stdin.readline()
client.request({RATES!r})
"""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", program, str(file)], **pipes) as child:
        assert child.stdin is not None and child.stdout is not None
        assert child.stdout.readline() == b"bought\n"
        bench.relay.broken = 1_000
        child.stdin.write(b"\n")
        child.stdin.flush()
        while len(bench.relay.paid) < 2:
            assert child.poll() is None
        child.send_signal(signal.SIGKILL)
    bench.relay.broken = 0


def test_a_killed_process_is_resumed_with_its_voucher_and_none_below(bench: Bench, tmp_path: Path) -> None:
    _killed_while_waiting(bench, tmp_path / "payments")
    stored = json.loads((tmp_path / "payments.channels").read_bytes())["channels"]
    assert [(one["charged"], one["signed"], one["counted"]) for one in stored] == [(1000, 2000, 2000)]
    store = FileStore(tmp_path / "payments")
    client = bench.client(store)
    assert client.is_open(RATES)
    before = set(bench.relay.paid)
    client.request(RATES)
    assert set(bench.relay.paid) == before
    client.request(RATES)
    assert bench.totals()[-1] == "3000"
    assert client.spent_usd() == "0.003"
    assert [channel.spent_usd for channel in client.channels()] == ["0.003"]
    store.close()


def test_after_a_kill_another_path_is_charged_by_itself(bench: Bench, tmp_path: Path) -> None:
    _killed_while_waiting(bench, tmp_path / "payments")
    store = FileStore(tmp_path / "payments")
    client = bench.client(store)
    client.request(OTHER)
    client.request(RATES)
    assert bench.totals()[-3:] == ["2000", "3000", "2000"]
    assert client.spent_usd() == "0.003"
    store.close()


def test_a_store_that_cannot_write_has_nothing_signed(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    client = bench.client(store)
    client.request(RATES)

    def full(_: object) -> None:
        raise OSError("disk is full")

    monkeypatch.setattr(store.channels, "save", full)
    with pytest.raises(PerpmeterError, match="disk is full") as refused:
        client.request(RATES)
    # It is not known what was written: the total stays counted.
    assert (refused.value.code, len(bench.relay.paid), client.spent_usd()) == ("not_signed", 1, "0.002")


def test_a_file_of_channels_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "payments.channels").write_text('{"channels": [{"id": 1}]}')
    with pytest.raises(ValueError, match="no file of channels"):
        FileStore(tmp_path / "payments")


def test_a_closed_channel_gives_its_rest_back(bench: Bench) -> None:
    client = bench.client()
    for _ in range(2):
        client.request(RATES)
    [channel] = client.channels()
    closed = client.close_channel(channel.id)
    assert closed is not None and closed.kind == "refunded", closed
    assert closed.refunded_usd == channel.left_usd and closed.transaction.startswith("0x")
    [after] = client.channels()
    assert (after.state, after.left_usd, after.spent_usd) == ("closed", "0", "0.002")
    again = client.close_channel(channel.id)
    assert again is not None and again.kind == "empty"
    assert client.close_channel("0x00") is None


def test_a_seller_that_is_away_leaves_the_way_out(bench: Bench) -> None:
    client = bench.client()
    client.request(RATES)
    [channel] = client.channels()
    bench.relay.moved = "http://127.0.0.1:9"
    closed = client.close_channel(channel.id)
    assert closed is not None and (closed.kind, closed.left_usd) == ("withdraw", channel.left_usd)
    assert closed.initiate is not None and closed.initiate.sender == channel.payer
    assert client.channels() == [channel]


def test_the_command_pays_lists_and_closes(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    demo = {"base_url": bench.relay.url, "buyer_private_key": bench.key}
    (tmp_path / "var" / "demo.json").write_text(json.dumps(demo))

    def ran(*words: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "perpmeter", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    assert ran("buy", RATES, "--channel")[0] == 2
    code, said = ran("buy", RATES, "--channel", "--times", "5", "--store", "payments", "--out", "answer.json")
    assert code == 0, said
    assert bench.totals() == ["1000", "2000", "3000", "4000", "5000"]
    assert json.loads((tmp_path / "answer.json").read_text())["rates"]
    code, listed = ran("channels", "--store", "payments")
    assert " open at " in listed and "0.005 spent, 0.095 left of 0.1 USD" in listed
    code, said = ran("channels", "--store", "payments", "--close", listed[:12])
    assert json.loads(said)["refunded_usd"] == "0.095"
    assert ran("channels", "--store", "payments", "--close", "0xnone")[0] == 2
