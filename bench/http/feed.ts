import type { MarketSink } from '../../src/collect/ports.ts';
import { publishedFixture } from '../../src/domain/amount-fixture.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { asBps, asHours, asMs, asPrice, asRate, asUsd } from '../../src/domain/units.ts';
import type { VenueInfo } from '../../src/domain/venue.ts';

const VENUES = 29;
const CONTRACTS_PER_VENUE = 311;
const ASSETS = 620;
const REFRESH_MS = 5000;
/** Venues that also stream, how often, and how many contracts move each time. */
const STREAMING_VENUES = 6;
const STREAM_EVERY_MS = 250;
const STREAM_CONTRACTS = 20;

/** A repeatable source of numbers in [0, 1) (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const tickerOf = (asset: number): string => `T${String(asset).padStart(3, '0')}`;

function venueInfo(n: number): VenueInfo {
  return {
    id: `venue-${String(n).padStart(2, '0')}`,
    displayName: `Venue ${n}`,
    kind: n < 12 ? 'cex' : 'dex',
    sourceId: n + 1,
    takerFeeBps: asBps(5),
    hasIndex: true,
    index: { family: 'own-cex-basket', description: 'Basket of spot venues', evidence: 'unknown' },
    ...publishedFixture,
  };
}

/** The assets of a venue: all list the most traded ones, each its own choice of the rest. */
function assetsOf(n: number): readonly number[] {
  const random = randomNumbers(n + 1);
  const all = Array.from({ length: ASSETS }, (_, asset) => asset);
  return all
    .map((asset) => ({ asset, order: asset / ASSETS + 0.6 * random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, CONTRACTS_PER_VENUE)
    .map(({ asset }) => asset);
}

function instrument(venue: string, asset: number): Instrument {
  const ticker = tickerOf(asset);
  return {
    venue,
    symbol: `${ticker}USDT`,
    base: ticker,
    ticker,
    multiplier: 1,
    contractSize: 1,
    quote: 'USDT',
    settle: 'USDT',
    fundingIntervalHours: asHours(asset % 3 === 0 ? 8 : 4),
  };
}

function patch(asset: number, random: () => number): QuotePatch {
  const price = 10 ** ((asset % 7) - 3) * (1 + asset / ASSETS);
  const mark = price * (1 + 0.004 * (random() - 0.5));
  return {
    symbol: `${tickerOf(asset)}USDT`,
    markPrice: asPrice(mark),
    indexPrice: asPrice(price),
    fundingRate: asRate(Math.round((random() - 0.3) * 3e5) / 1e9),
    nextFundingTime: asMs(Math.ceil(Date.now() / 14_400_000) * 14_400_000),
    openInterestUsd: asUsd(random() * 1e8),
    volume24hUsd: asUsd(1e5 + random() * 1e9),
    bestBid: asPrice(mark * 0.9999),
    bestAsk: asPrice(mark * 1.0001),
  };
}

/**
 * Keeps a table of about 9,000 rows moving as venues do: each venue's whole list every refresh, and a few
 * venues that stream some contracts in between. Payloads are made beforehand, so that only the table's own work is
 * measured. Returns what stops it.
 *
 * @param refreshMs period of each venue's whole list, ms: rows at rest are fresh for two of them
 */
export function runFeed(sink: MarketSink, venues = VENUES, refreshMs = REFRESH_MS): () => void {
  const timers: NodeJS.Timeout[] = [];
  for (let n = 0; n < venues; n++) {
    const info = venueInfo(n);
    const assets = assetsOf(n);
    const random = randomNumbers(1000 + n);
    const rounds = [0, 1, 2].map(() => assets.map((asset) => patch(asset, random)));
    const now = asMs(Date.now());
    sink.venue(info, refreshMs);
    sink.instruments(
      info.id,
      assets.map((asset) => instrument(info.id, asset)),
      now,
    );
    sink.quotes(info.id, rounds[0] ?? [], now);
    let round = 0;
    const refresh = (): void => {
      round += 1;
      sink.quotes(info.id, rounds[round % rounds.length] ?? [], asMs(Date.now()));
    };
    const begin = setTimeout(() => timers.push(setInterval(refresh, refreshMs)), (n * refreshMs) / VENUES);
    timers.push(begin);
    if (n < STREAMING_VENUES) timers.push(stream(sink, info.id, rounds));
  }
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}

function stream(sink: MarketSink, venue: string, rounds: readonly (readonly QuotePatch[])[]): NodeJS.Timeout {
  let step = 0;
  return setInterval(() => {
    step += 1;
    const from = (step * STREAM_CONTRACTS) % CONTRACTS_PER_VENUE;
    const patches = (rounds[step % rounds.length] ?? []).slice(from, from + STREAM_CONTRACTS);
    sink.quotes(venue, patches, asMs(Date.now()));
  }, STREAM_EVERY_MS);
}
