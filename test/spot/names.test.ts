import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../src/market/registry/lookup.ts';
import type { SpotMarket } from '../../src/modules/spot/spot-rows.ts';
import { ANSWERS } from './answers.ts';
import { spotCallFor, spotContext, spotSamples } from './recordings.ts';
import { readSimulated, SIMULATED } from './simulated-spot.ts';

const REGISTRY = createRegistry();
const PAGE = fileURLToPath(new URL('../../docs/identity.md', import.meta.url));

/** Rows of the table of names: where, the spot name, the asset, the relation. */
const NAMED = readFileSync(PAGE, 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, , , , relation]) => relation === 'same' || relation === 'wrapped')
  .map(([, venue, name, asset, relation]) => ({ venue, name, asset, relation }));

/** Markets of every list that was recorded, written from its format, or simulated. */
function listed(): readonly SpotMarket[] {
  const given = [...ANSWERS, ...spotSamples()].flatMap(
    ({ venue, url, payload }) => spotCallFor(venue, url)?.decode(payload, spotContext(url)).markets ?? [],
  );
  return [...given, ...SIMULATED.flatMap((plan) => readSimulated(plan).list.markets)];
}

/** The one coin that the registry knows a ticker as; undefined where it knows none, or several. */
const knownAs = (ticker: string): string | undefined => {
  const coins = REGISTRY.named(ticker).filter(({ assetClass }) => assetClass === 'crypto');
  return coins.length === 1 ? coins[0]?.ticker : undefined;
};

describe('names of spot that are not those of perpetuals', () => {
  it('every list: each name that is another asset’s stands in the table', () => {
    const markets = listed();
    expect(markets.length).toBeGreaterThan(1000);
    const missing = markets.filter(({ venue, base, ticker, multiplier, relation = 'same' }) => {
      const asset = knownAs(ticker) ?? ticker;
      if (multiplier !== 1 || base.toUpperCase() === asset) return false;
      const isRow = (row: (typeof NAMED)[number]): boolean =>
        (row.venue === venue || row.venue === 'any') &&
        row.name === base &&
        (row.asset === asset || row.asset === ticker) &&
        row.relation === relation;
      return !NAMED.some(isRow);
    });
    expect([...new Set(missing.map(({ venue, base, ticker }) => `${venue} ${base} is ${ticker}`))]).toEqual(
      [],
    );
  });

  it('every row of a venue: its names are read as it says', () => {
    const read = new Map(listed().map(({ venue, base, ticker }) => [`${venue} ${base}`, ticker]));
    const known = NAMED.filter(({ venue, name }) => read.has(`${venue} ${name}`));
    expect(known.length).toBeGreaterThan(10);
    for (const { venue, name, asset } of known) expect(read.get(`${venue} ${name}`), name).toBe(asset);
  });
});
