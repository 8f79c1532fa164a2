import { describe, expect, test } from 'vitest';
import { createRegistry } from './lookup.ts';

const registry = createRegistry();

describe('assets of the registry', () => {
  test('canonical ids are unique and carry their class', () => {
    const ids = registry.assets.map((asset) => asset.canonicalId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const asset of registry.assets) {
      expect(asset.canonicalId.startsWith(`${asset.assetClass}:`), asset.canonicalId).toBe(true);
      expect(asset.canonicalId).toMatch(/^[a-z]+:[A-Z0-9]+$/);
      expect(asset.evidence.length, asset.canonicalId).toBeGreaterThan(10);
    }
  });

  test('assets of one class behind one name: price ranges do not overlap', () => {
    const seen = new Set<string>();
    for (const asset of registry.assets) for (const name of [asset.ticker, ...asset.aliases]) seen.add(name);
    for (const name of seen) {
      const group = registry.named(name);
      for (const a of group) {
        for (const b of group) {
          if (a === b || a.assetClass !== b.assetClass) continue;
          const [lowA, highA] = a.priceRange ?? [0, Number.POSITIVE_INFINITY];
          const [lowB, highB] = b.priceRange ?? [0, Number.POSITIVE_INFINITY];
          expect(highA <= lowB || highB <= lowA, `${a.canonicalId} and ${b.canonicalId}`).toBe(true);
        }
      }
    }
  });

  test('a name declared as unique belongs to one asset only', () => {
    for (const asset of registry.assets.filter(({ soleName }) => soleName === true)) {
      for (const name of [asset.ticker, ...asset.aliases]) expect(registry.named(name)).toEqual([asset]);
    }
  });
});

describe('registry lookups', () => {
  test('gold and its tokens are three assets', () => {
    expect(registry.named('GOLD').map((a) => a.canonicalId)).toEqual(['commodity:XAU']);
    expect(registry.named('XAU').map((a) => a.canonicalId)).toEqual(['commodity:XAU']);
    expect(registry.named('PAXG').map((a) => a.canonicalId)).toEqual(['crypto:PAXG']);
    expect(registry.named('XAUT').map((a) => a.canonicalId)).toEqual(['crypto:XAUT']);
  });

  test('a name on one venue does not leak to others', () => {
    expect(registry.onVenue('hyperliquid-flx', 'GAS')?.canonicalId).toBe('commodity:NATGAS');
    expect(registry.onVenue('binance', 'GAS')).toBeUndefined();
  });

  test('decorations are removed on their venue only', () => {
    expect(registry.undecorated('kraken', 'AAPLx')).toEqual({ name: 'AAPL', assetClass: 'equity' });
    expect(registry.undecorated('kraken', 'AVAX')).toBeUndefined();
    expect(registry.undecorated('binance', 'AAPLx')).toBeUndefined();
    expect(registry.undecorated('extended', 'NVDA_24_5')).toEqual({ name: 'NVDA', assetClass: 'equity' });
    expect(registry.undecorated('bingx', 'NCSKTSLA2USD')).toEqual({ name: 'TSLA', assetClass: 'equity' });
  });

  test('sub-venues of shares have no default class, the crypto one has', () => {
    expect(registry.defaultClass('hyperliquid-xyz')).toBe('unknown');
    expect(registry.defaultClass('hyperliquid-hyna')).toBe('crypto');
    expect(registry.defaultClass('hyperliquid')).toBe('crypto');
  });
});
