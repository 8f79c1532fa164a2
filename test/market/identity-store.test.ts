import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { changeIdentity, type IdentityRequest } from '../../src/market/change-identity.ts';
import { createInstrumentIdentities, type InstrumentIdentities } from '../../src/market/identity.ts';
import { makeInstrument } from '../../src/market/market-fixture.ts';
import { openIdentityStore } from '../../src/market/open-store.ts';
import type { MarketStore } from '../../src/market/stores.ts';
import { identitiesOn } from '../../src/modules/shared-ledger/places.ts';
import { emptyLedger, postgresObstacle } from '../pay/postgres-server.ts';

const T0 = asMs(1_790_000_000_000);
const later = (ms: number) => asMs(T0 + ms);
/** A host measures parts of a millisecond. */
const PART = 0.237;

/** One process or host over a store. */
interface Host {
  readonly store: MarketStore;
  readonly book: InstrumentIdentities;
  /** The own requests are made, and the changes of others are known. */
  catchUp(): Promise<void>;
}

const KINDS = [
  ['in a folder', undefined],
  ['on PostgreSQL', postgresObstacle()],
] as const;

describe.each(KINDS)('a store of identities %s', (kind, obstacle) => {
  const isShared = kind === 'on PostgreSQL';
  const open: MarketStore[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    for (const store of open.splice(0)) await store.close();
    for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
  });

  /** An empty place, and what opens it: one process after the other, or several hosts. */
  async function place(): Promise<() => Promise<Host>> {
    const folder = mkdtempSync(join(tmpdir(), 'identities-'));
    folders.push(folder);
    const shared = isShared ? identitiesOn(await emptyLedger()) : undefined;
    return async () => {
      const store = await openIdentityStore({ folder: join(folder, 'market'), place: shared, ends: true });
      open.push(store);
      const book = createInstrumentIdentities(store.identities);
      const catchUp = async (): Promise<void> => {
        await store.settled();
        book.follow();
      };
      return { store, book, catchUp };
    };
  }

  const change = ({ book, store, catchUp }: Host, request: IdentityRequest) =>
    changeIdentity({ identity: book, decisions: store.decisions, catchUp }, request, 'why', later(50));
  const idOf = ({ book }: Host, symbol: string) => book.recordsOf('binance', symbol).at(-1)?.canonicalId;

  async function list({ book, catchUp }: Host, bases: readonly string[], at = T0): Promise<void> {
    for (const base of bases) book.assign(makeInstrument({ base }), at);
    book.keepOnly('binance', new Set(bases.map((base) => `${base}USDT`)), at);
    book.commit();
    await catchUp();
  }

  it.skipIf(obstacle !== undefined)('keeps every range of a contract over a restart', async () => {
    const start = await place();
    const first = await start();
    await list(first, ['BTC', 'OLD']);
    await list(first, ['BTC'], later(5 + PART));
    const ended = [{ validFrom: T0, validTo: later(5 + PART) }];
    expect(first.book.recordsOf('binance', 'OLDUSDT')).toMatchObject(ended);
    await first.store.close();
    const second = await start();
    await second.catchUp();
    for (const symbol of ['BTCUSDT', 'OLDUSDT']) {
      const kept = first.book.recordsOf('binance', symbol);
      expect(second.book.recordsOf('binance', symbol)).toEqual(kept);
      expect(kept).toHaveLength(1);
    }
    // Back within a day it goes on, after that it begins anew.
    await list(second, ['BTC', 'OLD'], later(9));
    expect(second.book.recordsOf('binance', 'OLDUSDT')).toMatchObject([{ validFrom: T0 }]);
    await list(second, ['BTC'], later(10));
    await list(second, ['BTC', 'OLD'], later(90_000_000 + PART));
    expect(second.book.recordsOf('binance', 'OLDUSDT')).toMatchObject([
      { validFrom: T0, validTo: later(10) },
      { validFrom: later(90_000_000 + PART) },
    ]);
  });

  it.skipIf(obstacle !== undefined)('numbers venues from 1000 up, and none twice', async () => {
    const start = await place();
    const numberOf = async ({ store }: Host, venue: string): Promise<number | undefined> => {
      store.sourceIds.idOf(venue);
      await store.settled();
      return store.sourceIds.idOf(venue);
    };
    const first = await start();
    expect(await numberOf(first, 'hyperliquid-a')).toBe(1000);
    expect(await numberOf(first, 'hyperliquid-b')).toBe(1001);
    await first.store.close();
    const second = await start();
    expect(await numberOf(second, 'hyperliquid-c')).toBe(1002);
    expect(await numberOf(second, 'hyperliquid-a')).toBe(1000);
  });

  it.skipIf(obstacle !== undefined)('takes one decision under each number', async () => {
    const { store } = await (await place())();
    const to = { canonicalId: 'crypto:X', ticker: 'X', assetClass: 'crypto' } as const;
    const decision = { at: T0, action: 'pin', reason: 'why', to, contracts: [] } as const;
    expect(await store.decisions.append({ ...decision, sequence: 1 })).toBe(true);
    expect(await store.decisions.append({ ...decision, sequence: 1, reason: 'another' })).toBe(false);
    expect(await store.decisions.append({ ...decision, sequence: 2 })).toBe(true);
    expect(store.decisions.since(1)).toEqual([{ ...decision, sequence: 2 }]);
  });

  it.skipIf(obstacle !== undefined)('merges, undoes and pins, and keeps the log', async () => {
    const start = await place();
    const host = await start();
    await list(host, ['AAA', 'BBB']);
    expect(await change(host, { action: 'merge', from: 'crypto:AAA', to: 'crypto:BBB' })).toMatchObject({
      ok: true,
    });
    expect(idOf(host, 'AAAUSDT')).toBe('crypto:BBB');
    expect(await change(host, { action: 'undo', sequence: 1 })).toMatchObject({ ok: true });
    expect(idOf(host, 'AAAUSDT')).toBe('crypto:AAA');
    const pin = { action: 'pin', venue: 'binance', symbol: 'BBBUSDT', to: 'equity:BBB' } as const;
    expect(await change(host, pin)).toMatchObject({ ok: true, decision: { sequence: 3 } });
    expect(await change(host, { action: 'undo', sequence: 9 })).toEqual({
      ok: false,
      error: 'there is no decision 9',
    });
    await host.store.close();
    const again = await start();
    expect(again.store.decisions.since(0).map(({ action }) => action)).toEqual(['merge', 'undo', 'pin']);
    await again.catchUp();
    expect(idOf(again, 'BBBUSDT')).toBe('equity:BBB');
    // A rule never takes back what an operator gave.
    await list(again, ['AAA', 'BBB'], later(900));
    expect(idOf(again, 'BBBUSDT')).toBe('equity:BBB');
  });

  it('says where identities are', async () => {
    if (obstacle !== undefined) return;
    const { store } = await (await place())();
    expect(store.place()).toEqual({
      kind: isShared ? 'postgres' : 'embedded',
      ok: true,
      waiting: 0,
      refused: 0,
    });
  });
});
