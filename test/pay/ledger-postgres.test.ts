import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import { asMs } from '../../src/domain/units.ts';
import { openPostgresStore } from '../../src/modules/shared-ledger/payments/ledger-postgres.ts';
import { CREATE_TABLES } from '../../src/modules/shared-ledger/payments/schema.ts';
import { ledgerOn } from '../../src/modules/shared-ledger/places.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import { openLedgerAt } from '../../src/pay/open-ledger.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import { dayNumber } from '../../src/pay/sale-log.ts';
import { Channels } from '../../src/pay/schemes/batch-settlement/channels.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { StoreUnreachable } from '../../src/storage/remote-state.ts';
import { until } from '../until.ts';
import { type FakeFacilitator, fakeClock, fakeFacilitator } from './fakes.ts';
import { claimOf, keyOf } from './ledger-claims.ts';
import { type PaidServer, startPaidServer } from './paid-server.ts';
import { emptyLedger, type PostgresServer, postgresObstacle, sharedServer } from './postgres-server.ts';
import { Relay } from './relay.ts';
import { encodeHeader, newAccount, signAuthorization, v2Payload } from './wallet.ts';

const ANSWER = { status: 200, headers: {}, body: Buffer.from('{"a":1}') };
const BASIS = '/v1/perp/basis?ticker=BTC';
const obstacle = postgresObstacle();

describe.skipIf(obstacle !== undefined)(`a ledger on PostgreSQL (${obstacle ?? 'a real one'})`, () => {
  let server: PostgresServer;
  let relay: Relay;
  let near: LedgerStore;
  let far: LedgerStore;
  beforeAll(async () => {
    server = await sharedServer();
  });
  beforeEach(async () => {
    const url = await emptyLedger();
    relay = await Relay.start(server.port);
    near = await openPostgresStore(url, { formats: FORMATS });
    // Another host, whose network fails.
    far = await openPostgresStore(server.url('postgres', 'seller', relay.port), { formats: FORMATS });
  });
  afterEach(async () => {
    await Promise.all([near.close(), far.close()]);
    await relay.stop();
  });

  const ledgerOf = (store: LedgerStore, owner: string): Ledger =>
    new Ledger({ store, clock: systemClock, owner });
  const hold = async (ledger: Ledger, name: string): Promise<PaymentRecord | 'full' | undefined> => {
    const claim = await ledger.claim(claimOf(name));
    if (claim.kind !== 'claimed') return undefined;
    return ledger.hold(claim.record, { state: 'settling', facilitator: 'f' }, ANSWER);
  };
  const held = async (ledger: Ledger, name: string): Promise<PaymentRecord> => {
    const record = await hold(ledger, name);
    if (record === undefined || record === 'full') throw new Error(`not held: ${record}`);
    return record;
  };

  it('gives each nonce to one of two hosts that ask at the same moment', async () => {
    const hosts = [ledgerOf(near, 'a'), ledgerOf(far, 'b')];
    const names = Array.from({ length: 60 }, (_, i) => `n${i}`);
    const won = await Promise.all(
      names.map(async (name) => {
        const both = await Promise.all(hosts.map((host) => hold(host, name)));
        return both.filter((key) => key !== undefined).length;
      }),
    );
    expect(won).toEqual(names.map(() => 1));
    const [record] = await ledgerOf(far, 'c').list({ limit: 1 });
    expect(record && (await near.readAnswer(record))?.body).toEqual(ANSWER.body);
  });

  it('a second claim of the nonce: nobody changes it, however late', async () => {
    const a = ledgerOf(near, 'a');
    const b = ledgerOf(far, 'b');
    const first = await held(a, 'x');
    expect(await a.release(first)).toBe(true);
    const second = { ...first, owner: 'b' };
    expect(await far.insert(second, ANSWER)).toMatchObject({ owner: 'b', version: first.version });
    expect(await a.change(first, { state: 'settled' })).toBeUndefined();
    expect(await near.remove(first)).toBe(false);
    expect(await b.get(keyOf('x'))).toMatchObject({ state: 'settling', owner: 'b' });
  });

  it('a write whose answer was lost: found out, and made once', async () => {
    const b = ledgerOf(far, 'b');
    const claim = await b.claim(claimOf('x'));
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    relay.set('deaf');
    const holding = b.hold(claim.record, { state: 'settling' }, ANSWER);
    await until(async () => expect(await near.read(keyOf('x'))).toBeDefined());
    relay.set('cut');
    relay.set('open');
    const record = await holding;
    if (record === undefined || record === 'full') throw new Error(`not held: ${record}`);
    expect(record).toMatchObject({ state: 'settling', owner: 'b' });
    relay.set('deaf');
    const changing = b.change(record, { reason: 'mine' });
    await until(async () => expect((await near.read(keyOf('x')))?.reason).toBe('mine'));
    relay.set('cut');
    relay.set('open');
    expect(await changing).toMatchObject({ reason: 'mine', version: 2 });
  });

  it('a write whose answer was lost: its account is changed once', async () => {
    const b = ledgerOf(far, 'b');
    const claim = await b.claim(claimOf('x'));
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    await far.accounts?.write({ id: 'a', version: 0, row: 'one' });
    relay.set('deaf');
    const account = { id: 'a', version: 1, row: 'two' };
    const holding = b.hold(claim.record, { state: 'settling' }, ANSWER, { account });
    await until(async () => expect(await near.accounts?.read('a')).toMatchObject({ row: 'two' }));
    relay.set('cut');
    relay.set('open');
    expect(await holding).toMatchObject({ state: 'settling', owner: 'b' });
    relay.set('deaf');
    const writing = far.accounts?.write({ id: 'a', version: 2, row: 'three' });
    await until(async () => expect(await near.accounts?.read('a')).toMatchObject({ row: 'three' }));
    relay.set('cut');
    relay.set('open');
    expect(await writing).toBe(true);
    expect(await near.accounts?.read('a')).toEqual({ id: 'a', version: 3, row: 'three' });
  });

  it('two hosts change an account at once: each version is one of them', async () => {
    const stores = [near, far];
    const names = Array.from({ length: 30 }, (_, i) => `n${i}`);
    const held: boolean[][] = [];
    for (const [version, name] of names.entries()) {
      const both = await Promise.all(
        stores.map(async (store, i) => {
          const ledger = ledgerOf(store, `host ${i}`);
          const claim = await ledger.claim(claimOf(`${name} ${i}`));
          if (claim.kind !== 'claimed') return false;
          const account = { id: 'a', version, row: name };
          return (await ledger.hold(claim.record, { state: 'settling' }, ANSWER, { account })) !== undefined;
        }),
      );
      held.push(both);
    }
    expect(held.map((both) => both.filter(Boolean))).toEqual(names.map(() => [true]));
    expect(await near.accounts?.read('a')).toMatchObject({ version: names.length });
    expect(await near.list({ limit: 99 })).toHaveLength(names.length);
  });

  it('the lease on claims: kept by the time of the server', async () => {
    const channelsOf = (store: LedgerStore) => {
      if (store.accounts === undefined) throw new Error('a store without accounts');
      return new Channels(store.accounts, store.clock ?? systemClock);
    };
    expect(await channelsOf(near).leads('a', DAY_MS)).toBe(true);
    const url = server.url('postgres', 'seller');
    // A host whose own clock is far ahead.
    const ahead = { now: () => asMs(systemClock.now() + 9 * DAY_MS) };
    const store = await openPostgresStore(url, { formats: FORMATS, clock: ahead });
    expect(await channelsOf(store).leads('b', DAY_MS)).toBe(false);
    expect(await channelsOf(near).leads('a', -DAY_MS)).toBe(true);
    expect(await channelsOf(store).leads('b', DAY_MS)).toBe(true);
    await store.close();
  });

  it('a write in doubt: said so; a read: never', async () => {
    const b = ledgerOf(far, 'b');
    const record = await held(b, 'x');
    relay.set('cut');
    const failed = (call: Promise<unknown>): Promise<unknown> => call.catch((cause: unknown) => cause);
    expect(await failed(b.get(keyOf('x')))).toMatchObject({ isInDoubt: false });
    expect(await failed(b.change(record, {}))).toBeInstanceOf(StoreUnreachable);
    relay.set('deaf');
    expect(await failed(b.change(record, {}))).toMatchObject({ isInDoubt: false });
    expect(far.remote).toMatchObject({ ok: false });
    relay.set('open');
    expect((await b.get(keyOf('x')))?.state).toBe('settling');
    expect(far.remote).toMatchObject({ ok: true });
  });

  it('adds no receipt to a day that another host has closed', async () => {
    const a = ledgerOf(near, 'a');
    const b = ledgerOf(far, 'b');
    const early = await held(a, 'early');
    const late = await held(b, 'late');
    const at = systemClock.now();
    const day = dayNumber(at);
    const settled = { state: 'settled', settledAt: at } as const;
    const receipts = { official: 'o', answer: 'r' };
    const changed = await a.change(early, settled, { receipts });
    expect(changed && (await b.receipts(changed))).toEqual(receipts);
    await near.saleLog?.close(day);
    expect(await b.change(late, settled, { receipts })).toBeUndefined();
    expect(await b.get(late.key)).toEqual(late);
    const tomorrow = { ...settled, settledAt: asMs(at + DAY_MS) };
    expect(await b.change(late, tomorrow, { receipts })).toMatchObject({ state: 'settled' });
    const leaves = await near.saleLog?.leavesOf(day);
    expect(leaves?.hashes.length).toBe(32);
    if (leaves === undefined) throw new Error('no log');
    await Promise.all(
      [near, far].map((store, i) => store.saleLog?.seal({ day, statement: `s${i}` }, leaves)),
    );
    const [root] = (await near.saleLog?.roots({ before: day + 1, limit: 2 })) ?? [];
    expect(await far.saleLog?.tree(day)).toMatchObject({ statement: root?.statement, leaves });
    expect(await near.saleLog?.firstOpen()).toBe(day + 1);
  });

  it('the day of the receipts lost by a fail-over: settled again', async () => {
    const a = ledgerOf(near, 'a');
    const settled = { state: 'settled', settledAt: systemClock.now() } as const;
    const receipts = { official: 'o', answer: 'r' };
    await a.change(await held(a, 'first'), settled, { receipts });
    await server.query('postgres', 'TRUNCATE perpmeter.receipt_days CASCADE');
    const second = await held(a, 'second');
    expect(await a.change(second, settled, { receipts })).toBeUndefined();
    expect(await a.change(second, settled, { receipts })).toMatchObject({ state: 'settled' });
  });

  it('goes by the time of the server, whatever the host says', async () => {
    const url = server.url('postgres', 'seller');
    const ledger = await openLedgerAt({ ledgerPath: '', place: ledgerOn(url) }, { now: () => asMs(0) });
    const [row] = await server.query(
      'postgres',
      'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now',
    );
    expect(Math.abs(ledger.clock.now() - Number(row?.now))).toBeLessThan(DAY_MS);
    await ledger.close();
  });

  it('away at start: calls fail until it answers, then by its time', async () => {
    const url = server.url('postgres', 'seller', relay.port);
    relay.set('cut');
    await expect(openPostgresStore(url, { formats: FORMATS })).rejects.toThrow(StoreUnreachable);
    const store = await openPostgresStore(url, {
      formats: FORMATS,
      clock: { now: () => asMs(0) },
      mayBeAway: true,
    });
    const ledger = new Ledger({ store, clock: store.clock ?? systemClock, owner: 'late' });
    await expect(ledger.claim(claimOf('x'))).rejects.toThrow(StoreUnreachable);
    expect(store.remote).toMatchObject({ ok: false });
    relay.set('open');
    const record = await held(ledger, 'x');
    expect(record.claimedAt).toBeGreaterThan(DAY_MS);
    expect(store.remote).toMatchObject({ ok: true });
    expect(await ledgerOf(near, 'b').get(keyOf('x'))).toEqual(record);
    await store.close();
  });

  it('that was away at start and is of a newer build takes nothing', async () => {
    relay.set('cut');
    const url = server.url('postgres', 'seller', relay.port);
    const store = await openPostgresStore(url, { formats: FORMATS, mayBeAway: true });
    await server.query('postgres', 'UPDATE perpmeter.ledger_format SET version = 99');
    relay.set('open');
    const ledger = ledgerOf(store, 'late');
    await expect(ledger.claim(claimOf('x'))).rejects.toThrow('format version 99');
    await expect(store.due(asMs(0), 1, new Set())).rejects.toThrow('format version 99');
    expect(store.remote).toMatchObject({ ok: false });
    await store.close();
  });

  it('no rights, a newer build: refused, without the password', async () => {
    const open = (): Promise<string> =>
      openPostgresStore(server.url('postgres', 'seller'), { formats: FORMATS }).then(
        () => 'opened',
        (cause: unknown) => `${cause instanceof Error ? cause.message : ''} ${JSON.stringify(cause)}`,
      );
    await server.query('postgres', 'UPDATE perpmeter.ledger_format SET version = 99');
    const newer = await open();
    expect(newer).toContain('format version 99');
    await server.query('postgres', 'DROP SCHEMA perpmeter CASCADE');
    const missing = await open();
    expect(missing).toContain('perpmeter ledger schema');
    await server.query('postgres', CREATE_TABLES);
    const forbidden = await open();
    expect(forbidden).toContain('may not read');
    for (const text of [newer, missing, forbidden]) expect(text).not.toContain('secret');
  });

  describe('under a paywall', () => {
    let facilitator: FakeFacilitator;
    let paidServer: PaidServer;
    const buyer = newAccount();
    beforeEach(async () => {
      facilitator = fakeFacilitator();
      paidServer = await startPaidServer({
        facilitator,
        payTo: newAccount().address,
        store: far,
        clock: fakeClock(),
      });
    });
    afterEach(async () => {
      relay.set('open');
      await paidServer.paywall.drain();
    });
    afterAll(() => paidServer.stop());

    const pay = async (header: string) => {
      const response = await fetch(paidServer.url + BASIS, { headers: { 'PAYMENT-SIGNATURE': header } });
      const body = (await response.json()) as Record<string, unknown>;
      return { status: response.status, code: body.code, retry: response.headers.get('retry-after') };
    };
    const sign = async (): Promise<string> => {
      const signed = await signAuthorization(buyer, paidServer.seller, { value: '5000' });
      return encodeHeader(v2Payload(paidServer.seller, signed));
    };

    it('no answer: nothing sold, and the same payment buys later', async () => {
      const header = await sign();
      relay.set('cut');
      expect(await pay(header)).toEqual({ status: 503, code: 'ledger_unavailable', retry: '5' });
      expect([facilitator.verified, facilitator.settled]).toEqual([[], []]);
      // A free request needs no ledger.
      expect((await fetch(paidServer.url + BASIS)).status).toBe(402);
      relay.set('open');
      expect(await pay(header)).toMatchObject({ status: 200 });
      expect(facilitator.settled).toHaveLength(1);
    });

    it('a write that failed: nobody settles, the outcome is unknown', async () => {
      const header = await sign();
      paidServer.produce = () => {
        relay.set('deaf');
        return { ok: true, value: ANSWER };
      };
      expect(await pay(header)).toMatchObject({ status: 503, code: 'settlement_unknown' });
      expect(facilitator.settled).toEqual([]);
    });
  });
});
