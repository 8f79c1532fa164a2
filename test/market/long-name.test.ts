import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { makeInstrument } from '../../src/market/market-fixture.ts';
import { openMarketStore } from '../../src/market/store-lmdb.ts';
import { writeTogether } from '../../src/storage/write-together.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'long-name-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LONG = 'X'.repeat(2000);

it('a name that LMDB does not take: all others are kept, and it is counted', async () => {
  const store = openMarketStore(folder);
  const identity = createInstrumentIdentities(store.identities);
  for (const symbol of ['BTCUSDT', LONG, 'ETHUSDT']) {
    identity.assign(makeInstrument({ venue: 'bybit', symbol }), asMs(1000));
  }
  identity.commit();
  identity.assign(makeInstrument({ venue: 'okx', symbol: 'SOL-USDT-SWAP' }), asMs(2000));
  identity.commit();
  expect([identity.refused('bybit'), identity.refused('okx')]).toEqual([1, 0]);
  expect(store.place()).toMatchObject({ ok: true, refused: 1 });
  await store.close();
  const again = openMarketStore(folder);
  const kept = again.identities.load().map(({ symbol }) => symbol);
  expect(kept.sort()).toEqual(['BTCUSDT', 'ETHUSDT', 'SOL-USDT-SWAP']);
  await again.close();
});

it('a store that takes nothing: its own words are thrown', () => {
  const full = {
    transactionSync: () => {
      throw new Error('No space left on device');
    },
  };
  expect(() => writeTogether(full, ['a', 'b'], () => undefined)).toThrow('No space left on device');
});
