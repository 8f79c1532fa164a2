import { sha256 } from '../../domain/canonical-json.ts';
import { iso } from '../../domain/clock.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { Service } from '../../host/options.ts';
import type { Ledger } from '../../pay/ledger.ts';
import { isPaid, type PaymentRecord } from '../../pay/record.ts';
import type { SaleReceipts } from '../../pay/sale.ts';

import { DAY_MS } from '../../runtime/duration.ts';
import { listedPayment } from './ledger.ts';
import type { OperatorStory, PaymentStory, SoldBody, StoryStep } from './schemas/ledger.ts';
import { shownResource } from './shown-resource.ts';
import { soldAnswer } from './sold-answer.ts';

const KEY = /^[0-9a-f]{40}$/;

/**
 * All that the ledger knows of one payment: its steps, its answer while that is held, its receipts and the hash of what was
 * sold.
 * @param key as `operatorLedger` lists it
 */
export async function operatorStory(
  { payments: { ledger } }: Pick<Service, 'payments'>,
  key: string,
): Promise<OperatorStory> {
  if (ledger === undefined || !KEY.test(key)) return { found: null };
  const record = await ledger.get(key);
  return { found: record === undefined ? null : await storyOf(ledger, record) };
}

async function storyOf(ledger: Ledger, record: PaymentRecord): Promise<PaymentStory> {
  const [answer, receipts] = await Promise.all([ledger.answer(record), ledger.receipts(record)]);
  return {
    payment: listedPayment(record),
    resource: shownResource(record.resource),
    facilitator: record.facilitator ?? null,
    attempts: record.attempts,
    has_identifier: record.paymentIdHash !== undefined,
    steps: stepsOf(record),
    answer:
      answer === undefined
        ? null
        : {
            sha256: sha256(answer.body),
            bytes: answer.body.length,
            type: answer.headers['content-type'] ?? null,
            until: record.answerUntil === undefined ? null : iso(record.answerUntil),
          },
    receipts: receipts ?? null,
    sold: receipts === undefined ? null : soldBody(record, receipts),
    receipts_gap: receipts === undefined ? (isPaid(record) ? 'not_kept' : 'not_sold') : null,
  };
}

function soldBody(record: PaymentRecord, receipts: SaleReceipts): SoldBody | null {
  const sold = soldAnswer(record, receipts);
  if (sold === undefined) return null;
  const day = iso(asMs(sold.day * DAY_MS)).slice(0, 10);
  return {
    body_sha256: sold.bodySha256,
    json_sha256: sold.jsonSha256 ?? null,
    day,
    leaf: sold.leaf,
    proof: `/v1/receipts/proof/${day}/${sold.leaf}`,
    keys: '/.well-known/did.json',
  };
}

/** The steps in the order of their times, those that are to come among them. */
export function stepsOf(record: PaymentRecord): StoryStep[] {
  const { reason, facilitator, transaction, proof } = record;
  const step = (at: UnixMs | undefined, name: StoryStep['step'], said?: string): readonly StoryStep[] =>
    at === undefined ? [] : [{ at: iso(at), step: name, said: said ?? null }];
  const money = `${transaction || 'no transaction'}, ${proof === 'rpc' ? 'seen on the chain' : 'said by the facilitator'}`;
  const isOver = record.settledAt !== undefined || record.closedAt !== undefined;
  return [
    ...step(record.claimedAt, 'presented', `${record.usd} USD for ${record.routeId}`),
    ...step(record.settlingAt, 'asked', facilitator),
    ...step(record.settledAt, 'settled', money),
    ...step(record.deliveredAt, 'delivered'),
    ...step(record.closedAt, record.state === 'unknown' ? 'given_up' : 'refused', reason),
    ...(isOver ? [] : step(record.dueAt, 'next_look', reason)),
    ...(isOver ? [] : step(record.overAt, 'over')),
  ].sort((a, b) => a.at.localeCompare(b.at));
}
