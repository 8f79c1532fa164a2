import { simBases } from '@perpmeter/sim/bases';
import { createWorld } from '@perpmeter/sim/create-world';
import { type SimServer, startSimServer } from '@perpmeter/sim/server';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCcxtVenues } from '../../src/collect/ccxt/open-venues.ts';
import { type Collector, createCollector } from '../../src/collect/collector.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { asMs } from '../../src/domain/units.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { createMarket, type Market } from '../../src/market/live-table.ts';
import type { MarketRow } from '../../src/market/view.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { memoryIdentityStore, memorySourceIdStore } from '../market/memory-stores.ts';
import { until } from '../until.ts';

/** ccxt and our own decoders read the same simulated venue, both through the collector and into one market. */

type Field = keyof MarketRow;

interface VenuePair {
  /** ccxt's id, and the venue whose simulation it reads. */
  readonly exchange: string;
  readonly native: string;
  /** Fields that ccxt does not have of it, or has a call for each contract of. */
  readonly notAtOnce: readonly Field[];
  /** Contracts that ccxt takes for another asset's. */
  readonly renamed: readonly string[];
}

const PRICES: readonly Field[] = ['markPrice', 'indexPrice', 'bestBid', 'bestAsk'];
const FUNDING: readonly Field[] = ['fundingRate', 'fundingIntervalHours', 'rate8h', 'nextFundingTime'];
const AMOUNTS: readonly Field[] = ['openInterestBase', 'openInterestUsd', 'volume24hBase', 'volume24hUsd'];
const NAMES: readonly Field[] = ['ticker', 'assetClass', 'multiplier'];

const VENUE_PAIRS: readonly VenuePair[] = [
  {
    exchange: 'binanceusdm',
    native: 'binance',
    notAtOnce: ['openInterestBase', 'openInterestUsd'],
    renamed: [],
  },
  { exchange: 'kucoinfutures', native: 'kucoin', notAtOnce: [], renamed: ['ALTUSDTM'] },
  // Its open interest is in contracts, which only a mark can tell: it comes with the round after the first marks.
  {
    exchange: 'myokx',
    native: 'okx',
    notAtOnce: ['indexPrice', 'openInterestBase', 'openInterestUsd'],
    renamed: [],
  },
];

let server: SimServer;
let collector: Collector;
let market: Market;

beforeAll(async () => {
  // The venues' time stands still at the last half hour, so that both readers get the same; ours goes on from
  // there: a payment that is announced for the full hour does not become due.
  const ahead = (systemClock.now() + HOUR_MS / 2) % HOUR_MS;
  const clock = { now: () => asMs(systemClock.now() - ahead) };
  const at = clock.now();
  const sims = SIM_VENUES.filter(({ id }) => VENUE_PAIRS.some(({ native }) => native === id)).map((sim) => ({
    ...sim,
    limit: { ...sim.limit, weight: 1e9 },
  }));
  server = await startSimServer({ world: createWorld(1), venues: sims, clock: { now: () => at }, tickMs: 0 });
  const natives = VENUE_PAIRS.flatMap(({ native }) => adapterOf(native) ?? []);
  const bases = Object.fromEntries([
    ...natives.map((native) => [native.id, simBases(native.bases, server.url, native.id)]),
    ...VENUE_PAIRS.map(({ exchange, native }) => [exchange, { rest: `${server.url}/${native}` }]),
  ]);
  const opened = await openCcxtVenues(
    VENUE_PAIRS.map(({ exchange }) => exchange),
    { bases },
  );
  if (!opened.ok) throw new Error(opened.errors.join('; '));
  const { adapters, transports } = opened.value;
  market = createMarket({
    clock,
    identity: createInstrumentIdentities(memoryIdentityStore()),
    sourceIds: memorySourceIdStore(),
    health: (venue) => collector?.health.of(venue),
  });
  collector = createCollector({
    venues: [...natives, ...adapters],
    sink: market.sink,
    bases,
    transports,
    clock,
  });
  await collector.start();
});

afterAll(async () => {
  await collector.stop();
  await server.close();
});

const near = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= Math.abs(b) * 1e-6);

/** Rows of both readers that are of the same contract. */
function pairs({ exchange, native }: VenuePair): (readonly [ours: MarketRow, theirs: MarketRow])[] {
  const rows = market.view.rows();
  const theirs = new Map(rows.filter((row) => row.venue === exchange).map((row) => [row.symbol, row]));
  return rows.flatMap((row) => {
    const twin = row.venue === native ? theirs.get(row.symbol) : undefined;
    return twin === undefined ? [] : [[row, twin] as const];
  });
}

describe.each(VENUE_PAIRS)('$exchange beside $native', (twin) => {
  const fields = [...NAMES, ...FUNDING, ...PRICES, ...AMOUNTS];
  const atOnce = fields.filter((field) => !twin.notAtOnce.includes(field));

  it('has the same rows: funding, prices, open interest, volume, units', async () => {
    const unlike = (ours: MarketRow, theirs: MarketRow, list: readonly Field[]) =>
      list
        .filter((field) => !near(ours[field], theirs[field]))
        .map((field) => `${ours.symbol} ${field}: ${ours[field]} against ${theirs[field]}`);
    await until(() => {
      const both = pairs(twin).filter(([{ symbol }]) => !twin.renamed.includes(symbol));
      expect(both.flatMap((pair) => unlike(...pair, atOnce)).slice(0, 5)).toEqual([]);
      expect(both.length).toBeGreaterThan(250);
    });
    const later = twin.notAtOnce.filter((field) => field !== 'indexPrice');
    const stated = ([, theirs]: readonly [MarketRow, MarketRow]) =>
      later.every((field) => theirs[field] !== undefined);
    const known = pairs(twin).filter(stated);
    expect(known.flatMap((pair) => unlike(...pair, later)).slice(0, 5)).toEqual([]);
  });

  it('gets open interest contract by contract where there is no other call', async () => {
    await until(() => {
      const known = pairs(twin).filter(([, theirs]) => theirs.openInterestBase !== undefined);
      expect(known.length).toBeGreaterThan(3);
      expect(known.filter(([ours, theirs]) => !near(ours.openInterestBase, theirs.openInterestBase))).toEqual(
        [],
      );
    });
  });

  it('is a venue of its own, live and distinct from the native one', async () => {
    await until(() => expect(collector.health.of(twin.exchange)?.status).toBe('live'));
    const theirs = market.view.venue(twin.exchange);
    const ours = market.view.venue(twin.native);
    expect(theirs?.info.source).toBe('ccxt');
    expect(ours?.info.source).toBeUndefined();
    expect(theirs?.sourceId).toBeGreaterThanOrEqual(1000);
    expect(theirs?.info.takerFeeBps).toBe(ours?.info.takerFeeBps);
    expect(theirs?.info.hasIndex).toBe(!twin.notAtOnce.includes('indexPrice'));
    expect(theirs?.info.kind).toBe('cex');
  });

  it('is not matched where ccxt renames a coin', () => {
    for (const [ours, theirs] of pairs(twin)) {
      if (twin.renamed.includes(ours.symbol)) expect(theirs.ticker).not.toBe(ours.ticker);
    }
    expect(pairs(twin).map(([{ symbol }]) => symbol)).toEqual(expect.arrayContaining([...twin.renamed]));
  });

  it('counts what it leaves out', () => {
    const { rejectsByReason = {} } = collector.health.of(twin.exchange) ?? {};
    expect(rejectsByReason.not_trading).toBeGreaterThan(0);
    expect(collector.stats().venues[twin.exchange]?.contracts).toBeGreaterThan(250);
  });
});
