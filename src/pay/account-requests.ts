import { StoreUnreachable } from '../storage/remote-state.ts';
import type { RequestAboutAccount } from './paid-request.ts';
import type { PaywallParts } from './paywall-context.ts';
import {
  accountReply,
  inFlight,
  noLedger,
  rejectPayment,
  settlementUnknown,
  tooMany,
  unavailable,
} from './replies.ts';
import type { AccountOutcome } from './scheme.ts';
import type { PaywallReply } from './types.ts';

/** The answer to a request about a payer's account. Never rejects. */
export async function answerAccountRequest(
  parts: PaywallParts,
  request: RequestAboutAccount,
): Promise<PaywallReply> {
  const wait = parts.limits.wrong.waitSeconds(request.address);
  if (wait > 0) return tooMany(parts, request, 'wrong', wait);
  try {
    return replyTo(parts, request, await request.make());
  } catch (cause) {
    parts.onError(cause);
    const isUnasked = cause instanceof StoreUnreachable && !cause.isInDoubt;
    return isUnasked ? noLedger(parts, request) : settlementUnknown(parts, request);
  }
}

function replyTo(parts: PaywallParts, request: RequestAboutAccount, outcome: AccountOutcome): PaywallReply {
  switch (outcome.kind) {
    case 'done':
      return accountReply(request.seller, outcome);
    case 'rejected':
      return rejectPayment(parts, request, outcome.reason);
    case 'corrected':
      parts.limits.wrong.take(request.address);
      return parts.challenges.corrected(request.route, outcome.correction, request.path);
    case 'busy':
      return inFlight(parts, request);
    case 'unavailable':
      return unavailable(parts, request, outcome.reason);
    case 'unclear':
      return settlementUnknown(parts, request);
  }
}
