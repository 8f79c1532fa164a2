import { checksumAddress } from './address.ts';
import { PAYMENT_VARY } from './challenge.ts';
import { NETWORKS } from './networks.ts';
import type { PaymentRecord } from './record.ts';
import type { GateReply, HttpReply } from './types.ts';

const RECEIPT = 'payment-response';
const V1_RECEIPT = 'x-payment-response';

/** The two receipts, one for each generation. */
function receipts(record: PaymentRecord, outcome: Readonly<Record<string, unknown>>): Record<string, string> {
  const v1Name = NETWORKS[record.network]?.v1Name ?? record.network;
  const encode = (network: string): string => {
    const receipt = { ...outcome, network, payer: checksumAddress(record.payer) };
    return Buffer.from(JSON.stringify(receipt)).toString('base64');
  };
  return { [RECEIPT]: encode(record.network), [V1_RECEIPT]: encode(v1Name) };
}

/** The answer that was paid for, with its receipts; private to this buyer, and never from a cache. */
export function paidReply(record: PaymentRecord, answer: HttpReply): HttpReply {
  const { etag: _, vary, ...headers } = answer.headers;
  return {
    status: answer.status,
    headers: {
      ...headers,
      'cache-control': 'private, no-store',
      vary: vary === undefined ? PAYMENT_VARY : `${vary}, ${PAYMENT_VARY}`,
      ...receipts(record, { success: true, transaction: record.transaction ?? '' }),
    },
    body: answer.body,
  };
}

/** A fresh challenge for a payment that failed to settle, with receipts that say so. */
export function refusedReply(record: PaymentRecord, challenge: HttpReply): GateReply {
  const outcome = { success: false, errorReason: record.reason ?? '', transaction: record.transaction ?? '' };
  return { ...challenge, headers: { ...challenge.headers, ...receipts(record, outcome) } };
}

/** Header names in lower case, so that ours replace those of the answer. */
export function lowerCased(reply: HttpReply): HttpReply {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(reply.headers)) headers[name.toLowerCase()] = value;
  return { ...reply, headers };
}
