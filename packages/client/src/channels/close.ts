import { base64Json } from '../base64.ts';
import { readChallenge } from '../challenge.ts';
import type { Http } from '../http.ts';
import { paymentHeader, type Signer } from '../payment.ts';
import { isPaymentRetryable, jsonOf } from '../problems.ts';
import type { Reply } from '../result.ts';
import { most, usdOf } from '../usd.ts';
import type { ChannelBook } from './book.ts';
import { type ChannelRecord, unspentOf } from './channel.ts';
import { claimedIn, provenTotal } from './correction.ts';
import { entryFor } from './offers.ts';
import type { ChannelOptions, ClosedChannel } from './options.ts';
import { afterCorrection, afterRefund } from './plan.ts';
import { decimalOf } from './terms.ts';
import { voucherSigner } from './voucher-key.ts';
import { refundPayload } from './vouchers.ts';
import { withdrawCalls } from './withdraw.ts';

export interface CloseOptions {
  readonly http: Http;
  readonly baseUrl: string;
  readonly signer: Signer;
  readonly channels: Pick<ChannelOptions, 'voucherKey'>;
  readonly book: ChannelBook;
  readonly now: () => number;
}

/** Times that one request for a refund is presented. */
const ATTEMPTS = 6;
/**
 * Above a total that was claimed, and that anybody can therefore present, atomic units: a seller proves what it has charged to the
 * signer of a total that nobody has seen. It is the least that can be signed.
 */
const UNSEEN = 1n;

/** The answer to a request for a refund, or the reason for which there is none. */
type Asked = { readonly reply: Reply } | { readonly reason: string };

/** Asks the seller for the rest of a channel; where it does not give it, says how the payer withdraws it. Never rejects. */
export async function closeChannel(options: CloseOptions, id: string): Promise<ClosedChannel | undefined> {
  const { book } = options;
  const leave = await book.enter(id);
  try {
    const record = book.get(id);
    if (record === undefined) return undefined;
    return unspentOf(record) === 0n ? { kind: 'empty', id } : await refunded(options, record);
  } finally {
    leave();
  }
}

async function refunded(
  options: CloseOptions,
  record: ChannelRecord,
  tried?: 'corrected' | 'above',
): Promise<ClosedChannel> {
  const { book, now } = options;
  const asked = await askRefund(options, record, tried === 'above' ? UNSEEN : 0n);
  if ('reason' in asked) return withdrawal(record, asked.reason);
  const { reply } = asked;
  const said = base64Json(reply.headers.get('payment-response'));
  if (reply.status >= 200 && reply.status < 300 && isSuccess(said)) {
    const left = unspentOf(record);
    const refunded = decimalOf(said.amount) ?? left;
    await book.change(record.id, () => afterRefund(record, refunded, now())).catch(() => {});
    const transaction = String(said.transaction ?? '');
    return { kind: 'refunded', id: record.id, refundedUsd: usdOf(refunded), transaction };
  }
  const seller = tried === 'corrected' ? undefined : claimedIn(reply, record.id);
  const proven = seller && (await provenTotal(record, seller, async () => undefined));
  if (seller !== undefined && proven !== undefined) {
    const fault = await stored(book, record, (known) => afterCorrection(known, seller, proven));
    if (fault !== undefined) return withdrawal(record, fault);
    return refunded(options, book.get(record.id) ?? record, 'corrected');
  }
  if (seller !== undefined && tried === undefined && record.isDisputed !== true) {
    const signed = BigInt(record.charged) + UNSEEN;
    const fault = await stored(book, record, (known) => ({
      signed: most(BigInt(known.signed), signed).toString(),
    }));
    if (fault !== undefined) return withdrawal(record, fault);
    return refunded(options, book.get(record.id) ?? record, 'above');
  }
  const { error, detail, code } = jsonOf(reply);
  return withdrawal(record, String(error ?? detail ?? code ?? `status ${reply.status}`));
}

/** Stores a change before something is signed by it. @returns why it could not; undefined where it is stored */
async function stored(
  book: ChannelBook,
  { id }: ChannelRecord,
  changed: Parameters<ChannelBook['change']>[1],
) {
  try {
    await book.change(id, changed);
    return undefined;
  } catch (cause) {
    return `not stored: ${String(cause)}`;
  }
}

async function askRefund(options: CloseOptions, record: ChannelRecord, above: bigint): Promise<Asked> {
  const { http, baseUrl } = options;
  const url = new URL(record.path, baseUrl);
  if (url.origin !== record.origin) return { reason: `it pays at ${record.origin}` };
  const unpaid = await http.get(url, undefined);
  if (unpaid.code !== 'replied') return { reason: unpaid.code };
  const challenge = readChallenge(unpaid.reply.headers);
  const { network, config } = record;
  const entry = challenge && entryFor(challenge, { network, token: config.token });
  if (challenge === undefined || entry === undefined)
    return { reason: 'the seller offers no channels any more' };
  try {
    const key = await voucherSigner(options, record.config);
    const payload = await refundPayload(key, record, entry, BigInt(record.charged) + above);
    const signed = { requirement: entry, payload, expiresAt: undefined };
    const headers = { 'PAYMENT-SIGNATURE': paymentHeader(signed, challenge) };
    for (let attempt = 1; ; attempt++) {
      const sent = await http.once(url, headers, undefined);
      const isOver = attempt >= ATTEMPTS || !isPaymentRetryable(sent);
      if (!isOver && (await http.pause(attempt, sent, undefined))) continue;
      return sent.code === 'replied' ? sent : { reason: sent.code };
    }
  } catch (cause) {
    return { reason: `not signed: ${String(cause)}` };
  }
}

const isSuccess = (
  said: unknown,
): said is { readonly success: true; readonly transaction?: unknown; readonly amount?: unknown } =>
  typeof said === 'object' && said !== null && 'success' in said && said.success === true;

/** The transactions by which a payer takes its money back without the seller. */
function withdrawal(record: ChannelRecord, reason: string): ClosedChannel {
  const { id, config } = record;
  const left = unspentOf(record);
  return {
    kind: 'withdraw',
    id,
    reason,
    leftUsd: usdOf(left),
    ...withdrawCalls(config, left),
    delaySeconds: config.withdrawDelay,
  };
}
