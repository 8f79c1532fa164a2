import { describe, expect, test } from 'vitest';
import { asMs } from '../../domain/units.ts';
import data from './data/renames.json' with { type: 'json' };
import { createRegistry } from './lookup.ts';
import { registryData } from './registry-data.ts';
import type { Rename } from './rename.ts';
import { createRenames, isSameAsset, partOf, tickerOf } from './renames.ts';

const { renames: RENAMES } = registryData();
const renames = createRenames();
const registry = createRegistry();
const day = (text: string) => asMs(Date.parse(`${text}T00:00:00Z`));

describe('the file of renames', () => {
  test('ids have a class and a slug, days are days, factors are positive', () => {
    for (const { from, to, day: first, factor, reusedFrom, takenFrom } of RENAMES) {
      for (const id of [from, to]) expect(id).toMatch(/^[a-z]+:[A-Z0-9]+$/);
      for (const date of [first, reusedFrom, takenFrom]) {
        if (date === undefined) continue;
        expect(new Date(date).toISOString().slice(0, 10), from).toBe(date);
      }
      expect(first <= data.asOf, from).toBe(true);
      expect(factor > 0 && Number.isFinite(factor), from).toBe(true);
      if (reusedFrom !== undefined) expect(reusedFrom > first, from).toBe(true);
    }
  });

  test('entries are ordered by day, and an old name is renamed once', () => {
    const days = RENAMES.map((rename) => rename.day);
    expect(days).toEqual([...days].sort());
    const old = RENAMES.filter(({ state }) => state === 'done').map(({ from }) => from);
    expect(new Set(old).size).toBe(old.length);
  });

  test('no name leads back to itself', () => {
    for (const { from } of RENAMES) {
      const seen = new Set<string>();
      for (let name: string | undefined = tickerOf(from); name !== undefined; name = renames.leadOf(name)) {
        expect(seen.has(name), from).toBe(false);
        seen.add(name);
      }
      expect(renames.erasOf(from).length, from).toBeLessThan(10);
    }
  });

  test('an alias that is a current ticker of another: only if used again', () => {
    for (const { from, reusedFrom } of RENAMES.filter(isSameAsset)) {
      const others = registry.assets.filter(({ canonicalId }) => canonicalId === from);
      expect(others.length > 0, from).toBe(reusedFrom !== undefined);
      const present = renames.presentOf(from)?.canonicalId;
      const named = registry.named(tickerOf(from)).filter(({ assetClass }) => assetClass === 'crypto');
      expect(
        named.map(({ canonicalId }) => canonicalId),
        from,
      ).toEqual([present ?? from]);
    }
  });

  test('every asset that a name became is in the registry', () => {
    for (const { to, state } of RENAMES) if (state === 'done') expect(registry.byId(to), to).toBeDefined();
  });
});

describe('renames', () => {
  const make = (from: string, to: string, more: Partial<Rename> = {}): Rename => ({
    from: `crypto:${from}`,
    to: `crypto:${to}`,
    day: '2025-01-10',
    factor: 1,
    history: 'joined',
    state: 'done',
    evidence: 'a test',
    source: 'https://x',
    confidence: 'announced',
    ...more,
  });

  test('a name used again: the id of now is another asset, that of then is not', () => {
    expect(renames.presentOf('crypto:LIT')).toBeUndefined();
    expect(renames.presentOf('crypto:LIT', day('2024-06-01'))?.canonicalId).toBe('crypto:HEI');
    expect(renames.presentOf('crypto:LIT', day('2025-12-23'))).toBeUndefined();
    expect(renames.erasOf('crypto:LIT')).toEqual([
      { canonicalId: 'crypto:LIT', from: day('2025-12-23'), to: undefined, factor: 1 },
    ]);
    expect(renames.erasOf('crypto:HEI')).toMatchObject([
      { canonicalId: 'crypto:LIT', to: day('2025-12-23'), factor: 1 },
      { canonicalId: 'crypto:HEI', from: undefined },
    ]);
  });

  test('a new unit under one name: the past counts in the unit of now', () => {
    expect(renames.erasOf('crypto:STRAX')).toEqual([
      { canonicalId: 'crypto:STRAX', from: undefined, to: day('2024-03-20'), factor: 10 },
      { canonicalId: 'crypto:STRAX', from: day('2024-03-20'), to: undefined, factor: 1 },
    ]);
  });

  test('another unit: the old name ends with its day and keeps its id', () => {
    expect(renames.presentOf('crypto:MKR')).toBeUndefined();
    expect(renames.erasOf('crypto:SKY')).toEqual([
      { canonicalId: 'crypto:MKR', from: undefined, to: day('2025-09-10'), factor: 24_000 },
      { canonicalId: 'crypto:SKY', from: undefined, to: undefined, factor: 1 },
    ]);
  });

  test('a merger joins no past', () => {
    expect(renames.erasOf('crypto:FET')).toHaveLength(1);
    expect(renames.leadOf('AGIX')).toBe('FET');
  });

  test('a chain of renames: factors multiply and bounds narrow', () => {
    const chain = createRenames([
      make('A', 'B', { factor: 10, day: '2025-01-10' }),
      make('B', 'C', { factor: 4, day: '2025-03-01', takenFrom: '2025-03-01' }),
      make('C', 'D', { day: '2025-06-01' }),
    ]);
    expect(chain.erasOf('crypto:D')).toEqual([
      { canonicalId: 'crypto:A', from: undefined, to: day('2025-01-11'), factor: 40 },
      { canonicalId: 'crypto:B', from: undefined, to: day('2025-03-02'), factor: 4 },
      { canonicalId: 'crypto:C', from: day('2025-03-01'), to: undefined, factor: 1 },
      { canonicalId: 'crypto:D', from: undefined, to: undefined, factor: 1 },
    ]);
    expect(chain.wayOf('A', 'crypto:D').map(({ from }) => from)).toEqual([
      'crypto:A',
      'crypto:B',
      'crypto:C',
    ]);
    expect(chain.presentOf('crypto:C')).toEqual({ canonicalId: 'crypto:D', ticker: 'D' });
  });

  test('an announced name leads to the one that venues list', () => {
    expect(renames.leadOf('DATA')).toBe('IP');
    expect(renames.leadOf('IP')).toBeUndefined();
    expect(renames.leadOf('CX')).toBeUndefined();
    expect(renames.wayOf('DATA', 'crypto:IP')).toHaveLength(1);
  });

  test('the part of a span in an era: clipped; an empty one is none', () => {
    const span = { from: asMs(100), to: asMs(200) };
    expect(partOf({ from: undefined, to: undefined }, span)).toEqual(span);
    expect(partOf({ from: asMs(150), to: undefined }, span)).toEqual({ from: 150, to: 200 });
    expect(partOf({ from: undefined, to: asMs(100) }, span)).toBeUndefined();
  });
});
