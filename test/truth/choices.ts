import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/modules/routes.ts';
import { chosenCurrency } from '../../src/products/choice/chosen-market.ts';
import { isHeldToVenues, namedParts, withoutFilters } from '../api/choice-law.ts';
import { Findings, inner, items, RATE_BPS } from './near.ts';
import { api, STALE_VENUE } from './truth-api.ts';
import type { Truth } from './truth-table.ts';

/** Products of the present that can be held to a part of the market. */
const CHOOSING = ROUTES.filter((route) => isHeldToVenues(route) && !route.dependsOn.includes('history'));
const RUNS = 12;
/** Codes of answers to a choice that leaves too little. */
const TOO_LITTLE: ReadonlySet<unknown> = new Set(['single_venue', 'no_data', 'not_listed', 'not_ready']);

const venueIds = (): readonly string[] => api.source.market.view.venues().map(({ info }) => info.id);

/** The path of a route about an asset, and the least that it has to be asked. */
function asked(path: string, id: string): readonly [string, Readonly<Record<string, string>>] {
  if (path.includes('{symbol}')) return [path.replace('{symbol}', id), {}];
  if (path.endsWith('/arbitrage/price')) return [path, { limit: '100', min_diff_bps: '0' }];
  if (path.endsWith('/arbitrage/funding')) return [path, { limit: '100', min_diff: '0' }];
  if (path.includes('/arbitrage/')) return [path, { limit: '100' }];
  return [path, { ticker: id }];
}

const widest = (rows: readonly Truth[]): number => {
  const rates = rows.map(({ fundingRate }) => fundingRate);
  return (Math.max(...rates) - Math.min(...rates)) * 1e4;
};

const isUsable = ({ venue, canonicalId }: Truth): boolean => {
  const { dead } = api.source.world.planted;
  return venue !== STALE_VENUE && !(venue === dead.venue && canonicalId === dead.asset.id);
};

describe('an answer that is held to a part of the market', () => {
  it.each(CHOOSING)('$path: names no other venue and no other currency', async ({ path }) => {
    const quotes = ['USDT', 'USDC', 'USD'];
    const found = new Findings();
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([...venueIds()], { minLength: 6, maxLength: 20 }),
        fc.subarray(quotes, { minLength: 1 }),
        fc.boolean(),
        fc.nat(),
        async (venues, currencies, isExcluded, pick) => {
          const id = api.assets[pick % api.assets.length] ?? '';
          const [target, query] = asked(path, id);
          const others = venueIds().filter((venue) => !venues.includes(venue));
          const which = isExcluded ? { exclude: others.join() } : { venues: venues.join() };
          const { status, body } = await api.get(target, { ...query, ...which, quote: currencies.join() });
          if (status !== 200) {
            found.same(`${target} ${status}`, TOO_LITTLE.has(body.code), true);
            return;
          }
          answered++;
          const named = namedParts(body);
          found.same(
            `${target} venues`,
            named.venues.filter((venue) => !venues.includes(venue)),
            [],
          );
          const strange = named.quotes.filter((quote) => !currencies.includes(chosenCurrency(quote)));
          found.same(`${target} quotes`, strange, []);
          found.same(`${target} quote`, inner(body, 'filters').quote, currencies);
        },
      ),
      { numRuns: RUNS },
    );
    expect(found.list.slice(0, 5)).toEqual([]);
    expect(answered).toBeGreaterThan(0);
  });

  it.each(CHOOSING)('$path: held to all venues it is the answer without', async ({ path }) => {
    const [target, query] = asked(path, 'crypto:BTC');
    const without = await api.get(target, query);
    const all = await api.get(target, { ...query, venues: venueIds().join() });
    expect(without.status).toBe(200);
    expect(all.status).toBe(200);
    expect(inner(all.body, 'filters')).toEqual({ venues: venueIds() });
    expect(withoutFilters(all.body)).toEqual(without.body);
    expect(without.body).not.toHaveProperty('filters');
  });

  it('the widest pair is that of its venues, not of all', async () => {
    const found = new Findings();
    let judged = 0;
    for (const [i, id] of api.assets.entries()) {
      const venues = venueIds().filter((_, at) => (at + i) % 3 !== 0);
      const rows = api.truth.of(id).filter((row) => isUsable(row) && venues.includes(row.venue));
      const query = { ticker: id, venues: venues.join() };
      const { status, body } = await api.get('/v1/perp/funding-spread', query);
      found.same(`${id} status`, status === 200, rows.length > 1);
      if (status !== 200) continue;
      judged++;
      found.number(`${id} spread`, inner(body, 'spread').spread_bps, widest(rows), RATE_BPS);
    }
    expect(found.list.slice(0, 10)).toEqual([]);
    expect(judged).toBeGreaterThan(20);
  });

  it('a scan of some assets finds what the scan of all does of these', async () => {
    const ids = api.assets.slice(0, 20);
    const query = { min_diff: 0, limit: 100 };
    const some = await api.get('/v1/perp/arbitrage/funding', { ...query, symbol: ids.join() });
    const found = new Findings();
    const list = items(some.body, 'opportunities');
    const several = ids.filter((id) => api.truth.of(id).filter(isUsable).length > 1);
    found.same('assets', list.map((item) => item.canonical_id).sort(), [...several].sort());
    for (const item of list) {
      const rows = api.truth.of(String(item.canonical_id)).filter(isUsable);
      found.number(`${item.canonical_id}`, item.spread_bps, widest(rows), RATE_BPS);
    }
    expect(found.list.slice(0, 10)).toEqual([]);
  });
});
