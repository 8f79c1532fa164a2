import { describe, expect, it } from 'vitest';
import type { Wire } from '../../src/domain/read.ts';
import { BPS_PLACE, Findings, inner, items, PRICE_BPS, RATE_BPS } from './near.ts';
import { trueRates } from './true-rates.ts';
import { api, STALE_VENUE } from './truth-api.ts';
import type { Truth } from './truth-table.ts';

const LIMIT = 100;

/** Usable rows of every asset with at least two. */
function assets(): readonly (readonly Truth[])[] {
  const { dead } = api.source.world.planted;
  return [...api.truth.byAsset.values()]
    .map((rows) =>
      rows.filter(
        ({ venue, canonicalId }) =>
          venue !== STALE_VENUE && !(venue === dead.venue && canonicalId === dead.asset.id),
      ),
    )
    .filter((rows) => rows.length > 1);
}

const width = (rows: readonly Truth[], of: (row: Truth) => number): number =>
  Math.max(...rows.map(of)) - Math.min(...rows.map(of));

/** An answer's list is the widest assets in their order, each as wide as it is in truth. */
function judgeRanking(
  found: Findings,
  list: readonly Wire[],
  expected: ReadonlyMap<string, number>,
  measure: string,
  tolerance: number,
): void {
  const widest = [...expected.values()].sort((a, b) => b - a);
  found.same('count', list.length, Math.min(LIMIT, widest.length));
  list.forEach((item, i) => {
    const id = String(item.canonical_id);
    found.number(`${id} ${measure}`, item[measure], expected.get(id), tolerance);
    found.number(`place ${i}`, item[measure], widest[i], tolerance);
  });
}

describe('the scans over the simulated world', () => {
  it('find the widest funding spreads', async () => {
    const found = new Findings();
    const rate = ({ fundingRate }: Truth): number => fundingRate;
    const expected = new Map(assets().map((rows) => [rows[0]?.canonicalId ?? '', width(rows, rate)]));
    const { body } = await api.get('/v1/perp/arbitrage/funding', { min_diff: 0, limit: LIMIT });
    judgeRanking(found, items(body, 'opportunities'), expected, 'spread', (RATE_BPS - BPS_PLACE) / 1e4);
    expect(found.list).toEqual([]);
  });

  it('apply a threshold on either side of a spread', async () => {
    const found = new Findings();
    const rate = ({ fundingRate }: Truth): number => fundingRate;
    const widths = assets().map((rows) => width(rows, rate));
    const sorted = [...widths].sort((a, b) => b - a);
    const [at = 0, below = 0] = sorted.slice(30, 32);
    const query = { min_diff: (at + below) / 2, limit: LIMIT };
    const { body } = await api.get('/v1/perp/arbitrage/funding', query);
    found.same('count', body.count, 31);
    expect(found.list).toEqual([]);
  });

  it('find the funding pairs that are widest by eight hours', async () => {
    const found = new Findings();
    const known = assets()
      .map((rows) => rows.filter(({ rate8h }) => rate8h !== undefined))
      .filter((rows) => rows.length > 1);
    const widest = new Map(
      known.map((rows) => [rows[0]?.canonicalId ?? '', width(rows, (row) => row.rate8h ?? 0) * 1e4]),
    );
    const order = [...widest.values()].sort((a, b) => b - a);
    const query = { min_diff: 0, limit: LIMIT, sort: 'normalized' };
    const { body } = await api.get('/v1/perp/arbitrage/funding', query);
    const list = items(body, 'opportunities');
    found.same('count', list.length, LIMIT);
    for (const [place, item] of list.entries()) {
      const id = String(item.canonical_id);
      const best = inner(item, 'normalized');
      found.number(`${id} 8h`, best.spread_8h_bps, widest.get(id), RATE_BPS);
      found.number(`place ${place}`, best.spread_8h_bps, order[place], RATE_BPS);
      found.number(`${id} apr`, best.apr_spread_pct, (widest.get(id) ?? 0) * 10.95, 1e-3);
      for (const [leg, field] of [
        [inner(best, 'short'), 'short'],
        [inner(best, 'long'), 'long'],
      ] as const) {
        const truth = api.truth.of(id).find(({ venue }) => venue === leg.venue);
        found.same(`${id} ${field} symbol`, leg.venue_symbol, truth?.symbol);
        found.same(`${id} ${field} quote`, leg.quote, truth?.quote);
        found.rate(`${id} ${field} rate_8h`, leg.rate_8h, truth?.rate8h);
      }
      const single = (await api.get('/v1/perp/funding-spread', { ticker: id })).body;
      found.same(`${id} alone`, inner(single, 'normalized').spread_8h_bps, best.spread_8h_bps);
    }
    expect(found.list.slice(0, 10)).toEqual([]);
  });

  it('the widest price spreads: found, quotes brought to one', async () => {
    const found = new Findings();
    const rates = trueRates(api);
    const { body } = await api.get('/v1/perp/arbitrage/price', { min_diff_bps: 0, limit: LIMIT });
    const stated = inner(body, 'quote_rates');
    found.same('unit', stated.unit, 'USDT');
    found.same(
      'currencies',
      items(stated, 'rates').map(({ quote }) => quote),
      [...rates.keys()].filter((quote) => quote !== 'USDT').sort(),
    );
    for (const one of items(stated, 'rates')) {
      found.price(`${one.quote}`, one.rate, rates.get(String(one.quote)));
    }
    const pairBps = (a: Truth, b: Truth): number => {
      const first = rates.get(a.quote);
      const second = rates.get(b.quote);
      const isTied = first !== undefined && second !== undefined;
      const [x, y] = isTied ? [a.mark * first, b.mark * second] : [a.mark, b.mark];
      return (Math.abs(x - y) / ((x + y) / 2)) * 1e4;
    };
    const expected = new Map(
      assets().map((rows) => {
        const all = rows.flatMap((a, i) => rows.slice(i + 1).map((b) => pairBps(a, b)));
        return [rows[0]?.canonicalId ?? '', Math.max(...all)] as const;
      }),
    );
    const list = items(body, 'opportunities');
    judgeRanking(found, list, expected, 'spread_bps', PRICE_BPS);
    let adjusted = 0;
    for (const item of list) {
      const rows = api.truth.of(String(item.canonical_id));
      const high = rows.find(({ venue }) => venue === item.max_venue);
      const low = rows.find(({ venue }) => venue === item.min_venue);
      const id = String(item.canonical_id);
      const isTied = rates.has(high?.quote ?? '') && rates.has(low?.quote ?? '');
      const isSame = high?.quote === low?.quote;
      const worth = (truth: Truth | undefined): number =>
        (truth?.mark ?? Number.NaN) * (isTied && !isSame ? (rates.get(truth?.quote ?? '') ?? 1) : 1);
      if (isTied && !isSame) adjusted++;
      found.price(`${id} max`, item.max_price, worth(high));
      found.price(`${id} min`, item.min_price, worth(low));
      found.same(`${id} adjusted`, item.quote_adjusted, isTied || isSame);
      found.price(`${id} max mark`, inner(item, 'max_leg').mark_price, high?.mark);
      found.price(`${id} min mark`, inner(item, 'min_leg').mark_price, low?.mark);
      found.same(
        `${id} quotes`,
        [inner(item, 'max_leg').quote, inner(item, 'min_leg').quote],
        [high?.quote, low?.quote],
      );
    }
    expect(found.list).toEqual([]);
    expect(adjusted).toBeGreaterThan(0);
  });

  it('cover every asset from outside crypto, venue by venue', async () => {
    const found = new Findings();
    const classes = new Map(
      api.source.market.view.rows().map((row) => [row.canonicalId, row.assetClass as string]),
    );
    const { body } = await api.get('/v1/rwa/perp-coverage');
    const list = items(body, 'assets');
    const real = [...api.truth.byAsset].filter(
      ([id, rows]) => !id.startsWith('crypto:') && rows.some(({ venue }) => venue !== STALE_VENUE),
    );
    found.same(
      'assets',
      list.map((opportunity) => opportunity.canonical_id).sort(),
      real.map(([id]) => id).sort(),
    );
    for (const asset of list) {
      const id = String(asset.canonical_id);
      found.same(`${id} class`, asset.asset_class, id.split(':')[0]);
      found.same(`${id} class of rows`, classes.get(id), asset.asset_class);
      for (const item of items(asset, 'venues')) {
        const truth = api.truth.of(id).find(({ venue }) => venue === item.venue);
        found.same(`${id} symbol`, item.symbol, truth?.symbol);
        found.price(`${id} mark`, item.mark_price, truth?.mark);
        found.price(`${id} interest`, item.open_interest_usd, truth?.openInterestUsd);
        found.price(`${id} volume`, item.volume_24h_usd, truth?.volumeUsd);
        found.rate(`${id} rate`, item.funding_rate, truth?.fundingRate);
      }
    }
    expect(found.list.slice(0, 10)).toEqual([]);
    expect(list.length).toBeGreaterThan(20);
  });

  it('list every current rate, and the rejected one only when asked to', async () => {
    const found = new Findings();
    const { dead } = api.source.world.planted;
    const tickers = new Map<unknown, unknown>();
    for (const uncomparable of [false, true]) {
      const seen = new Set<string>();
      for (let offset = 0; ; offset += 1000) {
        const query = { limit: 1000, offset, include_uncomparable: String(uncomparable) };
        const { status, body } = await api.get('/v1/funding/current', query);
        if (status === 404) break;
        found.same('not live', String(body.venues_not_live), STALE_VENUE);
        for (const row of items(body, 'rates')) {
          const truth = api.truth.of(String(row.canonical_id)).find(({ venue }) => venue === row.venue);
          const where = `${row.venue} ${row.canonical_id}`;
          seen.add(where);
          found.same(`${where} of a live venue`, row.venue === STALE_VENUE, false);
          found.rate(`${where} rate`, row.rate, truth?.fundingRate);
          found.rate(`${where} rate_8h`, row.rate_8h, truth?.rate8h);
          found.price(`${where} mark`, row.mark_price, truth?.mark);
          found.price(`${where} interest`, row.open_interest, truth?.openInterestUsd);
          found.price(`${where} volume`, row.volume_24h, truth?.volumeUsd);
          const ticker = tickers.get(row.canonical_id) ?? row.symbol;
          tickers.set(row.canonical_id, ticker);
          found.same(`${where} ticker`, row.symbol, ticker);
        }
        if (body.has_more !== true) break;
      }
      found.same('dead is listed', seen.has(`${dead.venue} ${dead.asset.id}`), uncomparable);
      const fresh = api.truth.all().filter(({ venue }) => venue !== STALE_VENUE);
      found.same('rows', seen.size, fresh.length - (uncomparable ? 0 : 1));
    }
    expect(found.list.slice(0, 10)).toEqual([]);
  });

  it('name no stale venue and no dead market', async () => {
    const { dead } = api.source.world.planted;
    for (const path of ['/v1/perp/arbitrage/funding', '/v1/perp/arbitrage/price']) {
      const { body } = await api.get(path, path.endsWith('price') ? { min_diff_bps: 0 } : { min_diff: 0 });
      const named = items(body, 'opportunities').flatMap((item) => [
        `${item.max_venue} ${item.canonical_id}`,
        `${item.min_venue} ${item.canonical_id}`,
      ]);
      expect(named.filter((leg) => leg.startsWith(`${STALE_VENUE} `))).toEqual([]);
      expect(named).not.toContain(`${dead.venue} ${dead.asset.id}`);
    }
  });

  it('rank the funding signal as its formulas say', async () => {
    const found = new Findings();
    const query = { min_diff: 0, limit: LIMIT, include_below_1k: 'true' };
    const { body } = await api.get('/v1/perp/arbitrage/funding-signal', query);
    const list = items(body, 'opportunities');
    const usable = assets();
    const sizes = new Set<number>();
    found.same('count', body.count, LIMIT);
    for (const item of list) {
      const id = String(item.canonical_id);
      const rows = (usable.find(([first]) => first?.canonicalId === id) ?? []).filter(
        (row) => row.rate8h !== undefined && row.takerFeeBps !== undefined,
      );
      const short = rows.find(({ venue }) => venue === item.short_venue);
      const long = rows.find(({ venue }) => venue === item.long_venue);
      const spread = width(rows, (row) => row.rate8h ?? 0) * 1e4;
      found.number(`${id} 8h`, item.normalized_spread_8h_bps, spread, RATE_BPS);
      const gross = ((short?.fundingRate ?? 0) - (long?.fundingRate ?? 0)) * 1e4;
      found.number(`${id} gross`, item.gross_funding_spread_bps, gross, RATE_BPS);
      const fee = 2 * ((short?.takerFeeBps ?? 0) + (long?.takerFeeBps ?? 0));
      found.number(`${id} fee`, item.round_trip_fee_bps, fee, 1e-9);
      found.same(`${id} net`, item.net_of_fees_positive, gross > fee);
      const known = item.max_notional_usd !== null;
      const filled = Number(item.max_notional_usd ?? 0);
      const costs = filled === 0 ? undefined : fee + 2 * Number(item.entry_slippage_bps);
      const periods = costs === undefined ? undefined : costs / spread;
      found.number(`${id} breakeven`, item.funding_periods_to_breakeven, periods, 1e-3);
      const size = Math.sqrt(filled / 10_000);
      const score = known ? (3 * spread - (costs ?? 0) / 7) * size : undefined;
      found.number(`${id} score`, item.signal_score, score, 1e-3);
      const clears = score === undefined ? null : score > 0;
      found.same(`${id} clears`, item.clears_costs, clears);
      const days = Number(body.holding_days);
      const net = costs === undefined ? undefined : spread * 10.95 - ((costs / 100) * 365) / days;
      found.number(`${id} net apr`, item.net_apr_pct, net, 1e-2);
      found.same(`${id} short`, inner(item, 'short').venue_symbol, short?.symbol);
      found.same(`${id} long`, inner(item, 'long').venue_symbol, long?.symbol);
      sizes.add(filled);
      const shallow = known ? 'none' : 'unknown';
      found.same(`${id} class`, item.depth_class === shallow, filled === 0);
    }
    const scores = list.map((opportunity) => Number(opportunity.signal_score ?? Number.NEGATIVE_INFINITY));
    found.same(
      'order',
      scores,
      [...scores].sort((a, b) => (a === b ? 0 : b - a)),
    );
    expect(found.list.slice(0, 10)).toEqual([]);
  });

  it('give away one pair in the preview: the widest that clears its fees', async () => {
    const clearing = assets().flatMap((rows) => {
      const known = rows.filter((row) => row.rate8h !== undefined && row.takerFeeBps !== undefined);
      const byRate = [...known].sort((a, b) => (b.rate8h ?? 0) - (a.rate8h ?? 0));
      const short = byRate[0];
      const long = byRate.at(-1);
      if (short === undefined || long === undefined) return [];
      const gross = (short.fundingRate - long.fundingRate) * 1e4;
      return gross > 2 * ((short.takerFeeBps ?? 0) + (long.takerFeeBps ?? 0)) ? [gross] : [];
    });
    const { body } = await api.get('/v1/preview/funding-signal');
    const signal = inner(body, 'signal');
    if (clearing.length === 0) expect(body.signal).toBeNull();
    else {
      expect(Math.abs(Number(signal.gross_funding_spread_bps) - Math.max(...clearing))).toBeLessThan(1e-3);
    }
    const withheld = ['max_notional_usd', 'depth_class', 'entry_slippage_bps', 'signal_score'];
    expect(Object.keys(signal).filter((name) => withheld.includes(name))).toEqual([]);
    expect(JSON.stringify(body)).not.toContain('opportunities');
  });
});
