import { describe, expect, it } from 'vitest';
import { loadCcxt } from '../../src/collect/ccxt/load-module.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { asBase, asHours, asPrice, asRate } from '../../src/domain/units.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { SecondReaderRig } from './rig.ts';

/** One wrong reading by contract. */
const PLANTED: Readonly<Record<string, (patch: QuotePatch) => Partial<QuotePatch>>> = {
  BTC: ({ openInterestBase: x = asBase(1) }) => ({ openInterestBase: asBase(2 * x) }),
  ETH: ({ volume24hBase: x = asBase(1) }) => ({ volume24hBase: asBase(x / 10) }),
  SOL: () => ({ fundingIntervalHours: asHours(4) }),
  XRP: ({ markPrice: x = asPrice(1) }) => ({ markPrice: asPrice(100 * x) }),
  DOGE: ({ fundingRate: x = asRate(1) }) => ({ fundingRate: asRate(100 * x) }),
};
const SWAPPED: Readonly<Record<string, string>> = { 'BTC-PERP': 'ETH-PERP', 'ETH-PERP': 'BTC-PERP' };

describe('the second reader', () => {
  it('honest hours: nothing found, all looked at, within the budget', async () => {
    const rig = new SecondReaderRig({ venues: ['deribit', 'derive'] });
    const hours = 4;
    await rig.run(hours * HOUR_MS, 15 * MINUTE_MS);
    expect(rig.incidents.counts()).toMatchObject({ open: 0, opened: new Map() });
    const { looks, compared, failures } = rig.reading.state;
    expect(failures).toBe(0);
    expect(compared).toBeGreaterThan(5 * looks);
    for (const { adapter } of rig.pairings) {
      const of = (ticker: string) =>
        [...rig.asked].filter(([key]) => key.startsWith(`${adapter.id} ${ticker}`)).map(([, count]) => count);
      expect(of('BTC')[0], 'a major').toBeGreaterThanOrEqual((hours * 60) / 5 - 1);
      // A third of half a day has passed.
      const contracts = [...rig.asked.keys()].filter((key) => key.startsWith(`${adapter.id} `)).length;
      expect(contracts).toBeGreaterThan(15);
      for (const { name, limit, perMs } of adapter.budget.pools) {
        const spent = rig.weights.get(`${adapter.id} ${name}`) ?? 0;
        expect(spent).toBeLessThanOrEqual(0.05 * limit * ((hours * HOUR_MS) / perMs + 1));
      }
    }
  });

  it('a wrong unit, interval, amount, price: found, then closed', async () => {
    let isPlanted = true;
    const rig = new SecondReaderRig({
      venues: ['deribit'],
      bend: (patch, { ticker }) => (isPlanted ? { ...patch, ...PLANTED[ticker]?.(patch) } : patch),
    });
    await rig.pass(4 * MINUTE_MS);
    expect([...rig.lasting()].sort()).toEqual([
      'deribit funding_interval_hours SOL_USDC-PERPETUAL',
      'deribit funding_rate DOGE_USDC-PERPETUAL',
      'deribit mark_price XRP_USDC-PERPETUAL',
      'deribit open_interest BTC_USDC-PERPETUAL',
      'deribit volume_24h ETH_USDC-PERPETUAL',
    ]);
    isPlanted = false;
    await rig.pass(6 * MINUTE_MS);
    expect(rig.lasting()).toEqual([]);
    await rig.stop();
  });

  it('finds swapped contracts by every field that tells them apart', async () => {
    const rig = new SecondReaderRig({
      venues: ['derive'],
      bend: (patch) => ({ ...patch, symbol: SWAPPED[patch.symbol] ?? patch.symbol }),
    });
    await rig.pass(3 * MINUTE_MS);
    const lasting = rig.lasting();
    for (const symbol of Object.keys(SWAPPED))
      for (const field of ['mark_price', 'index_price', 'open_interest']) {
        expect(lasting).toContain(`derive ${field} ${symbol}`);
      }
    await rig.stop();
  });

  it('values of one call alone: ccxt reads them, within the budget', async () => {
    const loaded = await loadCcxt();
    const rig = new SecondReaderRig({
      venues: ['backpack'],
      bend: (patch, { ticker }) => (ticker === 'DOGE' ? { ...patch, ...PLANTED.DOGE?.(patch) } : patch),
      ccxt: async () => loaded,
    });
    const minutes = 30;
    await rig.pass(minutes * MINUTE_MS);
    expect(rig.lasting()).toEqual(['backpack funding_rate DOGE_USDC_PERP']);
    expect(rig.reading.ccxtWays('backpack')).toEqual(['ccxt fetchFundingRate', 'ccxt fetchTicker']);
    const now = rig.time.clock.now();
    const read = rig.quality.between('second', rig.startedAt, now, 'backpack');
    for (const field of ['funding_rate', 'index_price', 'volume_24h']) {
      expect(read.find((reading) => reading.field === field)?.values.count, field).toBeGreaterThan(0);
    }
    for (const { adapter } of rig.pairings) {
      for (const { name, limit, perMs } of adapter.budget.pools) {
        const spent = rig.weights.get(`${adapter.id} ${name}`) ?? 0;
        expect(spent).toBeLessThanOrEqual(0.05 * limit * ((minutes * MINUTE_MS) / perMs + 1));
      }
    }
    await rig.stop();
  });

  it('a dex on hyperliquid: read by ccxt, wrong rate and mark found', async () => {
    const loaded = await loadCcxt();
    const wrong: Readonly<Record<string, (patch: QuotePatch) => Partial<QuotePatch>>> = {
      'io:SNDK': ({ fundingRate: x = asRate(1) }) => ({ fundingRate: asRate(100 * x) }),
      'io:EWY': ({ markPrice: x = asPrice(1) }) => ({ markPrice: asPrice(1.1 * x) }),
    };
    const rig = new SecondReaderRig({
      venues: ['hyperliquid-io'],
      bend: (patch, { symbol }) => ({ ...patch, ...wrong[symbol]?.(patch) }),
      ccxt: async () => loaded,
    });
    // Each of its contracts has had its turn.
    await rig.pass(13 * HOUR_MS, 5 * MINUTE_MS);
    expect([...rig.lasting()].sort()).toEqual([
      'hyperliquid-io funding_rate io:SNDK',
      'hyperliquid-io mark_price io:EWY',
    ]);
    const read = rig.quality.between('second', rig.startedAt, rig.time.clock.now(), 'hyperliquid-io');
    for (const field of ['funding_rate', 'mark_price', 'index_price', 'open_interest', 'volume_24h']) {
      expect(read.find((reading) => reading.field === field)?.values.count, field).toBeGreaterThan(0);
    }
    await rig.stop();
  });

  it('hyperliquid and its dexes: one part of the one limit', async () => {
    const loaded = await loadCcxt();
    const rig = new SecondReaderRig({ venues: ['hyperliquid'], ccxt: async () => loaded });
    const hours = 1;
    await rig.pass(hours * HOUR_MS, 15 * MINUTE_MS);
    for (const venue of ['hyperliquid', 'hyperliquid-xyz', 'hyperliquid-para']) {
      expect(rig.reading.ccxtWays(venue), venue).toHaveLength(3);
    }
    expect(rig.reading.state.failures).toBe(0);
    const spent = [...rig.weights.values()].reduce((sum, weight) => sum + weight, 0);
    expect(spent).toBeLessThanOrEqual(0.05 * 1200 * (hours * 60 + 1));
    await rig.stop();
  });

  it('does without ccxt where it is not installed', async () => {
    const rig = new SecondReaderRig({
      venues: ['hibachi'],
      ccxt: async () => ({ ok: false, error: 'not installed' }),
    });
    await rig.run(15 * MINUTE_MS, 5 * MINUTE_MS);
    expect(rig.reading.state).toMatchObject({ requests: 0, failures: 0 });
    expect(rig.reading.ccxtWays('hibachi')).toEqual([]);
  });

  it('asks nothing while it is held', async () => {
    const rig = new SecondReaderRig({ venues: ['derive'], isHeld: () => true });
    await rig.run(10 * MINUTE_MS, 5 * MINUTE_MS);
    expect(rig.reading.state.requests).toBe(0);
    // Reads that need no request are counted all the same.
    const now = rig.time.clock.now();
    expect(rig.quality.between('age', rig.startedAt, now, 'derive').map(({ field }) => field)).toContain(
      'mark_price',
    );
  });
});
