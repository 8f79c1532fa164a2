"""Replies without an answer, as errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ._facts import ERRORS
from ._http import Broken, Reply, Sent
from .errors import Charged, PerpmeterError

_UNKNOWN = "It is not known whether the payment was taken."
_AGAIN = "The same call presents the same payment again."
GIVEN_UP_SECONDS = 3_600
"""The service asks for so long a wait where it does not look for the outcome any more; else for a few seconds."""


def json_in(reply: Reply) -> Mapping[str, Any]:
    """A body as a JSON object; empty where it is none."""
    try:
        read = json.loads(reply.body)
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def service_error_of(reply: Reply) -> PerpmeterError | None:
    """A problem of the service; None for what anybody else says, and for codes of later versions."""
    said = json_in(reply)
    code = said.get("code")
    status, charged, remedy = ERRORS.get(code, (0, None, "")) if isinstance(code, str) else (0, None, "")
    if status != reply.status:
        return None
    return PerpmeterError(
        str(code),
        str(said.get("detail", "")),
        charged=charged,
        remedy=remedy,
        status=status,
        retry_after_seconds=reply.retry_after(),
        problem=said,
    )


def unpaid_error_of(sent: Sent) -> PerpmeterError:
    """The error of a request without a payment that got no answer."""
    if isinstance(sent, Broken):
        return PerpmeterError("unreachable", f"The service cannot be reached: {sent.cause}", remedy="Try again.")
    if 300 <= sent.status < 400:
        detail = "The service points to another address, which is not followed."
        return PerpmeterError("redirected", detail, status=sent.status, remedy="Ask at that address if you trust it.")
    known = service_error_of(sent)
    if known is not None:
        return known
    return PerpmeterError(
        "unreadable", f"Status {sent.status} without a problem of this interface.", status=sent.status
    )


def unknown_outcome(sent: Sent) -> PerpmeterError:
    """The error of a payment that may have moved money."""
    if isinstance(sent, Broken):
        said = f"The connection broke before the answer came: {sent.cause}."
        return PerpmeterError("outcome_unknown", f"{said} {_UNKNOWN}", charged=None, remedy=_AGAIN)
    known = service_error_of(sent)
    if known is not None and known.charged is None:
        return known
    code = "redirected" if 300 <= sent.status < 400 else "outcome_unknown"
    said = str(json_in(sent).get("detail", f"Status {sent.status}."))
    return PerpmeterError(code, f"{said} {_UNKNOWN}", charged=None, remedy=_AGAIN, status=sent.status)


def refusal_of(reply: Reply, *, was_open: bool, is_expired: bool) -> PerpmeterError | None:
    """
    A payment that is not taken, or was before and has no answer any more, or of which the service has given up to find out;
    None where the reply says something else.

    :param was_open: an earlier attempt may have been taken
    :param is_expired: nobody can use it any more
    """
    said = json_in(reply)
    code = said.get("code")
    if was_open and reply.status == 409 and code == "already_paid":
        return _refused("already_paid", said, reply, None)
    if is_expired and code == "settlement_unknown" and (reply.retry_after() or 0) >= GIVEN_UP_SECONDS:
        return _refused("settlement_unknown", said, reply, None)
    if "payment-required" not in reply.headers and reply.status != 402:
        return None
    error = said.get("error")
    reason = error if isinstance(error, str) else "not_said"
    # An authorization that is known as used was perhaps used by an attempt whose answer was lost.
    is_known = reason in UNCHARGED or (not was_open and reason != "authorization_used")
    return _refused(reason, said, reply, False if is_known else None)


UNCHARGED = frozenset({"authorization_unused", "authorization_cancelled"})
"""Said of a payment that was on its way: nothing was charged for it."""


def _refused(reason: str, said: Mapping[str, Any], reply: Reply, charged: Charged) -> PerpmeterError:
    detail = f"The seller did not take the payment ({reason}): {said.get('detail', reason)}"
    return PerpmeterError("payment_refused", detail, charged=charged, status=reply.status, problem=said)


def is_payment_retryable(sent: Sent) -> bool:
    """True if the same payment may fare better in a moment."""
    if isinstance(sent, Broken):
        return True
    return sent.status == 429 or sent.status >= 500 or json_in(sent).get("code") == "payment_in_flight"
