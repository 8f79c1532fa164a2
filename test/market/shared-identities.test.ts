import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { makeInstrument } from '../../src/market/market-fixture.ts';
import { openMarketStore } from '../../src/market/store-lmdb.ts';
import { identityGrantsTo } from '../../src/modules/shared-ledger/identities/schema.ts';
import { postgresObstacle } from '../pay/postgres-server.ts';
import { PROPERTY_RUNS } from '../property-runs.ts';
import { Random } from '../soak/random.ts';
import { until } from '../until.ts';
import { ends, folder, host, server, T0, useIdentityServer } from './identity-hosts.ts';

const obstacle = postgresObstacle();
const CLASSES = ['none', 'crypto', 'equity', 'commodity'] as const;

describe.skipIf(obstacle !== undefined)(`identities that hosts share (${obstacle ?? 'a real one'})`, () => {
  useIdentityServer();

  it('a contract: shown once the store has its id, equal everywhere', async () => {
    const a = await host();
    const b = await host();
    for (const one of [a, b]) one.venue('binance', 1);
    a.list('binance', [{ base: 'ZZZ', assetClass: 'equity' }]);
    expect(a.ids()).toEqual([]);
    await a.until('binance ZZZUSDT equity:ZZZ');
    // By its own rules it would be another; the first decision counts.
    b.list('binance', ['ZZZ']);
    await b.until('binance ZZZUSDT equity:ZZZ');
    expect(b.identity.recordsOf('binance', 'ZZZUSDT')).toEqual(a.identity.recordsOf('binance', 'ZZZUSDT'));
  });

  it.each(['cut', 'silent'] as const)(
    'the store is %s: goes on with what it knows, and names the rest',
    async (mode) => {
      const a = await host();
      const b = await host();
      for (const one of [a, b]) one.venue('binance', 1);
      a.list('binance', ['BTC']);
      await a.until('binance BTCUSDT crypto:BTC');
      b.list('binance', ['BTC']);
      await b.until('binance BTCUSDT crypto:BTC');
      b.relay.set(mode);
      b.list('binance', ['BTC', 'NEW']);
      b.venue('hyperliquid-new');
      b.list('hyperliquid-new', ['ETH']);
      await until(() =>
        expect(b.store.place()).toEqual({ kind: 'postgres', ok: false, waiting: 2, refused: 0 }),
      );
      b.pass(1000);
      expect(b.ids()).toEqual(['binance BTCUSDT crypto:BTC']);
      expect(b.market.view.venues()).toMatchObject([{ info: { id: 'binance' }, undecided: 1 }]);
      const refused = await b.change({ action: 'merge', from: 'crypto:BTC', to: 'crypto:ETH' });
      expect(refused).toMatchObject({ ok: false, error: expect.stringContaining('does not answer') });
      // Decisions of others made meanwhile are read when it is back.
      expect(
        await a.change({ action: 'pin', venue: 'binance', symbol: 'BTCUSDT', to: 'crypto:BTC2' }),
      ).toMatchObject({
        ok: true,
      });
      b.relay.set('open');
      await until(() =>
        expect(b.store.place()).toEqual({ kind: 'postgres', ok: true, waiting: 0, refused: 0 }),
      );
      b.pass(1000);
      b.list('hyperliquid-new', ['ETH']);
      await b.until(
        'binance BTCUSDT crypto:BTC2',
        'hyperliquid-new ETHUSDT crypto:ETH',
        'binance NEWUSDT crypto:NEW',
      );
      expect(b.market.view.venue('hyperliquid-new')?.sourceId).toBe(1000);
    },
  );

  it('begins without the server, and decides when it answers', async () => {
    const a = await host({ mode: 'cut' });
    a.venue('binance', 1);
    a.list('binance', ['BTC']);
    a.pass(1000);
    expect(a.ids()).toEqual([]);
    a.relay.set('open');
    await a.until('binance BTCUSDT crypto:BTC');
  });

  it.each([
    ['a NUL', 'BAD\0', '22021'],
    // More than an index entry holds, of bytes that do not compress.
    ['a name of eight kilobytes', randomBytes(4096).toString('hex'), '54000'],
  ])('leaves out a contract with %s, says so once, and decides the others', async (_, base, code) => {
    const reasons: string[] = [];
    const a = await host({ onError: (reason) => reasons.push(reason) });
    a.venue('binance', 1);
    const list = ['AAA', 'BBB', base, 'CCC'];
    a.list('binance', list);
    const others = ['AAA', 'BBB', 'CCC'].map((base) => `binance ${base}USDT crypto:${base}`);
    await a.until(...others);
    await a.catchUp();
    const refused = { kind: 'postgres', ok: true, waiting: 0, refused: 1 };
    expect(a.store.place()).toEqual(refused);
    // It is asked for again with each list, beside whatever is new.
    a.list('binance', [...list, 'DDD']);
    await a.until(...others, 'binance DDDUSDT crypto:DDD');
    await a.catchUp();
    expect(a.store.place()).toEqual(refused);
    a.pass(1000);
    expect(a.market.view.venues()).toMatchObject([{ undecided: 0, refused: 1 }]);
    expect(reasons).toEqual([
      expect.stringMatching(new RegExp(`^binance: the server refuses ".*: ${code} `)),
    ]);
  });

  it('numbers venues beside one whose name the server refuses', async () => {
    const a = await host();
    a.venue('hyperliquid-bad\0');
    a.venue('hyperliquid-good');
    const place = { kind: 'postgres', ok: true, waiting: 0, refused: 1 };
    await until(() => expect(a.store.place()).toEqual(place));
    expect(a.store.sourceIds.idOf('hyperliquid-bad\0')).toBeUndefined();
    await a.catchUp();
    expect(a.store.place()).toEqual(place);
    a.pass(1000);
    expect(a.market.view.venue('hyperliquid-good')?.sourceId).toBe(1000);
  });

  it('a merge or undoing at one host: shown at all, later ones too', async () => {
    const a = await host();
    const b = await host();
    for (const one of [a, b]) {
      one.venue('binance', 1);
      one.venue('gate', 2);
      one.list('binance', ['AAA', 'BBB']);
    }
    await a.until('binance AAAUSDT crypto:AAA', 'binance BBBUSDT crypto:BBB');
    await b.until('binance AAAUSDT crypto:AAA', 'binance BBBUSDT crypto:BBB');
    expect(await a.change({ action: 'merge', from: 'crypto:BBB', to: 'crypto:AAA' })).toMatchObject({
      ok: true,
    });
    await b.until('binance AAAUSDT crypto:AAA');
    b.list('gate', ['BBB']);
    await b.until('binance AAAUSDT crypto:AAA', 'gate BBBUSDT crypto:AAA');
    expect(await b.change({ action: 'undo', sequence: 1 })).toMatchObject({ ok: true });
    await a.until('binance AAAUSDT crypto:AAA', 'binance BBBUSDT crypto:BBB');
  });

  it('takes both of two decisions of the same moment, one after the other', async () => {
    const a = await host();
    const b = await host();
    a.venue('binance', 1);
    a.list('binance', ['AAA', 'BBB', 'CCC']);
    await a.catchUp();
    const pin = (symbol: string) => ({ action: 'pin', venue: 'binance', symbol, to: 'crypto:ZZZ' }) as const;
    const both = await Promise.all([a.change(pin('AAAUSDT')), b.change(pin('BBBUSDT'))]);
    expect(both.map((result) => result.ok && result.decision.sequence).sort()).toEqual([1, 2]);
    await a.catchUp();
    for (const symbol of ['AAAUSDT', 'BBBUSDT'])
      expect(a.identity.lastAssignment(makeInstrument({ symbol }))?.canonicalId).toBe('crypto:ZZZ');
  });

  it('does not give a contract to and fro between hosts of different rules', async () => {
    const old = await host();
    const fresh = await host();
    const give = async (host: typeof old, assetClass: 'equity' | 'commodity'): Promise<void> => {
      await host.catchUp();
      host.identity.assign(makeInstrument({ base: 'ZZZ', assetClass }), T0);
      host.identity.commit();
      await host.catchUp();
    };
    await give(old, 'equity');
    await give(fresh, 'commodity');
    await give(old, 'equity');
    await give(fresh, 'commodity');
    await old.catchUp();
    const ids = old.identity.recordsOf('binance', 'ZZZUSDT').map(({ canonicalId }) => canonicalId);
    expect(ids).toEqual(['equity:ZZZ', 'commodity:ZZZ']);
  });

  it('a role that may only read: follows, and reads no payments', async () => {
    await server.query(
      'postgres',
      `DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN PASSWORD 'test-only-secret';
       DROP ROLE IF EXISTS collector; CREATE ROLE collector LOGIN PASSWORD 'test-only-secret';`,
    );
    ends.push(() => server.query('postgres', 'DROP OWNED BY reader, collector; DROP ROLE reader, collector'));
    // As where everything ran in each host before, and collectors became processes of their own.
    await server.query('postgres', identityGrantsTo('reader', true));
    await server.query('postgres', identityGrantsTo('reader', false) + identityGrantsTo('collector', true));
    const reads = await host({ user: 'reader' });
    const gives = await host({ user: 'collector' });
    for (const one of [reads, gives]) one.venue('binance', 1);
    reads.list('binance', ['BTC']);
    await reads.catchUp();
    expect(reads.store.place()).toMatchObject({ ok: true, waiting: 1 });
    gives.list('binance', ['BTC']);
    await reads.until('binance BTCUSDT crypto:BTC');
    const asCollector = server.url('postgres', 'collector');
    const { default: pg } = await import('pg');
    const client = new pg.Client(asCollector);
    await client.connect();
    ends.push(() => client.end());
    await expect(client.query('SELECT * FROM perpmeter.payments')).rejects.toThrow('permission denied');
    await expect(client.query('DELETE FROM perpmeter.identity_ranges')).rejects.toThrow('permission denied');
  });

  it('is refused where the folder has identities and the server has none', async () => {
    const own = openMarketStore(join(folder, 'market'));
    const book = createInstrumentIdentities(own.identities);
    book.assign(makeInstrument({ base: 'BTC' }), T0);
    book.commit();
    await own.close();
    await expect(host()).rejects.toThrow('identity move');
  });

  /** Hosts list, decide and are cut off at random; in the end all know the same, and nothing was decided twice. */
  it.each(Array.from({ length: 2 * PROPERTY_RUNS.times }, (_, i) => PROPERTY_RUNS.seed + i + 1))(
    'is one to hosts that decide at once (seed %i)',
    async (seed) => {
      const random = new Random(seed);
      const hosts = await Promise.all([host(), host(), host()]);
      const bases = Array.from({ length: 12 }, (_, i) => `C${i}`);
      const step = async (host: (typeof hosts)[number]): Promise<void> => {
        const what = random.between(0, 7);
        if (what < 4) {
          const listed = bases
            .filter(() => random.chance(0.8))
            .map((base) => ({ base, assetClass: random.pick(CLASSES) }) as const);
          host.list(
            'binance',
            listed.map(({ assetClass, ...it }) => (assetClass === 'none' ? it : { ...it, assetClass })),
          );
        } else if (what === 4) {
          const from = random.pick(bases);
          const to = random.pick(bases);
          await host.change({ action: 'merge', from: `crypto:${from}`, to: `crypto:${to}` });
        } else if (what === 5) await host.change({ action: 'undo', sequence: 1 + random.between(0, 2) });
        else if (what === 6) host.venue(`hyperliquid-${random.between(0, 5)}`);
        else host.relay.set(random.pick(['open', 'open', 'cut', 'cut', 'deaf']));
        host.pass(1000);
      };
      for (const one of hosts) one.venue('binance', 1);
      for (let round = 0; round < 8; round++) await Promise.all(hosts.map(step));
      for (const one of hosts) one.relay.set('open');
      // Twice: what the first has carried out, the second has heard.
      for (let round = 0; round < 2; round++) for (const one of hosts) await until(() => one.catchUp(), 200);

      const [first, ...others] = hosts;
      const knownOf = (host: typeof first) => ({
        ranges: bases.map((base) => host?.identity.recordsOf('binance', `${base}USDT`)),
        decisions: host?.store.decisions.since(0),
        ids: host?.identity.latest(),
      });
      for (const other of others) expect(knownOf(other).ranges).toEqual(knownOf(first).ranges);
      for (const other of others) expect(knownOf(other).decisions).toEqual(knownOf(first).decisions);
      const sequences = knownOf(first).decisions?.map(({ sequence }) => sequence) ?? [];
      expect(sequences).toEqual(sequences.map((_, i) => i + 1));
      for (const ranges of knownOf(first).ranges) {
        ranges?.forEach((range, i) => {
          const next = ranges[i + 1];
          if (next === undefined) return;
          // One range ends before the next begins, and only the last one may be open.
          expect(range.validTo).toBeLessThanOrEqual(next.validFrom);
        });
      }
      const lasts = await server.query(
        'postgres',
        'SELECT count(*) FILTER (WHERE is_last) AS lasts, max(generation) + 1 AS count, count(*) AS rows FROM perpmeter.identity_ranges GROUP BY venue, symbol',
      );
      for (const it of lasts) expect(it).toMatchObject({ lasts: '1', rows: `${it.count}` });
      const numbers = await server.query('postgres', 'SELECT venue, id FROM perpmeter.source_ids');
      for (const { venue, id } of numbers)
        for (const one of hosts) expect(one.market.view.venue(`${venue}`)?.sourceId ?? id).toBe(id);
      expect(new Set(numbers.map(({ id }) => id)).size).toBe(numbers.length);
    },
  );
});
