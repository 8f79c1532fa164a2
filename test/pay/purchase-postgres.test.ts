import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/modules/shared-ledger/payments/ledger-postgres.ts';
import { grantsTo } from '../../src/modules/shared-ledger/payments/schema.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { until } from '../until.ts';
import { fakeClock, fakeFacilitator } from './fakes.ts';
import { ANSWER, claimOf, keyOf, SETTLING } from './ledger-claims.ts';
import { type PaidServer, startPaidServer } from './paid-server.ts';
import { emptyLedger, postgresObstacle, sharedServer } from './postgres-server.ts';
import { encodeHeader, newAccount, signAuthorization, v2Payload } from './wallet.ts';

const BASIS = '/v1/perp/basis?ticker=BTC';
const obstacle = postgresObstacle();

describe.skipIf(obstacle !== undefined)(`two hosts on PostgreSQL (${obstacle ?? 'a real one'})`, () => {
  const facilitator = fakeFacilitator();
  const buyer = newAccount();
  const payTo = newAccount().address;
  let url: string;
  let hosts: readonly PaidServer[];
  let stores: readonly LedgerStore[];
  beforeEach(async () => {
    url = await emptyLedger();
    facilitator.settled.length = 0;
    stores = [
      await openPostgresStore(url, { formats: FORMATS }),
      await openPostgresStore(url, { formats: FORMATS }),
    ];
    hosts = await Promise.all(stores.map((store) => startPaidServer({ facilitator, payTo, store })));
  });
  afterEach(async () => {
    await Promise.all(hosts.map((host) => host.stop()));
  });

  /** Signed anew, at one of the hosts. */
  const buy = async (at: number, id: string, path = BASIS) => {
    const host = hosts[at % hosts.length];
    if (host === undefined) throw new Error('no such host');
    const signed = await signAuthorization(buyer, host.seller, { value: '5000' });
    const payment = encodeHeader(v2Payload(host.seller, signed));
    const headers = { 'PAYMENT-SIGNATURE': payment, 'Idempotency-Key': id };
    const response = await fetch(host.url + path, { headers });
    return { status: response.status, text: await response.text() };
  };

  it('the same identifiers at once at both: each is charged once', async () => {
    const ids = Array.from({ length: 8 }, (_, i) => `order-${i}-0123456789abcdef`);
    const answers = await Promise.all(
      ids.map((id) => Promise.all([buy(0, id), buy(1, id), buy(0, id), buy(1, id)])),
    );
    for (const group of answers) {
      const [first] = group;
      expect(first.status).toBe(200);
      expect(group).toEqual([first, first, first, first]);
    }
    expect(facilitator.settled).toHaveLength(ids.length);
    expect(await hosts[0]?.ledger.list({ limit: 100 })).toHaveLength(ids.length);
  });

  it('another request at the other host: a conflict', async () => {
    const id = 'order-of-another-request';
    expect((await buy(0, id)).status).toBe(200);
    const other = await buy(1, id, '/v1/perp/basis?ticker=ETH');
    expect([other.status, JSON.parse(other.text)]).toMatchObject([409, { code: 'identifier_used' }]);
    expect(facilitator.settled).toHaveLength(1);
  });

  it('a payment that was let go: its identifier is free at the other host', async () => {
    const id = 'order-that-was-not-sent';
    facilitator.settleWith.unshift({ kind: 'unsent', reason: 'ECONNREFUSED' });
    expect((await buy(0, id)).status).toBe(503);
    expect((await buy(1, id)).status).toBe(200);
  });

  it('an identifier of a day ago: free, and its row is let go of', async () => {
    const server = await sharedServer();
    const rows = async () => (await server.query('postgres', 'SELECT FROM perpmeter.purchases')).length;
    const id = 'order-of-a-day-ago-0123';
    expect((await buy(0, id)).status).toBe(200);
    await until(async () => expect((await stores[0]?.list({ limit: 1 }))?.[0]?.state).toBe('delivered'));
    expect(await rows()).toBe(1);
    await server.query(
      'postgres',
      `UPDATE perpmeter.payments SET record = jsonb_set(record::jsonb, '{settledAt}',
        to_jsonb((record->>'settledAt')::bigint - ${DAY_MS}))::json;
      UPDATE perpmeter.purchases SET claimed_at = claimed_at - ${DAY_MS}`,
    );
    expect((await buy(1, id, '/v1/perp/basis?ticker=ETH')).status).toBe(200);
    expect(facilitator.settled).toHaveLength(2);
    await server.query('postgres', `UPDATE perpmeter.purchases SET claimed_at = claimed_at - ${2 * DAY_MS}`);
    await stores[1]?.sweep();
    expect(await rows()).toBe(1);
    await server.query(
      'postgres',
      `UPDATE perpmeter.payments SET record = jsonb_set(record::jsonb, '{settledAt}',
        to_jsonb((record->>'settledAt')::bigint - ${DAY_MS}))::json`,
    );
    await stores[0]?.sweep();
    expect(await rows()).toBe(0);
  });

  it('one nonce under two identifiers: one taken, the other free', async () => {
    const clock = fakeClock();
    const ledgers = stores.map((store, i) => new Ledger({ store, clock, owner: `h${i}` }));
    const hashes = ['aa', 'bb'].map((byte) => byte.repeat(32));
    const hold = async (ledger: Ledger | undefined, name: string, paymentIdHash: string | undefined) => {
      const claim = await ledger?.claim({ ...claimOf(name), paymentIdHash });
      return claim?.kind === 'claimed' ? ledger?.hold(claim.record, SETTLING, ANSWER) : undefined;
    };
    const names = Array.from({ length: 10 }, (_, i) => `nonce-${i}`);
    for (const name of names) {
      const both = await Promise.all(ledgers.map((ledger, i) => hold(ledger, name, hashes[i])));
      const won = both.find((record) => record !== undefined && record !== 'full');
      expect(both.filter((record) => record !== undefined)).toHaveLength(1);
      const lost = hashes.find((hash) => hash !== (won as { paymentIdHash?: string }).paymentIdHash);
      expect(await hold(ledgers[0], `${name}-later`, lost)).toMatchObject({ paymentIdHash: lost });
      for (const record of (await stores[0]?.list({ limit: 10 })) ?? []) await stores[0]?.remove(record);
    }
  });
});

describe.skipIf(obstacle !== undefined).each([
  ['1', 'perpmeter.purchases, perpmeter.accounts, perpmeter.receipts'],
  ['2', 'perpmeter.accounts, perpmeter.receipts'],
  ['3', 'perpmeter.receipts'],
])('tables of version %s', (version, later) => {
  const before = async (): Promise<string> => {
    const url = await emptyLedger();
    const server = await sharedServer();
    await server.query(
      'postgres',
      `DROP TABLE ${later}; UPDATE perpmeter.ledger_format SET version = ${version};
      ALTER TABLE perpmeter.held_answers ADD COLUMN official_receipt text, ADD COLUMN answer_receipt text;
      INSERT INTO perpmeter.held_answers VALUES ('\\x${keyOf('sold')}', 'a', 1, '', 'o', 'r'),
        ('\\x${keyOf('held')}', 'b', 1, '', NULL, NULL)`,
    );
    return url;
  };

  it('a role that may make tables: they are upgraded at the first start', async () => {
    await before();
    const server = await sharedServer();
    await (await openPostgresStore(server.url('postgres'), { formats: FORMATS })).close();
    await server.query('postgres', grantsTo('seller'));
    const store = await openPostgresStore(server.url('postgres', 'seller'), { formats: FORMATS });
    expect(await store.readPurchase('ab'.repeat(32))).toBeUndefined();
    expect(await store.accounts?.read('a')).toBeUndefined();
    const receiptsOf = (name: string) => store.readReceipts({ key: keyOf(name) } as PaymentRecord);
    expect(await receiptsOf('sold')).toEqual({ official: 'o', answer: 'r' });
    expect(await receiptsOf('held')).toBeUndefined();
    await store.close();
  });

  it('a role that may not: it is refused with what to do', async () => {
    await expect(openPostgresStore(await before(), { formats: FORMATS })).rejects.toThrow(
      `tables are of version ${version}, older than this build, and its role may not make them: \`perpmeter ledger schema\` prints them`,
    );
  });
});

describe.skipIf(obstacle !== undefined)('receipts of tables of version 4', () => {
  it('upgraded: read as they were, new ones as bytes', async () => {
    const url = await emptyLedger();
    const server = await sharedServer();
    await server.query(
      'postgres',
      `ALTER TABLE perpmeter.receipts DROP COLUMN bytes, ALTER COLUMN official SET NOT NULL,
        ALTER COLUMN answer SET NOT NULL; UPDATE perpmeter.ledger_format SET version = 4;
      INSERT INTO perpmeter.receipts VALUES ('\\x${keyOf('former')}', 'o', 'r')`,
    );
    await (await openPostgresStore(server.url('postgres'), { formats: FORMATS })).close();
    const store = await openPostgresStore(url, { formats: FORMATS });
    const clock = fakeClock();
    const ledger = new Ledger({ store, clock, owner: 'me' });
    expect(await ledger.receipts({ key: keyOf('former') } as PaymentRecord)).toEqual({
      official: 'o',
      answer: 'r',
    });
    const claim = await ledger.claim(claimOf('new'));
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    const receipts = { official: 'e30.e30.AAAA', answer: 'not one' };
    const sold = await ledger.hold(claim.record, { state: 'settled', settledAt: clock.now() }, ANSWER, {
      receipts,
    });
    if (sold === undefined || sold === 'full') throw new Error('not stored');
    expect(await ledger.receipts(sold)).toEqual(receipts);
    const texts = await server.query('postgres', 'SELECT FROM perpmeter.receipts WHERE official IS NOT NULL');
    expect(texts).toHaveLength(1);
    await ledger.close();
  });
});
