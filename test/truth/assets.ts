import { describe, expect, it } from 'vitest';
import type { Wire } from '../../src/domain/read.ts';
import { truthOf } from './contract-truth.ts';
import { byVenue, Findings, inner, items, PRICE, PRICE_BPS, RATE, RATE_BPS } from './near.ts';
import { api, type Reply, STALE_VENUE } from './truth-api.ts';
import type { Truth } from './truth-table.ts';

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const isDead = ({ venue, canonicalId }: Truth): boolean => {
  const { dead } = api.source.world.planted;
  return venue === dead.venue && canonicalId === dead.asset.id;
};
/** Rows that may be compared over venues: alive, and read a moment ago. */
const usable = (id: string): readonly Truth[] =>
  api.truth.of(id).filter((truth) => truth.venue !== STALE_VENUE && !isDead(truth));
const mean = (pairs: readonly (readonly [number, number])[]): number =>
  sum(pairs.map(([value, weight]) => value * weight)) / sum(pairs.map(([, weight]) => weight));

/** Asks a route about every asset and checks each answer against the truth. */
/** Finds the worth of an asset elsewhere: none before its market, whatever a venue calls its index. */
const indexOf = (id: string, { hasIndex, index }: Truth): number | undefined =>
  hasIndex && !id.startsWith('prelaunch:') ? index : undefined;

async function everyAsset(
  ask: (id: string) => Promise<Reply>,
  judge: (body: Wire, rows: readonly Truth[], found: Findings, id: string) => void,
  least = 1,
): Promise<void> {
  const found = new Findings();
  let judged = 0;
  for (const id of api.assets) {
    const rows = usable(id);
    const { status, body } = await ask(id);
    found.same(`${id} status`, status, rows.length >= least ? 200 : rows.length === 0 ? 503 : 404);
    if (status !== 200) continue;
    judged++;
    found.same(`${id} canonical_id`, body.canonical_id, id);
    judge(body, rows, found, id);
  }
  expect(found.list.slice(0, 10)).toEqual([]);
  expect(judged).toBeGreaterThan(150);
}

/** Legs named by an answer are the extremes, and what follows from them is right. */
function judgeLegs(found: Findings, id: string, rows: readonly Truth[], short: unknown, long: unknown) {
  const high = rows.find(({ venue }) => venue === short);
  const low = rows.find(({ venue }) => venue === long);
  found.number(
    `${id} highest`,
    high?.fundingRate,
    Math.max(...rows.map(({ fundingRate }) => fundingRate)),
    RATE,
  );
  found.number(
    `${id} lowest`,
    low?.fundingRate,
    Math.min(...rows.map(({ fundingRate }) => fundingRate)),
    RATE,
  );
  const known = high?.rate8h !== undefined && low?.rate8h !== undefined;
  const normalized = known ? ((high.rate8h ?? 0) - (low.rate8h ?? 0)) * 1e4 : undefined;
  const raw = ((high?.fundingRate ?? 0) - (low?.fundingRate ?? 0)) * 1e4;
  return { high, low, normalized, raw };
}

describe('for every asset of the simulated world', () => {
  it('the funding spread: between extremes of its usable venues', () =>
    everyAsset(
      (ticker) => api.get('/v1/perp/funding-spread', { ticker }),
      (body, rows, found, id) => {
        const spread = inner(body, 'spread');
        const legs = judgeLegs(found, id, rows, spread.short_venue, spread.long_venue);
        found.same(`${id} venues`, body.venues_count, rows.length);
        found.rate(`${id} short`, spread.short_rate, legs.high?.fundingRate);
        found.rate(`${id} long`, spread.long_rate, legs.low?.fundingRate);
        found.number(`${id} bps`, spread.spread_bps, legs.raw, RATE_BPS);
        found.same(`${id} short hours`, spread.short_interval_hours, legs.high?.intervalHours ?? null);
        found.same(`${id} long hours`, spread.long_interval_hours, legs.low?.intervalHours ?? null);
        found.number(`${id} 8h`, spread.normalized_spread_8h_bps, legs.normalized, RATE_BPS);
        const apr = legs.normalized === undefined ? undefined : legs.normalized * 10.95;
        found.number(`${id} apr`, spread.apr_spread_pct, apr, RATE_BPS * 11);
      },
      2,
    ));

  it('the spread snapshot says the same', () =>
    everyAsset(
      (id) => api.get(`/v1/funding/spread/${id}`),
      (body, rows, found, id) => {
        const legs = judgeLegs(found, id, rows, body.max_venue, body.min_venue);
        found.rate(`${id} max`, body.max_rate, legs.high?.fundingRate);
        found.rate(`${id} min`, body.min_rate, legs.low?.fundingRate);
        found.number(`${id} bps`, body.spread_bps, legs.raw, RATE_BPS);
        found.number(`${id} 8h`, body.normalized_spread_8h_bps, legs.normalized, RATE_BPS);
      },
      2,
    ));

  it('carry is the rate of each usable venue over a year', () =>
    everyAsset(
      (ticker) => api.get('/v1/perp/carry', { ticker }),
      (body, rows, found, id) => {
        const answered = byVenue(items(body, 'items'));
        found.same(`${id} venues`, [...answered.keys()], inSourceOrder(rows));
        for (const row of rows) {
          const item = answered.get(row.venue) ?? {};
          const hours = row.intervalHours;
          const carry = hours === undefined ? undefined : row.fundingRate * (24 / hours) * 365 * 100;
          found.rate(`${id} ${row.venue} rate`, item.funding_rate, row.fundingRate);
          found.number(`${id} ${row.venue} carry`, item.annualized_carry_pct, carry, 1e-4);
          found.price(`${id} ${row.venue} mark`, item.mark_price, row.mark);
          const sign = row.fundingRate > 0 ? 'contango' : row.fundingRate < 0 ? 'backwardation' : 'flat';
          found.same(`${id} ${row.venue} structure`, item.structure, sign);
        }
      },
    ));

  it('basis is each mark against its index, with the dead market flagged', async () => {
    const found = new Findings();
    let dead = 0;
    for (const id of api.assets) {
      const rows = api.truth.of(id).filter(({ venue }) => venue !== STALE_VENUE);
      const { status, body } = await api.get('/v1/perp/basis', { ticker: id });
      if (rows.length === 0) {
        found.same(`${id} status`, status, 503);
        continue;
      }
      const answered = byVenue(items(body, 'items'));
      found.same(`${id} venues`, [...answered.keys()], inSourceOrder(rows));
      const without = rows.filter((row) => indexOf(id, row) === undefined);
      found.same(`${id} without`, body.venues_without_index, inSourceOrder(without));
      for (const row of rows) {
        const item = answered.get(row.venue) ?? {};
        const index = indexOf(id, row);
        const bps = index === undefined ? undefined : ((row.mark - index) / index) * 1e4;
        found.price(`${id} ${row.venue} mark`, item.mark_price, row.mark);
        found.price(`${id} ${row.venue} index`, item.index_price, index);
        found.number(`${id} ${row.venue} bps`, item.basis_bps, bps, PRICE_BPS);
        found.same(`${id} ${row.venue} state`, item.liquidity_state, isDead(row) ? 'dead' : 'live');
        found.same(`${id} ${row.venue} reliable`, item.basis_reliable, !isDead(row) && index !== undefined);
        if (isDead(row)) dead++;
      }
    }
    expect(found.list.slice(0, 10)).toEqual([]);
    expect(dead).toBe(1);
  });

  it('the snapshot adds up what its venues state', () =>
    everyAsset(
      (ticker) => api.get('/v1/perp/snapshot', { ticker }),
      (body, rows, found, id) => {
        const known = rows.filter(({ rate8h }) => rate8h !== undefined);
        const rate = mean(known.map((row) => [row.rate8h ?? 0, row.openInterestUsd]));
        const totals = rows.map(({ venueTotals }) => venueTotals);
        found.price(
          `${id} interest`,
          body.total_open_interest_usd,
          sum(totals.map((t) => t.openInterestUsd)),
        );
        found.price(`${id} volume`, body.total_volume_24h_usd, sum(totals.map((t) => t.volumeUsd)));
        found.same(`${id} contracts`, body.contracts_count, sum(totals.map((t) => t.contracts)));
        if (known.length > 0) found.number(`${id} rate`, body.oi_weighted_rate_8h, rate, 1e-8);
        const mark = mean(rows.map((row) => [row.mark, row.volumeUsd]));
        found.price(`${id} mark`, body.volume_weighted_mark_price, mark);
        const answered = byVenue(items(body, 'venues'));
        found.same(`${id} venues`, [...answered.keys()], inSourceOrder(rows));
        for (const row of rows) {
          const item = answered.get(row.venue) ?? {};
          found.rate(`${id} ${row.venue} rate`, item.rate, row.fundingRate);
          found.price(`${id} ${row.venue} interest`, item.open_interest, row.openInterestUsd);
          found.price(`${id} ${row.venue} volume`, item.volume_24h, row.volumeUsd);
          found.price(`${id} ${row.venue} index`, item.index_price, indexOf(id, row));
        }
      },
    ));

  it('each venue’s deviation from the volume-weighted market is its own', () =>
    everyAsset(
      (ticker) => api.get('/v1/perp/vw-spread', { ticker }),
      (body, rows, found, id) => {
        const known = rows.filter(({ rate8h }) => rate8h !== undefined);
        const rate = mean(known.map((row) => [row.rate8h ?? 0, row.volumeUsd]));
        const mark = mean(rows.map((row) => [row.mark, row.volumeUsd]));
        const total = sum(rows.map(({ volumeUsd }) => volumeUsd));
        found.number(`${id} rate`, body.vw_rate_8h, rate, 1e-8);
        found.price(`${id} mark`, body.vw_mark_price, mark);
        const answered = byVenue(items(body, 'venues'));
        for (const row of rows) {
          const item = answered.get(row.venue) ?? {};
          const off = row.rate8h === undefined ? undefined : (row.rate8h - rate) * 1e4;
          found.number(`${id} ${row.venue} weight`, item.weight, row.volumeUsd / total, 1e-5);
          found.number(`${id} ${row.venue} rate`, item.deviation_rate_8h_bps, off, 1e-4);
          const price = ((row.mark - mark) / mark) * 1e4;
          found.number(`${id} ${row.venue} price`, item.deviation_price_bps, price, PRICE_BPS);
        }
      },
      2,
    ));

  it('one venue after another: its own pair, old values if stale', async () => {
    const found = new Findings();
    let turn = 0;
    for (const id of api.assets) {
      const rows = api.truth.of(id);
      const row = rows[turn++ % rows.length];
      if (row === undefined) continue;
      const { venue } = row;
      const where = `${id} ${venue}`;
      const next = (await api.get('/v1/perp/funding-next', { ticker: id, venue })).body;
      found.same(`${where} hours`, next.funding_interval_hours, row.intervalHours ?? null);
      found.rate(`${where} rate`, next.current_rate, row.fundingRate);
      const interest = (await api.get('/v1/perp/open-interest', { ticker: id, venue })).body;
      found.price(`${where} interest`, interest.open_interest_usd, row.openInterestUsd);
      found.price(`${where} base`, interest.open_interest_base, row.openInterestBase);
      found.price(`${where} all`, interest.total_open_interest_usd, row.venueTotals.openInterestUsd);
      found.same(`${where} contracts`, interest.contracts, row.venueTotals.contracts);
      found.same(`${where} symbol`, interest.venue_symbol, row.symbol);
      found.same(`${where} multiplier`, interest.multiplier, row.multiplier);
      // Some venues stamp what they say a moment before they say it.
      found.number(`${where} time`, Date.parse(String(interest.updated_at)), row.at - 1000, 1000);
      const volume = (await api.get('/v1/perp/volume-24h', { ticker: id, venue })).body;
      found.price(`${where} volume`, volume.volume_24h_usd, row.volumeUsd);
      found.price(`${where} all volume`, volume.total_volume_24h_usd, row.venueTotals.volumeUsd);
      // One venue counts whole units.
      const unit = row.multiplier;
      found.number(
        `${where} volume base`,
        volume.volume_24h_base,
        row.volumeBase,
        unit + row.volumeBase * PRICE,
      );
    }
    expect(found.list.slice(0, 10)).toEqual([]);
    expect(turn).toBeGreaterThan(150);
  });
});

function inSourceOrder(rows: readonly Truth[]): readonly string[] {
  const order = (venue: string): number => api.source.market.view.venue(venue)?.sourceId ?? 0;
  return rows.map(({ venue }) => venue).sort((a, b) => order(a) - order(b));
}

describe('planted cases of the simulated world', () => {
  it('are present in the answers', () => {
    const { dead, unknownInterval, collisions } = api.source.world.planted;
    expect(api.truth.all().filter(isDead)).toHaveLength(1);
    expect(dead.venue).not.toBe(STALE_VENUE);
    expect(api.truth.of(unknownInterval.asset.id).some((truth) => truth.rate8h === undefined)).toBe(true);
    expect(collisions.length).toBeGreaterThan(0);
    expect(api.truth.all().some(({ multiplier }) => multiplier > 1)).toBe(true);
  });

  it('a coin that two venues label a metal is one asset on all of them', async () => {
    const { status, body } = await api.get('/v1/perp/funding-spread', { ticker: 'PAXG' });
    expect([status, body.canonical_id]).toEqual([200, 'crypto:PAXG']);
    expect(api.truth.of('crypto:PAXG').map(({ venue }) => venue)).toEqual(['bybit', 'gate', 'kucoin']);
  });

  it('a ticker of two assets is answered with both as candidates', async () => {
    for (const { ticker, assets } of api.source.world.planted.collisions) {
      const ids = assets.map(({ id }) => id).filter((id) => api.truth.of(id).length > 0);
      const { status, body } = await api.get('/v1/perp/funding-spread', { ticker });
      expect(status).toBe(ids.length > 1 ? 409 : 200);
      if (ids.length > 1) {
        expect(
          items(body, 'candidates')
            .map((item) => item.canonical_id)
            .sort(),
        ).toEqual([...ids].sort());
      }
    }
  });
});

describe('a contract named by its own symbol', () => {
  it('is answered with its own numbers, and an unknown quote with none', async () => {
    const found = new Findings();
    let others = 0;
    for (const { adapter, sim } of api.source.pairings) {
      if (adapter.id === STALE_VENUE) continue;
      const at = api.truth.all().find(({ venue }) => venue === adapter.id)?.at;
      if (at === undefined) continue;
      const contracts = truthOf(api.source.world, sim.listing, at).filter(({ live }) => live);
      for (const one of contracts) {
        const primary = api.truth.of(one.canonicalId).find(({ venue }) => venue === adapter.id);
        if (primary === undefined || primary.symbol === one.symbol) continue;
        others++;
        const query = { ticker: one.symbol, venue: adapter.id };
        const { body } = await api.get('/v1/perp/funding-next', query);
        const where = `${adapter.id} ${one.symbol}`;
        found.same(`${where} symbol`, body.venue_symbol, one.symbol);
        found.same(`${where} quote`, body.quote, one.quote);
        found.rate(`${where} rate`, body.current_rate, one.fundingRate);
        found.price(`${where} mark`, body.mark_price, one.mark);
      }
    }
    expect(found.list.slice(0, 10)).toEqual([]);
    expect(others).toBeGreaterThan(20);
    const { status } = await api.get('/v1/perp/funding-next', { ticker: 'BTC/EURX:EURX', venue: 'binance' });
    expect(status).toBe(404);
  });
});
