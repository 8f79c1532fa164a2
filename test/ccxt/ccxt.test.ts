import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { asMs } from '../../src/domain/units.ts';
import { createWorld } from '../../src/sim/create-world.ts';
import { type SimServer, startSimServer } from '../../src/sim/server.ts';
import { SIM_VENUES } from '../../src/sim/venues/index.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { pairingsOf, type Run, runAdapter } from '../venues/sim-run.ts';
import { CONTRACT_PEERS } from './contract-peers.ts';
import { PEERS as BASE_PEERS, type Peer, type PeerReading } from './peers.ts';

/** On a five-minute mark, so that the latest point of a history is the present. */
const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const world = createWorld(1);
const PEERS = [...BASE_PEERS, ...CONTRACT_PEERS];
const names = PEERS.map(({ venue }) => venue);
/** Time stands still, so a limit's window would never end. */
const sims = SIM_VENUES.filter(({ id }) => names.includes(id)).map((sim) => ({
  ...sim,
  limit: { ...sim.limit, weight: 1e9 },
}));

let server: SimServer;

beforeAll(async () => {
  server = await startSimServer({ world, venues: sims, clock: { now: () => asMs(AT) }, tickMs: 0 });
});

afterAll(() => server.close());

function ours(venue: string): Run {
  const adapters = VENUES.filter(({ id }) => id === venue);
  const [pairing] = pairingsOf(adapters, sims, world, AT);
  if (pairing === undefined) throw new Error(`${venue} is not simulated`);
  return runAdapter(pairing, world, AT);
}

const near = (a: number | undefined, b: number | undefined): boolean =>
  a !== undefined && b !== undefined && Math.abs(a - b) <= Math.abs(b) * 1e-9;

/** Fields that the two readers do not agree on. Ours is per ticker unit, ccxt's as the venue names it. */
function differences(quote: QuotePatch, reading: PeerReading, multiplier: number, peer: Peer): string[] {
  const fields: (readonly [string, number | undefined, number | undefined])[] = [
    ['fundingRate', quote.fundingRate, reading.fundingRate],
    ['nextFundingTime', quote.nextFundingTime, reading.nextFundingTime],
    ['interval', quote.fundingIntervalHours, reading.intervalHours],
    ['mark', times(quote.markPrice, multiplier), reading.markPrice],
    ['index', times(quote.indexPrice, multiplier), reading.indexPrice],
  ];
  if (peer.openInterestUnit === 'raw')
    fields.push(['open interest', quote.openInterestRaw, reading.openInterest]);
  return fields
    .filter(([, a, b]) => !near(a, b))
    .map(([name, a, b]) => `${quote.symbol} ${name}: ${a} against ${b}`);
}

function times(x: number | undefined, factor: number): number | undefined {
  return x === undefined ? undefined : x * factor;
}

describe.each(PEERS)('$venue', (peer) => {
  it('is read alike by ccxt: rate, time, interval, mark, index, open interest of every contract', async () => {
    const run = ours(peer.venue);
    const theirs = await peer.read(`${server.url}/${peer.venue}`);
    const problems: string[] = [];
    let compared = 0;
    for (const { symbol, multiplier } of run.instruments.values()) {
      const [quote, reading] = [run.quotes.get(symbol), theirs.get(symbol)];
      if (quote === undefined || reading === undefined) {
        problems.push(`${symbol} is read by one only: ${quote ? 'us' : 'ccxt'}`);
        continue;
      }
      compared += 1;
      problems.push(...differences(quote, reading, multiplier, peer));
    }
    expect(problems.slice(0, 10)).toEqual([]);
    expect(compared).toBe(run.instruments.size);
    expect(compared).toBeGreaterThan(250);
  });
});
