import { expect, test } from 'vitest';
import { createRegistry } from '../../market/registry/lookup.ts';
import assetNames from './asset-names.json' with { type: 'json' };

test('the file of spoken names: sorted, and each leads to an asset', () => {
  const registry = createRegistry();
  for (const [name, ticker] of Object.entries(assetNames)) {
    expect(name, ticker).toBe(name.toLowerCase());
    expect(registry.named(ticker).length, name).toBeGreaterThan(0);
  }
  const names = Object.keys(assetNames);
  expect(names).toEqual([...names].sort());
});
