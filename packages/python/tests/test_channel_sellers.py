"""Sellers who lie about channels: what they can claim stays within the caps. No network, and signatures that are worth nothing."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from perpmeter import CallbackSigner, Caps, Channels, Client, MemoryStore, PerpmeterError, PrivateKey, TypedData, Wallet
from perpmeter._channel_digests import voucher
from perpmeter._http import Broken, Http, Reply, Sent
from perpmeter._purse import Purse
from perpmeter.amounts import atomic_of

PATH = "/v1/perp/basis"
PRICE = 5_000
MISMATCH = "invalid_batch_settlement_evm_cumulative_amount_mismatch"
FIRST = Channels(from_call=1)
USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"


def terms(**change: Any) -> dict[str, Any]:
    """An entry of `exact`."""
    return {
        "scheme": "exact",
        "network": "eip155:8453",
        "amount": str(PRICE),
        "asset": USDC,
        "payTo": "0x" + "b" * 40,
        "maxTimeoutSeconds": 60,
        "extra": {"name": "USD Coin", "version": "2"},
        **change,
    }


def entry(extra: Mapping[str, Any] | None = None, **change: Any) -> dict[str, Any]:
    """An entry of a channel."""
    made = terms(scheme="batch-settlement", **change)
    own = {"receiverAuthorizer": "0x" + "c" * 40, "withdrawDelay": 86_400}
    made["extra"] = {**made["extra"], **own, **(extra or {})}
    return made


def challenge(batch: Any, error: str = "payment_required") -> Reply:
    said = {"x402Version": 2, "error": error, "accepts": [terms(), batch]}
    header = base64.b64encode(json.dumps(said).encode()).decode()
    return Reply(402, {"payment-required": header}, json.dumps({"error": error}).encode())


SOLD = Reply(200, {"content-type": "application/json"}, b"{}")
LOST = Broken(ConnectionResetError("connection broken"))


def corrective(channel: str, charged: int, *, balance: int = 100_000, **proof: Any) -> Reply:
    """A refusal that says how much was charged."""
    state = {"channelId": channel, "balance": str(balance), "chargedCumulativeAmount": str(charged)}
    return challenge(entry({"channelState": state, **proof}), MISMATCH)


Answer = Callable[[Any, str], Sent]


class Seller(Http):
    """Says to each payment what the test has it say; the last answer is repeated. Notes what was presented and signed."""

    def __init__(self, replies: list[Answer], offers: list[Any]) -> None:
        super().__init__(wait=lambda _: None)
        self._replies = replies
        self._offers = offers
        self.presented: list[Any] = []
        self.totals: list[int] = []
        self.highest: dict[str, int] = {}

    def once(self, url: str, headers: Mapping[str, str]) -> Sent:
        if "PAYMENT-SIGNATURE" not in headers:
            return challenge(self._offers.pop(0) if len(self._offers) > 1 else self._offers[0])
        payload = json.loads(base64.b64decode(headers["PAYMENT-SIGNATURE"]))["payload"]
        self.presented.append(payload)
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        return reply(payload, payload.get("voucher", {}).get("channelId", ""))

    def sign(self, data: TypedData) -> str:
        if data.primary_type == "Voucher":
            channel, total = str(data.message["channelId"]), int(data.message["maxClaimableAmount"])
            self.totals.append(total)
            self.highest[channel] = max(total, self.highest.get(channel, 0))
        return "0x" + "11" * 65

    def kinds(self) -> list[str]:
        return [payload.get("type", "exact") for payload in self.presented]

    def claimable(self) -> int:
        """All that can be claimed of what was signed, atomic units."""
        exact = {
            payload["authorization"]["nonce"]: int(payload["authorization"]["value"])
            for payload in self.presented
            if "authorization" in payload
        }
        return sum(self.highest.values()) + sum(exact.values())


def at(replies: list[Answer], *, offers: list[Any] | None = None, **more: Any) -> tuple[Client, Seller]:
    """A client at a seller."""
    seller = Seller(replies, offers or [entry()])
    signer = CallbackSigner("0x" + "a" * 40, seller.sign)
    given = {"signer": signer, "caps": Caps(per_call="0.01", total="0.2"), "channels": FIRST, **more}
    return Client("http://seller.example", Wallet(check_catalog=False, **given), http=seller), seller


def _stranger(channel: str) -> Any:
    signature = PrivateKey("17" * 32).sign_typed_data(voucher(channel, 50_000, 8453))
    return {"voucherState": {"signedMaxClaimable": "50000", "signature": signature}}


@pytest.mark.parametrize(
    "proof",
    [
        lambda _: {},
        _stranger,
        lambda _: {"voucherState": {"signedMaxClaimable": "50000", "signature": "0x11"}},
        lambda _: {"voucherState": {"signedMaxClaimable": "50000", "signature": "no hexadecimal"}},
    ],
)
def test_an_overstated_charge_has_nothing_above_the_price_signed(proof: Any) -> None:
    client, seller = at(
        [
            lambda *_: SOLD,
            lambda _, channel: corrective(channel, 50_000, **proof(channel)),
            lambda *_: SOLD,
        ]
    )
    for _ in range(3):
        client.request(PATH)
    assert seller.totals == [PRICE, 2 * PRICE, PRICE]
    # Exact pays this call. The channel is left alone, and the next call opens another one.
    assert seller.kinds() == ["deposit", "voucher", "exact", "deposit"]
    assert [channel.state for channel in client.channels()] == ["disputed", "open"]


@pytest.mark.parametrize(("max_usd", "prices"), [("0.02", 4), ("0.01", 2), ("0.005", 1)])
def test_a_seller_who_always_says_another_total_gets_no_more_than_the_call_may_cost(max_usd: str, prices: int) -> None:
    def again(payload: Any, channel: str) -> Sent:
        return corrective(channel, int(payload["voucher"]["maxClaimableAmount"]))

    client, seller = at([again], caps=Caps(per_call="0.05", total="0.2"))
    with pytest.raises(PerpmeterError):
        client.request(PATH, max_usd=max_usd)
    assert list(seller.highest.values()) == [prices * PRICE]
    assert "exact" not in seller.kinds()


def test_whatever_a_seller_says_it_can_claim_no_more_than_the_caps() -> None:
    dice = random.Random(7)
    for _ in range(60):
        steps = [
            (
                dice.choice(["sold", "lost", "correct", "refuse", "none"]),
                dice.randint(0, 60_000),
                dice.randint(0, 500_000),
            )
            for _ in range(dice.randint(1, 15))
        ]
        turn = iter(range(1_000_000))

        def reply(_: Any, channel: str, steps: Any = steps, turn: Any = turn) -> Sent:
            kind, charged, balance = steps[next(turn) % len(steps)]
            if kind == "correct":
                return corrective(channel, charged, balance=balance)
            no_data = Reply(404, {"content-type": "application/json"}, b'{"code":"no_data"}')
            refused = challenge(entry(), "payment_refused")
            return {"sold": SOLD, "lost": LOST, "refuse": refused, "none": no_data}[kind]

        per_call = dice.choice(["0.005", "0.01", "0.012"])
        client, seller = at([reply], caps=Caps(per_call=per_call, total="0.06"), attempts=2)
        for call in range(12):
            before = seller.claimable()
            try:
                client.request(f"{PATH}?call={call % 5}")
            except PerpmeterError:
                pass
            assert seller.claimable() - before <= atomic_of(per_call)
        deposits = {
            json.dumps(one["deposit"]): int(one["deposit"]["amount"]) for one in seller.presented if "deposit" in one
        }
        assert seller.claimable() <= 60_000 and sum(deposits.values()) <= 60_000


@pytest.mark.parametrize(
    "offer",
    [
        entry(amount="5001"),
        entry(payTo="0x" + "d" * 40),
        entry(asset="0x" + "e" * 40),
        entry(network="eip155:84532"),
        entry({"name": "Other Coin"}),
        entry({"receiverAuthorizer": "0x" + "0" * 40}),
        entry({"receiverAuthorizer": None}),
        entry({"withdrawDelay": 2_592_000}),
        entry({"withdrawDelay": 60}),
        entry({"withdrawDelay": "86400"}),
        entry({"withdrawDelay": True}),
        entry({"assetTransferMethod": "permit2"}),
        entry({"depositsClosed": True}),
    ],
)
def test_terms_that_differ_are_paid_by_exact(offer: Any) -> None:
    client, seller = at([lambda *_: SOLD], offers=[offer])
    client.request(PATH)
    assert (seller.kinds(), seller.totals) == (["exact"], [])


def test_a_seller_who_names_another_key_each_time_gets_no_more_deposited_than_is_allowed() -> None:
    offers = [entry({"receiverAuthorizer": "0x" + str(number) * 40}) for number in range(1, 10)]
    channels = Channels(from_call=1, max_deposit_usd="0.05")
    client, seller = at([lambda *_: SOLD], offers=offers, channels=channels)
    for _ in range(9):
        client.request(PATH)
    assert sum(atomic_of(channel.left_usd) for channel in client.channels()) <= 50_000
    assert "exact" in seller.kinds()


def test_a_deposit_without_an_outcome_is_presented_again_by_the_next_call() -> None:
    client, seller = at([lambda *_: LOST, lambda *_: SOLD], attempts=1)
    with pytest.raises(PerpmeterError) as unknown:
        client.request(PATH)
    assert unknown.value.charged is None
    client.request("/v1/other")
    first, second = seller.presented
    assert first["deposit"] == second["deposit"] and seller.totals == [PRICE, PRICE]


def test_a_voucher_that_paid_for_another_path_is_not_presented_again() -> None:
    client, seller = at([lambda *_: SOLD, lambda *_: LOST, lambda *_: SOLD], attempts=1)
    client.request(PATH)
    with pytest.raises(PerpmeterError):
        client.request(PATH)
    client.request("/v1/other")
    client.request(PATH)
    assert (seller.totals, client.spent_usd()) == ([PRICE, 2 * PRICE, 2 * PRICE, 3 * PRICE], "0.015")


def test_a_channel_that_its_payer_is_leaving_is_left_alone() -> None:
    def leaving(_: Any, channel: str) -> Sent:
        state = {"channelId": channel, "chargedCumulativeAmount": "0", "withdrawRequestedAt": 1}
        return challenge(entry({"channelState": state}), MISMATCH)

    client, seller = at([leaving, lambda *_: SOLD])
    client.request(PATH)
    client.request(PATH)
    assert (seller.kinds(), seller.totals) == (["deposit", "exact", "exact"], [PRICE])
    assert [channel.state for channel in client.channels()] == ["open"]


def test_a_channel_that_the_catalog_does_not_list_is_not_opened() -> None:
    class Listing(Seller):
        def once(self, url: str, headers: Mapping[str, str]) -> Sent:
            if "discovery" not in url:
                return super().once(url, headers)
            items = [{"resource": "http://seller.example" + PATH, "accepts": [terms()]}]
            return Reply(200, {}, json.dumps({"items": items}).encode())

    seller = Listing([lambda *_: SOLD], [entry()])
    signer = CallbackSigner("0x" + "a" * 40, seller.sign)
    wallet = Wallet(signer, Caps(per_call="0.01", total="0.2"), channels=FIRST)
    Client("http://seller.example", wallet, http=seller).request(PATH)
    assert (seller.kinds(), seller.totals) == (["exact"], [])


def test_a_deposit_that_is_always_refused_is_signed_once_and_exact_pays() -> None:
    def reply(payload: Any, _: str) -> Sent:
        return challenge(entry(), "payment_would_fail") if payload.get("type") == "deposit" else SOLD

    client, seller = at([reply])
    for _ in range(4):
        client.request(PATH)
    assert seller.kinds().count("deposit") == 1


def test_a_wallet_that_does_not_sign_has_nothing_spent_and_nothing_in_a_channel() -> None:
    def refuse(_: TypedData) -> str:
        raise RuntimeError("the device says no")

    client, seller = at([lambda *_: SOLD], signer=CallbackSigner("0x" + "a" * 40, refuse))
    with pytest.raises(PerpmeterError, match="the device says no"):
        client.request(PATH)
    [channel] = client.channels()
    assert (client.spent_usd(), channel.deposited_usd, seller.presented) == ("0", "0", [])


FULL = OSError("disk is full")
REFUSED = Reply(404, {"content-type": "application/json"}, b'{"code":"no_data","charged":false}')


def test_a_refusal_that_is_trusted_gives_its_amount_back_and_the_next_voucher_counts_it() -> None:
    client, seller = at([lambda *_: REFUSED, lambda *_: SOLD], trust_refusals=True)
    with pytest.raises(PerpmeterError):
        client.request(PATH)
    assert client.spent_usd() == "0"
    client.request(PATH)
    assert (seller.totals, client.spent_usd()) == ([PRICE, PRICE], "0.005")


def failing(monkeypatch: pytest.MonkeyPatch, saves: int, error: Exception = FULL) -> MemoryStore:
    """A store that fails once so many records of channels were saved."""
    store = MemoryStore()
    save, left = store.channels.save, iter(range(saves))

    def saved(record: Any) -> None:
        if next(left, None) is None:
            raise error
        save(record)

    monkeypatch.setattr(store.channels, "save", saved)
    return store


def test_a_voucher_whose_undoing_is_not_stored_stays_counted_by_the_next_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: TypedData) -> str:
        raise RuntimeError("the device says no")

    with monkeypatch.context() as full:
        store = failing(full, 1)
        client, _ = at([lambda *_: SOLD], signer=CallbackSigner("0x" + "a" * 40, refuse), store=store)
        with pytest.raises(PerpmeterError, match="the device says no"):
            client.request(PATH)
        assert client.spent_usd() == "0.005"
    later, seller = at([lambda *_: SOLD], store=store)
    later.request(PATH)
    assert (seller.claimable(), later.spent_usd()) == (PRICE, "0.005")


def test_a_refusal_that_is_not_stored_stays_counted_by_the_next_process(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as full:
        store = failing(full, 1)
        client, _ = at([lambda *_: REFUSED], store=store, trust_refusals=True)
        with pytest.raises(PerpmeterError):
            client.request(PATH)
        assert client.spent_usd() == "0.005"
    later, seller = at([lambda *_: SOLD], store=store)
    later.request(PATH)
    assert (seller.claimable(), later.spent_usd()) == (PRICE, "0.005")


@pytest.mark.parametrize("error", [FULL, RuntimeError("a fault of its own")])
def test_an_answer_that_is_not_stored_is_signed_for_again_by_the_next_process(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    with monkeypatch.context() as full:
        store = failing(full, 1, error)
        client, _ = at([lambda *_: SOLD], store=store)
        client.request(PATH)
    later, seller = at([lambda *_: SOLD], store=store)
    later.request(PATH)
    # Its seller can claim no more by that than it could before.
    assert (seller.totals, later.spent_usd()) == ([PRICE], "0.005")
    later.request(PATH)
    assert (seller.totals, later.spent_usd()) == ([PRICE, 2 * PRICE], "0.01")


def test_a_seller_that_proves_its_charge_to_an_unseen_total_refunds_the_rest() -> None:
    key = PrivateKey("17" * 32)
    transfer = base64.b64encode(b'{"success":true,"amount":"45000","transaction":"0x07"}').decode()

    def reply(payload: Any, channel: str) -> Sent:
        if payload.get("type") != "refund":
            return SOLD
        total = payload["voucher"]["maxClaimableAmount"]
        if total == "50000":
            return Reply(200, {"payment-response": transfer}, b"{}")
        return corrective(channel, 50_000, **({} if total == str(PRICE) else _stranger(channel)))

    client, seller = at([reply], signer=key)
    client.request(PATH)
    closed = client.close_channel(client.channels()[0].id)
    assert closed is not None and (closed.kind, closed.refunded_usd) == ("refunded", "0.045")
    totals = [payload["voucher"]["maxClaimableAmount"] for payload in seller.presented]
    assert totals == ["5000", "5000", "5001", "50000"]


def test_a_refund_above_what_is_claimed_is_not_signed_where_it_cannot_be_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def reply(payload: Any, channel: str) -> Sent:
        return corrective(channel, 50_000) if payload.get("type") == "refund" else SOLD

    store = failing(monkeypatch, 2)
    client, seller = at([reply], store=store)
    client.request(PATH)
    closed = client.close_channel(client.channels()[0].id)
    assert closed is not None and (closed.kind, closed.reason) == ("withdraw", "not stored: disk is full")
    assert seller.totals == [PRICE, PRICE]


def test_a_refund_that_is_refused_names_the_two_transactions_of_the_payer() -> None:
    def reply(payload: Any, _: str) -> Sent:
        is_refund = payload.get("type") == "refund"
        return Reply(402, {}, b'{"error":"refund_not_proven"}') if is_refund else SOLD

    client, _ = at([reply])
    client.request(PATH)
    [channel] = client.channels()
    closed = client.close_channel(channel.id)
    assert closed is not None and (closed.kind, closed.reason) == ("withdraw", "refund_not_proven")
    assert closed.initiate is not None and closed.finalize is not None
    assert (closed.left_usd, closed.delay_seconds) == (channel.left_usd, 86_400)


def test_a_stream_is_bought_by_the_minute_where_a_channel_is_open() -> None:
    client, _ = at([lambda *_: SOLD])
    purse: Purse | None = client._purse
    assert purse is not None and not purse.pays_by_channel()
    client.request(PATH)
    assert purse.pays_by_channel()
