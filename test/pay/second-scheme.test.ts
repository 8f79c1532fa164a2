import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isWire, wireArray } from '../../src/domain/read.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import { createRecordJson } from '../../src/pay/record-json.ts';
import { EXACT_FORMAT } from '../../src/pay/schemes/exact/format.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { until } from '../until.ts';
import { type FakeFacilitator, fakeClock, fakeFacilitator } from './fakes.ts';
import { createMemoryStore } from './ledger-memory.ts';
import { type PaidServer, startPaidServer } from './paid-server.ts';
import { sellerAt } from './routes.ts';
import { promise, TAB_FORMAT, type TabScheme, tabScheme } from './tab-scheme.ts';
import { encodeHeader, newAccount, signAuthorization, v2Payload } from './wallet.ts';

const PATH = '/v1/perp/basis?ticker=BTC';
const { payTo } = sellerAt();
const BOTH = [EXACT_FORMAT, TAB_FORMAT];
const GUEST = `0x${'Ab'.repeat(20)}`;
const clock = fakeClock();

let folder: string;
let facilitator: FakeFacilitator;
let tab: TabScheme;
let server: PaidServer;

const openFolder = (formats = BOTH): LedgerStore => openLmdbStore(folder, { formats, clock });

async function open(store: LedgerStore): Promise<void> {
  facilitator = fakeFacilitator();
  tab = tabScheme(sellerAt());
  server = await startPaidServer({ facilitator, payTo, clock, store, schemes: [tab] });
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'schemes-'));
  await open(openFolder());
});
afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const inAMinute = (): number => Math.floor(clock.now() / 1000) + 60;
let promises = 0;
/** A payload that no other is equal to. */
const promised = (amount = '5000') => promise(GUEST, amount, inAMinute() + ++promises);
const headerOf = (payload: unknown, scheme = 'tab'): string =>
  encodeHeader({ x402Version: 2, payload, accepted: { scheme, network: 'eip155:8453' } });

async function get(headers: Record<string, string> = {}) {
  const response = await fetch(server.url + PATH, { headers });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}
const pay = (payload: unknown, more = {}) => get({ 'PAYMENT-SIGNATURE': headerOf(payload), ...more });

async function payExact(more = {}, account = newAccount()) {
  const signed = await signAuthorization(account, server.seller, { value: '5000' });
  return get({ 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(server.seller, signed)), ...more });
}

const delivered = (count: number): Promise<void> =>
  until(async () => {
    const records = await server.ledger.list({ limit: 100 });
    expect(records.filter(({ state }) => state === 'delivered')).toHaveLength(count);
  });

describe('a second scheme', () => {
  it('every 402: offered behind exact, and to the second generation alone', async () => {
    for (const route of server.routes) {
      const response = await fetch(server.url + route.path.replace(/\{[^}]+\}/g, 'x'));
      const header = response.headers.get('payment-required') ?? '';
      expect(header.length).toBeLessThan(3_500);
      const required: unknown = JSON.parse(Buffer.from(header, 'base64').toString());
      const entries = (isWire(required) ? (wireArray(required.accepts) ?? []) : []).filter(isWire);
      expect(entries.map(({ scheme }) => scheme)).toEqual(['exact', 'tab']);
      expect(entries[1]).toMatchObject({ amount: entries[0]?.amount, extra: { house: 'Perpmeter' } });
      const body = (await response.json()) as { accepts: { scheme: string }[] };
      expect(body.accepts.map(({ scheme }) => scheme)).toEqual(['exact']);
    }
  });

  it('bought with: the answer, and no facilitator of exact is asked', async () => {
    const paid = await pay(promised());
    expect(paid).toMatchObject({ status: 200, body: { product: 1 } });
    expect(tab.settled).toHaveLength(1);
    expect([facilitator.verified, facilitator.settled]).toEqual([[], []]);
    expect((await payExact()).status).toBe(200);
    expect([tab.settled.length, facilitator.settled.length]).toEqual([1, 1]);
  });

  it.each([
    ['another form', { seal: 'x' }, 'invalid_payload'],
    ['another price', promise(GUEST, '4999', inAMinute()), 'invalid_amount'],
    ['a forged seal', { ...promise(GUEST, '5000', inAMinute()), seal: '00' }, 'invalid_signature'],
    ['a promise of the past', promise(GUEST, '5000', 5), 'authorization_expired'],
  ])('%s: refused by the scheme, and nothing is settled', async (_, payload, code) => {
    expect(await pay(payload)).toMatchObject({ status: 402, body: { code } });
    expect(tab.settled).toEqual([]);
  });

  it('a payload under the name of the other scheme: refused', async () => {
    const mixed = await get({ 'PAYMENT-SIGNATURE': headerOf(promised(), 'exact') });
    expect(mixed).toMatchObject({ status: 402, body: { code: 'invalid_payload' } });
    const unknown = await get({ 'PAYMENT-SIGNATURE': headerOf(promised(), 'upto') });
    expect(unknown).toMatchObject({ status: 402, body: { code: 'invalid_scheme' } });
  });

  it('presented again: its own answer with the identifier, and none without', async () => {
    const id = { 'Idempotency-Key': 'order-of-the-house' };
    const account = newAccount();
    const payload = promise(account.address, '5000', inAMinute());
    const first = await pay(payload, id);
    await delivered(1);
    expect((await pay(payload, id)).body).toEqual(first.body);
    expect(await pay(payload)).toMatchObject({ status: 402, body: { code: 'authorization_used' } });
    // The identifier is the payer's, whatever is signed.
    expect((await payExact(id, account)).body).toEqual(first.body);
    expect([tab.settled.length, facilitator.settled.length]).toEqual([1, 0]);
  });

  it('after a restart: stored beside exact, and told apart', async () => {
    const payload = promised();
    expect((await pay(payload)).status).toBe(200);
    expect((await payExact()).status).toBe(200);
    await delivered(2);
    await server.stop();
    await open(openFolder());
    const records = await server.ledger.list({ limit: 9 });
    expect(records.map(({ scheme }) => scheme).sort()).toEqual(['exact', 'tab']);
    expect(records.find(({ scheme }) => scheme === 'tab')).toMatchObject({
      payer: GUEST.toLowerCase(),
      amount: '5000',
      usd: '0.005',
      signed: payload,
      overAt: Number(payload.until) * 1000,
    });
    expect(await pay(payload)).toMatchObject({ status: 402, body: { code: 'authorization_used' } });
    expect(tab.settled).toEqual([]);
  });

  it('a ledger that is opened without it: its rows are no payments there', async () => {
    expect((await pay(promised())).status).toBe(200);
    await delivered(1);
    const other = openFolder([EXACT_FORMAT]);
    expect(() => other.list({ limit: 9 })).toThrow('not a payment of this ledger');
    await other.close();
  });

  it('left unknown: closed by its own scheme', async () => {
    const { ask } = tab.settlement;
    const settlement = tab.settlement as { ask: typeof ask };
    settlement.ask = async () => ({
      kind: 'unknown',
      reason: 'away',
      pending: false,
      transaction: undefined,
    });
    const payload = promised();
    expect(await pay(payload)).toMatchObject({ status: 503, body: { code: 'settlement_unknown' } });
    clock.advance(2_000);
    expect(await pay(payload)).toMatchObject({ status: 200, body: { product: 1 } });
    expect(facilitator.settled).toEqual([]);
  });

  it('JSON rows: of exact as ever, of the other with its number', async () => {
    await server.stop();
    await open(createMemoryStore());
    await pay(promised());
    await payExact();
    const json = createRecordJson(BOTH);
    const records = await server.ledger.list({ limit: 9 });
    expect(records).toHaveLength(2);
    for (const record of records) {
      const row: unknown = JSON.parse(json.write(record));
      expect(json.read(row)).toEqual(record);
      expect(isWire(row) && row.format).toBe(record.scheme === 'tab' ? 99 : undefined);
      expect(isWire(row) && 'authorization' in row).toBe(record.scheme === 'exact');
    }
  });

  it('the product: has no scheme of tests', () => {
    expect(FORMATS.map(({ name }) => name)).toEqual(['exact', 'batch-settlement']);
  });
});
