import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import type { Service } from '../../src/host/options.ts';
import { operatorEarnings } from '../../src/modules/accounting/earnings.ts';
import type {
  OperatorFailures,
  OperatorLedger,
  OperatorStory,
} from '../../src/modules/accounting/schemas/ledger.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import type { SaleReceipts } from '../../src/pay/sale.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { DAY_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { type FakeClock, fakeClock } from '../pay/fakes.ts';
import { ANSWER, claimOf, keyOf } from '../pay/ledger-claims.ts';
import { type OperatorServer, startOperatorServer, TOKEN } from './operator-server.ts';
import { scratchFolder } from './run-cli.ts';

const CLAIM = claimOf('many');
const NOW = asMs(Date.UTC(2026, 10, 20, 12));
const COSTS = [
  { scheme: 'exact', network: 'eip155:8453', transactions: 1, sales: 1, atomic: 1000, gap: undefined },
];

/** A sale a minute, back to the beginning of time. */
const manyPayments: Ledger['list'] = ({ before = NOW, limit }) => {
  const first = Math.ceil(before / MINUTE_MS) - 1;
  return Array.from({ length: limit }, (_, i): PaymentRecord => {
    const claimedAt = asMs((first - i) * MINUTE_MS);
    const claim = { ...CLAIM, key: String(claimedAt), claimedAt, settledAt: claimedAt, state: 'delivered' };
    return claim as unknown as PaymentRecord;
  });
};

const BODY = createHash('sha256').update(ANSWER.body).digest('base64url');
const RECEIPT = ['{}', JSON.stringify({ body_sha256: BODY, json_sha256: null })]
  .map((part) => Buffer.from(part).toString('base64url'))
  .concat('made')
  .join('.');

let operator: OperatorServer;
let ledger: Ledger;
let clock: FakeClock;

async function read<Body>(path: string, status = 200): Promise<Body> {
  const response = await fetch(`http://127.0.0.1:${operator.port}${path}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  expect(response.status, path).toBe(status);
  return (await response.json()) as Body;
}

async function stored(name: string, change: Parameters<Ledger['change']>[1]): Promise<PaymentRecord> {
  const claim = await ledger.claim({ ...claimOf(name) });
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const asked = { state: 'settling', facilitator: 'https://first.test', settlingAt: clock.now() } as const;
  const record = await ledger.hold(claim.record, { ...asked, dueAt: clock.now() }, ANSWER);
  if (record === undefined || record === 'full') throw new Error(`not held: ${record}`);
  clock.advance(1000);
  const changed = await ledger.change(record, change);
  if (changed === undefined) throw new Error('not changed');
  return changed;
}

beforeAll(async () => {
  clock = fakeClock();
  const store = openLmdbStore(join(scratchFolder(), 'ledger'), { formats: FORMATS });
  ledger = new Ledger({ store, clock, owner: 'me' });
  const payments = { ledger, counters: [] } as unknown as Service['payments'];
  operator = await startOperatorServer({ allowsActions: false, payments });
  for (const name of ['one', 'two', 'three']) {
    await stored(name, { state: 'refused', reason: 'insufficient_funds', closedAt: clock.now() });
  }
  await stored('lost', { state: 'unknown', reason: 'timeout' });
  const claim = await stored('sold', { reason: undefined });
  const settled = {
    state: 'settled',
    settledAt: clock.now(),
    transaction: '0xTRANSACTION',
    proof: 'rpc',
  } as const;
  await ledger.change(claim, settled, { receipts: { official: 'a.b.c', answer: RECEIPT } });
});
afterAll(async () => {
  await operator?.close();
  await ledger?.close();
});

it('a search by transaction, state or page: what matches', async () => {
  const sold = await read<OperatorLedger>('/operator/ledger?transaction=0xtrans');
  expect(sold.payments).toMatchObject([{ key: keyOf('sold'), state: 'settled', scheme: 'exact' }]);
  const first = await read<OperatorLedger>('/operator/ledger?state=refused&limit=2');
  expect(first).toMatchObject({ payments: [{ key: keyOf('three') }, { key: keyOf('two') }], cut: false });
  const second = await read<OperatorLedger>(`/operator/ledger?state=refused&limit=2&after=${first.next}`);
  expect(second).toMatchObject({ payments: [{ key: keyOf('one') }], next: null });
});

it.each(['state=paid', 'limit=0', 'limit=501', 'after=x', 'since=yesterday', 'until=2026-13-45'])(
  'a search that makes no sense (%s): 400, with what is wanted',
  async (query) => {
    const { detail } = await read<{ detail: string }>(`/operator/ledger?${query}`, 400);
    expect(detail).toContain(query.split('=')[0]);
  },
);

it('one payment: its steps in order, the hash of its answer, its receipts', async () => {
  const { found } = await read<OperatorStory>(`/operator/ledger/payment?key=${keyOf('sold')}`);
  expect(found).toMatchObject({
    facilitator: 'https://first.test',
    answer: { sha256: BODY, bytes: ANSWER.body.length },
    receipts: { official: 'a.b.c', answer: RECEIPT },
  });
  expect(found?.steps.map(({ step, said }) => [step, said])).toEqual([
    ['presented', '0.005 USD for perp-basis'],
    ['asked', 'https://first.test'],
    ['settled', '0xTRANSACTION, seen on the chain'],
  ]);
  expect(JSON.stringify(found)).not.toContain('signature');
  expect(await read<OperatorStory>('/operator/ledger/payment?key=none')).toEqual({ found: null });
});

it('why payments failed: by state and reason, with what it means', async () => {
  const { payments, looked, complete } = await read<OperatorFailures>('/operator/ledger/failures');
  expect([looked, complete]).toEqual([5, true]);
  expect(payments).toMatchObject([
    { state: 'unknown', reason: 'timeout', payments: 1, usd: '0.005' },
    { state: 'refused', reason: 'insufficient_funds', payments: 3, usd: '0.015', payers: 1 },
  ]);
});

it('earnings: by day, route, way and payer; new and returning payers', async () => {
  const earned = await operatorEarnings(
    { payments: { ledger } as unknown as Service['payments'], callCosts: () => COSTS },
    asMs(clock.now()),
  );
  const once = { payments: 1, usd: '0.005', margin_usd: 0.004 };
  expect(earned).toMatchObject({
    looked: 5,
    cut: false,
    total: once,
    days: [{ ...once, new_payers: 1, returning_payers: 0 }],
    routes: [{ route: 'perp-basis', ...once }],
    ways: [{ scheme: 'exact', network: 'eip155:8453', ...once }],
    payers: [{ ...once, is_new: true }],
    payers_total: 1,
    this_week: { ...once, payers: 1 },
    last_week: { payments: 0, usd: '0', payers: 0 },
  });
});

it('earnings of a longer past: returning payers, weeks apart', async () => {
  const at = (days: number, payer: string): PaymentRecord =>
    ({
      ...claimOf(`${payer}${days}`),
      payer,
      state: 'delivered',
      claimedAt: asMs(NOW - days * DAY_MS),
      settledAt: asMs(NOW - days * DAY_MS),
    }) as unknown as PaymentRecord;
  const records = [at(0.5, '0xb'), at(1, '0xa'), at(8, '0xa'), at(8, '0xa'), at(20, '0xc')];
  const list = async () => records;
  const payments = { ledger: { list } } as unknown as Service['payments'];
  const earned = await operatorEarnings({ payments, callCosts: () => [] }, NOW);
  expect(earned.this_week).toMatchObject({ payments: 2, usd: '0.01', payers: 2, margin_usd: null });
  expect(earned.last_week).toMatchObject({ payments: 2, payers: 1 });
  expect(earned.days.map((day) => [day.new_payers, day.returning_payers])).toEqual([
    [1, 0],
    [1, 0],
    [0, 1],
    [1, 0],
  ]);
  expect(earned.payers[0]).toMatchObject({ payer: '0xa', payments: 3, is_new: false });
  expect(earned.payers.find(({ payer }) => payer === '0xb')).toMatchObject({ is_new: true });
});

it('more payments than are looked through: cut, a partial week unknown', async () => {
  const payments = { ledger: { list: manyPayments } } as unknown as Service['payments'];
  const earned = await operatorEarnings({ payments, callCosts: () => [] }, NOW);
  expect(earned).toMatchObject({ looked: 20_000, cut: true, last_week: null });
  expect(earned.this_week).toMatchObject({ payments: 10_079 });
});

/** Sells and delivers as this build does, or without receipts as one did that let them go. */
async function deliver(name: string, receipts: SaleReceipts | undefined): Promise<void> {
  const settled = { state: 'settled', settledAt: clock.now(), proof: 'rpc' } as const;
  const sale = await ledger.change(await stored(name, {}), settled, { receipts });
  if (sale === undefined || !(await ledger.arrived(sale))) throw new Error('not delivered');
}

it('a delivered payment: the hash of what was sold, and its receipts', async () => {
  await deliver('arrived', { official: 'a.b.c', answer: RECEIPT });
  const { found } = await read<OperatorStory>(`/operator/ledger/payment?key=${keyOf('arrived')}`);
  const leaf = createHash('sha256').update(`\0${RECEIPT}`).digest('hex');
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  expect(found).toMatchObject({
    payment: { state: 'delivered' },
    answer: null,
    receipts: { official: 'a.b.c', answer: RECEIPT },
    sold: { body_sha256: BODY, json_sha256: null, day, leaf, proof: `/v1/receipts/proof/${day}/${leaf}` },
    receipts_gap: null,
  });
});

it.each([
  ['old', 'not_kept'],
  ['one', 'not_sold'],
])('a payment without receipts (%s): the reason', async (name, gap) => {
  if (name === 'old') await deliver(name, undefined);
  const { found } = await read<OperatorStory>(`/operator/ledger/payment?key=${keyOf(name)}`);
  expect(found).toMatchObject({ receipts: null, sold: null, receipts_gap: gap });
});
