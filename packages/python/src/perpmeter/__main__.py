"""The command: `python -m perpmeter buy /v1/funding/current?symbol=BTC`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl

from . import receipts
from ._challenge import challenge_of
from ._http import Http, Reply
from ._wallet import Wallet
from .amounts import atomic_of, usd_of
from .caps import Caps
from .channels import Channels
from .client import Client
from .demo import DEMO_FILE, NoDemo, demo_client
from .errors import PerpmeterError
from .signers import PrivateKey, UnusableKey
from .store import FileStore, StoreInUse

KEY, ADDRESS = "PERPMETER_BUYER_KEY", "PERPMETER_URL"
MISUSED, FAILED, INTERRUPTED = 2, 1, 130


class Misuse(Exception):
    """The command cannot be carried out as it is given."""


def _addressed(command: argparse.ArgumentParser) -> None:
    command.add_argument("--url", help=f"address of the service; default {ADDRESS}, else the demo's in {DEMO_FILE}")


def _paying(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--key-file", help=f"file with the private key, mode 0600; default the variable {KEY}, else the demo's"
    )
    command.add_argument("--max", default="0.05", metavar="USD", help="most that one payment may cost; default 0.05")
    command.add_argument(
        "--total", default="5", metavar="USD", help="most that may be spent as long as --store reaches back; default 5"
    )
    command.add_argument(
        "--store",
        metavar="FILE",
        help="remember payments here: caps hold over runs, and a lost answer is asked for again",
    )
    command.add_argument(
        "--channel", action="store_true", help="pay by a payment channel, and open one where there is none"
    )
    command.add_argument(
        "--max-deposit-usd", default="0.10", metavar="USD", help="most that may lie unspent in channels; default 0.10"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="perpmeter", description="Buys market data of perpetual futures from a Perpmeter."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    buy = commands.add_parser("buy", help="buy an answer, and write it out")
    price = commands.add_parser("price", help="say what an answer costs; signs nothing")
    for command in (buy, price):
        command.add_argument("path", help="path and query, such as /v1/funding/current?symbol=BTC")
    buy.add_argument("--id", help="your own name of this purchase: it is charged once in 24 hours")
    buy.add_argument("--out", metavar="FILE", help="write the answer here, as it came")
    buy.add_argument("--receipt", metavar="FILE", help="write the receipt of the answer here")
    follow = commands.add_parser("follow", help="follow a paid stream, an event a line, and buy its minutes")
    follow.add_argument("selection", help="such as topics=touches&symbol=BTC,ETH; see /v1/stream/minute")
    follow.add_argument("--max-usd", required=True, metavar="USD", help="most that this stream may cost")
    buy.add_argument("--times", type=int, default=1, help="so many equal purchases; the last answer is written")
    channels = commands.add_parser(
        "channels", help="list the payment channels of --store, or close one: its rest comes back"
    )
    channels.add_argument("--close", metavar="ID", help="the channel, or the beginning of its id")
    for command in (buy, price, follow, channels):
        _addressed(command)
    for command in (buy, follow, channels):
        _paying(command)
    verify = commands.add_parser("verify", help="check an answer against its receipt; uses no network")
    verify.add_argument("answer", help="the answer as it came")
    verify.add_argument("receipt", help="its receipt, as buy writes it")
    verify.add_argument("--keys", required=True, help="the seller's /.well-known/did.json")
    verify.add_argument("--request", help="path and query that must have been asked for")
    return parser


def _demo_address() -> str | None:
    try:
        return str(json.loads(Path(DEMO_FILE).read_bytes())["base_url"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _address(given: str | None) -> str:
    address = given or os.environ.get(ADDRESS) or _demo_address()
    if address is None:
        raise Misuse(f"no service: give --url or {ADDRESS}, or start the demo in this folder")
    return address


def _is_sandbox(address: str) -> bool:
    sent = Http().get(address.rstrip("/") + "/v1/health")
    try:
        payments = json.loads(sent.body)["payments"] if isinstance(sent, Reply) else None
    except (ValueError, KeyError, TypeError):
        payments = None
    if not isinstance(payments, dict):
        raise Misuse(f"{address} does not say its payment mode at /v1/health: is it a Perpmeter that runs?")
    return payments.get("mode") == "sandbox"


def _usd(text: str) -> str:
    try:
        atomic_of(text)
    except ValueError as wrong:
        raise Misuse(str(wrong)) from None
    return text


def _client(args: argparse.Namespace) -> Client:
    """
    A sandbox takes payments that would be valid on the real chain: only the demo's key signs for it, and that key for nothing else.
    """
    if args.channel and args.store is None:
        raise Misuse("a channel needs --store: its file says what is left in it")
    address = _address(args.url)
    channels: Channels | Literal[False] = False
    if args.channel:
        channels = Channels(_usd(args.max_deposit_usd), calls=getattr(args, "times", 0), from_call=1)
    caps = Caps(per_call=_usd(args.max), total=_usd(args.total))
    if _is_sandbox(address):
        if args.key_file is not None:
            raise Misuse(f"this is a sandbox: only the key of {DEMO_FILE} signs for it")
        if address != _demo_address():
            raise Misuse(f"this is a sandbox, and not the one of {DEMO_FILE} in this folder")
        return demo_client(DEMO_FILE, caps, store=_store(args), channels=channels)
    signer = PrivateKey.from_env(KEY) if args.key_file is None else PrivateKey.from_file(args.key_file)
    return Client(address, Wallet(signer, caps, store=_store(args), channels=channels))


def _store(args: argparse.Namespace) -> FileStore | None:
    return None if args.store is None else FileStore(args.store)


def _writable(path: str) -> None:
    """A file that cannot be written is said before anything is paid."""
    place = Path(path)
    if place.is_dir() or not os.access(place if place.exists() else place.parent, os.W_OK):
        raise Misuse(f"{path} cannot be written")


def _buy(args: argparse.Namespace) -> None:
    for path in (args.out, args.receipt):
        if path is not None:
            _writable(path)
    if args.times < 1 or (args.times > 1 and args.id is not None):
        raise Misuse("--times is a whole number from 1 on, without --id above 1: one name is charged once")
    client = _client(args)
    for _ in range(args.times):
        bought = client.request(args.path, payment_id=args.id)
    if args.out is not None:
        Path(args.out).write_bytes(bought.reply.body)
    else:
        sys.stdout.buffer.write(bought.reply.body + b"\n")
    if args.receipt is not None:
        receipt = bought.reply.headers.get("perpmeter-receipt")
        if receipt is None:
            raise Misuse("the answer has no receipt: it was free")
        Path(args.receipt).write_text(json.dumps({"receipt": receipt}) + "\n")
    paid = "" if bought.receipt is None else f", transaction {bought.receipt.get('transaction')}"
    print(f"spent {client.spent_usd()} USD{paid}", file=sys.stderr)


SELECTION = ("topics", "symbol", "venues", "exclude", "quote", "size_usd")


def _selection(text: str) -> dict[str, Any]:
    """The words of a selection by name, as `Client.follow` takes them."""
    asked = dict(parse_qsl(text, keep_blank_values=True))
    unknown = sorted(asked.keys() - set(SELECTION))
    if unknown or not asked:
        said = f"{', '.join(unknown)} is unknown" if unknown else f"{text!r} names nothing"
        raise Misuse(f"{said}: a selection is such as topics=touches&symbol=BTC,ETH, of {', '.join(SELECTION)}")
    size = asked.pop("size_usd", None)
    if size is not None and not (size.isascii() and size.isdigit()):
        raise Misuse(f"size_usd={size} is no whole number of USD")
    words: dict[str, Any] = {name: value.split(",") for name, value in asked.items()}
    return words if size is None else {**words, "size_usd": int(size)}


def _follow(args: argparse.Namespace) -> None:
    selection = _selection(args.selection)
    max_usd = _usd(args.max_usd)
    following = _client(args).follow(max_usd=max_usd, **selection)
    try:
        for event in following:
            print(json.dumps({"event": event.event, "id": event.id, **event.data}), flush=True)
    finally:
        following.close()
        print(f"spent {following.spent_usd()} USD", file=sys.stderr)


def _channels(args: argparse.Namespace) -> None:
    if args.store is None:
        raise Misuse("name the file of payments: --store")
    client = _client(args)
    if args.close is None:
        for one in client.channels():
            print(
                f"{one.id} {one.state} at {one.origin}: {one.spent_usd} spent, {one.left_usd} left of {one.deposited_usd} USD"
            )
        return
    ids = [one.id for one in client.channels() if one.id.startswith(args.close)]
    if len(ids) != 1:
        raise Misuse(f"{len(ids)} channels of {args.store} begin with {args.close}")
    closed = client.close_channel(ids[0])
    print(json.dumps(asdict(closed) if closed is not None else None, indent=2))


def _price(args: argparse.Namespace) -> None:
    sent = Http().get(_address(args.url).rstrip("/") + args.path)
    if not isinstance(sent, Reply):
        raise Misuse(f"the service cannot be reached: {sent.cause}")
    if sent.status != 402:
        print("free" if sent.status < 300 else f"status {sent.status}: {sent.body.decode(errors='replace')}")
        return
    challenge = challenge_of(sent.headers.get("payment-required"))
    for one in challenge.accepts if challenge is not None else ():
        print(f"{usd_of(one.amount)} USD on {one.network}, token {one.asset}, to {one.pay_to}")


def _verify(args: argparse.Namespace) -> None:
    receipt = json.loads(Path(args.receipt).read_text())["receipt"]
    keys = json.loads(Path(args.keys).read_text())
    words = receipts.verify(receipt, Path(args.answer).read_bytes(), keys, request=args.request)
    print(json.dumps(words, indent=2))


COMMANDS = {"buy": _buy, "channels": _channels, "follow": _follow, "price": _price, "verify": _verify}


def main(given: Sequence[str] | None = None) -> int:
    """Runs a command; its exit code."""
    args = _parser().parse_args(given)
    try:
        COMMANDS[args.command](args)
        return 0
    except (Misuse, NoDemo, UnusableKey, StoreInUse) as wrong:
        print(f"perpmeter: {wrong}", file=sys.stderr)
        return MISUSED
    except (PerpmeterError, receipts.WrongReceipt, ValueError, OSError, KeyError) as failed:
        print(f"perpmeter: {failed}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
