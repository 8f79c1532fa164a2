import { retryAfterOf, type Sent } from './http.ts';
import type { ClientProblem, Problem, Reply, ServiceProblem } from './result.ts';
import { ERRORS } from './route-facts.ts';

type Json = Readonly<Record<string, unknown>>;

/** A body as a JSON object; empty where it is none. */
export function jsonOf({ body }: Reply): Json {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof json === 'object' && json !== null ? { ...json } : {};
  } catch {
    return {};
  }
}

/** A problem document of the service; undefined for what anybody else says, and for codes of later versions. */
export function serviceProblemOf(reply: Reply): ServiceProblem | undefined {
  const {
    code,
    detail,
    errors = [],
    candidates = [],
    instead,
    transaction = null,
    paid_at = null,
  } = jsonOf(reply);
  if (typeof code !== 'string' || !Object.hasOwn(ERRORS, code)) return undefined;
  const known = ERRORS[code as keyof typeof ERRORS];
  if (known.status !== reply.status) return undefined;
  const seconds = retryAfterOf(reply.headers);
  // The route table states which fields a code has; their values are taken from the service as they are.
  const fields = { errors, candidates, ...(typeof instead === 'string' && { instead }) };
  return {
    ...known,
    ...fields,
    ...(code === 'already_paid' && { transaction, paid_at }),
    code,
    detail: String(detail ?? ''),
    reply,
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  } as ServiceProblem;
}

const DETAILS = {
  unreachable: 'The service cannot be reached.',
  aborted: 'The call was ended by its signal.',
  redirected: 'The service points to another address, which is not followed.',
} as const;

/** The message of an exception; of one with a cause, the cause's message. */
export function reasonOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return String(cause);
  if ('cause' in cause && cause.cause !== undefined) return reasonOf(cause.cause);
  return 'message' in cause ? String(cause.message) : String(cause);
}

/** The problem of a payment that was not signed. */
export const notSigned = (cause: unknown): Problem => ({
  code: 'not_signed',
  charged: false,
  cause,
  detail: `Not signed: ${reasonOf(cause)}`,
});

/** The problem of a request without a payment that got no answer. */
export function problemOf(sent: Exclude<Sent, { code: 'replied' }> | Reply): Problem {
  if (!('code' in sent)) {
    const known = serviceProblemOf(sent);
    if (known !== undefined) return known;
    const detail = `Status ${sent.status} without a problem document of this interface.`;
    return { code: 'unreadable', charged: false, detail, reply: sent };
  }
  const why = sent.code === 'unreachable' ? ` ${reasonOf(sent.cause)}` : '';
  return { ...sent, charged: false, detail: DETAILS[sent.code] + why };
}

/** The end of a payment that may have moved money. */
export function unknownOutcome(sent: Sent): Problem {
  if (sent.code === 'replied') {
    const known = serviceProblemOf(sent.reply);
    if (known?.charged === null) return known;
  }
  const detail =
    'It is not known whether the payment was taken: the same call of this client presents it again.';
  if (sent.code === 'aborted' || sent.code === 'redirected') {
    return { ...sent, charged: null, detail: `${DETAILS[sent.code]} ${detail}` };
  }
  const { code: _, ...behind } = sent;
  const said =
    sent.code === 'replied' ? jsonOf(sent.reply).detail : 'The connection broke before the answer came.';
  return { code: 'outcome_unknown', charged: null, detail: `${said ?? ''} ${detail}`.trim(), ...behind };
}

export type Refusal = Extract<ClientProblem, { code: 'payment_refused' }>;

/** The state of a payment that is presented, as far as it is known here. */
export interface Presented {
  /** An earlier attempt may have been taken. */
  readonly wasOpen: boolean;
  /** Nobody can use it any more. */
  readonly isExpired: boolean;
}

/**
 * A payment that is not taken, or was before and has no answer any more, or of which the service has given up to
 * find out; undefined where the reply says something else.
 */
export function refusalOf(reply: Reply, { wasOpen, isExpired }: Presented): Refusal | undefined {
  const ended = (wasOpen ? alreadyPaidOf(reply) : undefined) ?? (isExpired ? givenUpOf(reply) : undefined);
  if (ended !== undefined) return ended;
  if (!reply.headers.has('payment-required') && reply.status !== 402) return undefined;
  const { error, detail } = jsonOf(reply);
  const reason = typeof error === 'string' ? error : 'not_said';
  // An authorization that is known as used was perhaps used by an attempt whose answer was lost.
  const charged = reason === 'authorization_used' ? null : false;
  return { code: 'payment_refused', charged, reason, detail: String(detail ?? reason), reply };
}

/** A payment that was taken by an attempt whose answer was lost, too long ago for the answer to be kept. */
function alreadyPaidOf(reply: Reply): Refusal | undefined {
  const { code, detail } = jsonOf(reply);
  if (reply.status !== 409 || code !== 'already_paid') return undefined;
  return { code: 'payment_refused', charged: null, reason: code, detail: String(detail ?? code), reply };
}

/** The service asks for so long a wait where it does not look for the outcome any more; else for a few seconds. */
const GIVEN_UP_SECONDS = 3_600;

/** A payment whose outcome nobody will find out: to present it once more can bring no answer. */
function givenUpOf(reply: Reply): Refusal | undefined {
  const { code, detail } = jsonOf(reply);
  if (code !== 'settlement_unknown' || (retryAfterOf(reply.headers) ?? 0) < GIVEN_UP_SECONDS)
    return undefined;
  return { code: 'payment_refused', charged: null, reason: code, detail: String(detail ?? code), reply };
}

/** True if the same payment may fare better in a moment. */
export function isPaymentRetryable(sent: Sent): boolean {
  if (sent.code === 'unreachable') return true;
  if (sent.code !== 'replied') return false;
  const { status } = sent.reply;
  return status === 429 || status >= 500 || serviceProblemOf(sent.reply)?.code === 'payment_in_flight';
}
