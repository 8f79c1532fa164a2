import { checksumAddress } from './address.ts';
import { PAYMENT_VARY } from './challenge.ts';
import { NETWORKS } from './networks.ts';
import type { PaymentRecord } from './record.ts';
import type { HttpReply, PaywallReply } from './types.ts';

const RECEIPT = 'payment-response';
const V1_RECEIPT = 'x-payment-response';

/** The two receipts, one for each generation: they differ in how they name the network. */
function receipts(
  { network, payer }: PaymentRecord,
  outcome: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const text = `${JSON.stringify(outcome).slice(0, -1)},"payer":"${checksumAddress(payer)}",`;
  // In whole groups of three bytes, the two have the same beginning in base64 as well.
  const beginning = base64(text.padEnd(Math.ceil(text.length / 3) * 3));
  return {
    [RECEIPT]: beginning + networkEnd(network),
    [V1_RECEIPT]: beginning + networkEnd(NETWORKS[network]?.v1Name ?? network),
  };
}

const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');

const networkEnds = new Map<string, string>();

function networkEnd(network: string): string {
  const known = networkEnds.get(network);
  if (known !== undefined) return known;
  const made = base64(`"network":"${network}"}`);
  networkEnds.set(network, made);
  return made;
}

/** Headers of a sold answer but for the receipts, by the headers it was made with: one answer is sold many times. */
const paidHeaders = new WeakMap<HttpReply['headers'], Readonly<Record<string, string>>>();

function headersOfPaid(made: HttpReply['headers']): Readonly<Record<string, string>> {
  const known = paidHeaders.get(made);
  if (known !== undefined) return known;
  const { etag: _, vary, ...headers } = made;
  const paid = {
    ...headers,
    'cache-control': 'private, no-store',
    vary: vary === undefined ? PAYMENT_VARY : `${vary}, ${PAYMENT_VARY}`,
  };
  paidHeaders.set(made, paid);
  return paid;
}

/** The answer that was paid for, with its receipts; private to this buyer, and never from a cache. */
export function paidReply(record: PaymentRecord, answer: HttpReply): PaywallReply {
  const outcome = { success: true, transaction: record.transaction ?? '' };
  return {
    status: answer.status,
    headers: headersOfPaid(answer.headers),
    body: answer.body,
    receipts: receipts(record, outcome),
  };
}

/** A fresh challenge for a payment that failed to settle, with receipts that say so. */
export function refusedReply(record: PaymentRecord, challenge: HttpReply): PaywallReply {
  const outcome = { success: false, errorReason: record.reason ?? '', transaction: record.transaction ?? '' };
  return { ...challenge, receipts: receipts(record, outcome) };
}

const lowered = new WeakMap<HttpReply, HttpReply>();

/** Header names in lower case, so that ours replace those of the answer. The same object for the same answer. */
export function lowerCased(reply: HttpReply): HttpReply {
  const known = lowered.get(reply);
  if (known !== undefined) return known;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(reply.headers)) headers[name.toLowerCase()] = value;
  const made = { ...reply, headers };
  lowered.set(reply, made);
  return made;
}
