import { createWorld } from '@perpmeter/sim/create-world';
import type { SimContract, SimListing } from '@perpmeter/sim/world';
import { asBase, asBps, asHours, asMs, asPrice, asRate, asUsd, type UnixMs } from '../../src/domain/units.ts';
import type { Sample, Settlement } from '../../src/history/sample.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';

/** Rows as they were recorded: the same row may stand here several times, with other values or the same. */
export interface Recorded<T> {
  readonly value: T;
  readonly recordedAt: UnixMs;
}

export interface SimLog {
  readonly samples: readonly Recorded<Sample>[];
  readonly settlements: readonly Recorded<Settlement>[];
  readonly assets: readonly string[];
  readonly venues: readonly string[];
  readonly from: UnixMs;
  readonly to: UnixMs;
}

/** Venues whose wire gives open interest and volume in base, in USD, or both. */
const VENUES = [
  { venue: 'binance', size: 1 },
  { venue: 'okx', size: 0.45 },
  { venue: 'hyperliquid', size: 0.48 },
];
const TICKERS = ['BTC', 'ETH', 'DOGE', 'XAU'];

function listingOf(venue: string, size: number, hours: number): SimListing {
  return {
    venue,
    size,
    quotes: ['USDT'],
    count: 60,
    classes: ['crypto', 'commodity'],
    include: TICKERS,
    intervalHours: () => hours,
    symbol: (base, quote) => base + quote,
  };
}

/** Uniform in [0, 1), the same for the same words. */
function chance(...words: readonly (string | number)[]): number {
  let h = 2_166_136_261;
  for (const char of words.join('|')) h = Math.imul(h ^ char.charCodeAt(0), 16_777_619);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return ((h ^ (h >>> 13)) >>> 0) / 2 ** 32;
}

const cents = (x: number): number => Math.round(x * 100) / 100;

/**
 * The records that a service would have kept of the simulated world: gaps of minutes and of days, a change of
 * interval, a relisting, a switch to another contract, values reported afterwards, late corrections, and rows
 * written twice.
 *
 * @param from whole day
 */
export function simLog(seed: number, from: UnixMs, days: number, stepMinutes: number): SimLog {
  const world = createWorld(seed);
  const to = asMs(from + days * DAY_MS);
  const samples: Recorded<Sample>[] = [];
  const settlements: Recorded<Settlement>[] = [];
  const assets = new Set<string>();
  for (const [place, { venue, size }] of VENUES.entries()) {
    const contracts = world
      .contracts(listingOf(venue, size, [8, 4, 1][place] ?? 8))
      .filter(
        ({ kind, status, asset }) => kind === 'perp' && status === 'live' && TICKERS.includes(asset.ticker),
      );
    for (const contract of contracts) {
      assets.add(contract.asset.id);
      const record = (at: number) => recordMinute(world, contract, asMs(at), from, days, samples);
      for (let at: number = from; at < to; at += stepMinutes * MINUTE_MS) record(at);
      recordPayments(world, contract, from, to, settlements);
      addBackfilled(world, contract, from, to, samples);
    }
  }
  return { samples, settlements, assets: [...assets], venues: VENUES.map(({ venue }) => venue), from, to };
}

type World = ReturnType<typeof createWorld>;

/**
 * Relisted: BTC on okx, dark for two days in the middle. Switched: ETH on hyperliquid is stated by another
 * contract.
 */
function identityAt(contract: SimContract, at: number, from: number, days: number) {
  const middle = from + Math.floor(days / 2) * DAY_MS;
  const { venue, symbol, asset } = contract;
  if (venue === 'okx' && asset.ticker === 'BTC') {
    if (at >= middle && at < middle + 2 * DAY_MS) return undefined;
    return { symbol, listedAt: asMs(at < middle ? from - DAY_MS : middle + 2 * DAY_MS) };
  }
  if (venue === 'hyperliquid' && asset.ticker === 'ETH' && at >= middle) {
    return { symbol: `${symbol}-B`, listedAt: asMs(from - DAY_MS) };
  }
  return { symbol, listedAt: asMs(from - DAY_MS) };
}

/** Minutes nobody recorded: single ones, and whole spans of hours. */
function missing(venue: string, ticker: string, at: number): boolean {
  if (chance('minute', venue, ticker, at) < 0.03) return true;
  return chance('span', venue, Math.floor(at / (5 * HOUR_MS))) < 0.08;
}

function recordMinute(
  world: World,
  contract: SimContract,
  at: UnixMs,
  from: number,
  days: number,
  out: Recorded<Sample>[],
): void {
  const { venue, asset } = contract;
  const identity = identityAt(contract, at, from, days);
  if (identity === undefined || missing(venue, asset.ticker, at)) return;
  const sample = sampleAt(world, contract, at, identity);
  const recordedAt = asMs(at + 150 + Math.floor(chance('delay', at) * 900));
  out.push({ value: sample, recordedAt });
  const fate = chance('fate', venue, asset.ticker, at);
  if (fate < 0.02) out.push({ value: sample, recordedAt });
  else if (fate < 0.05) {
    const rate = asRate((sample.fundingRate ?? 0) + 0.0001);
    const mark = sample.markPrice === undefined ? undefined : asPrice(sample.markPrice + 1);
    const late = asMs(recordedAt + Math.floor(1 + fate * 1e4) * HOUR_MS);
    out.push({ value: { ...sample, fundingRate: rate, markPrice: mark }, recordedAt: late });
  }
}

function sampleAt(
  world: World,
  contract: SimContract,
  at: UnixMs,
  identity: { symbol: string; listedAt: UnixMs },
): Sample {
  const { venue, asset } = contract;
  const mark = Number(world.mark(contract, at).toFixed(6));
  const base = world.openInterest(contract, at);
  const volume = world.volume24h(contract, at);
  const knows = (what: string) => chance('knows', what, venue, asset.ticker, at) > 0.05;
  const inUsd = venue === 'hyperliquid';
  // Within an hour.
  const interval = at % (3 * DAY_MS) < DAY_MS + 30 * MINUTE_MS ? 4 : contract.intervalHours;
  const interest = inUsd ? cents(base * mark) : base;
  return {
    canonicalId: asset.id,
    ticker: asset.ticker,
    venue,
    ...identity,
    at,
    origin: 'sampled',
    comparable: true,
    fundingRate: knows('rate') ? asRate(world.fundingRate(contract, at)) : undefined,
    fundingIntervalHours: asHours(interval),
    markPrice: knows('mark') ? asPrice(mark) : undefined,
    indexPrice: knows('index') ? asPrice(Number(world.index(contract, at).toFixed(6))) : undefined,
    openInterestRaw: interest,
    openInterestBase: asBase(inUsd ? interest / mark : base),
    openInterestUsd: asUsd(inUsd ? interest : base * mark),
    volume24hBase: asBase(volume),
    volume24hUsd: asUsd(venue === 'okx' ? cents(volume * mark) : volume * mark),
    ...(knows('book') ? bookAt(world, contract, at) : {}),
  };
}

function bookAt(world: World, contract: SimContract, at: UnixMs): Partial<Sample> {
  const { bids, asks } = world.book(contract, at, 3);
  const bid = bids[0]?.[0];
  const ask = asks[0]?.[0];
  if (bid === undefined || ask === undefined) return {};
  const bps = (size: number) =>
    asBps(Math.round(1e4 * size * (0.2 + chance('bps', contract.venue, at))) / 1e4);
  const thin = chance('thin', contract.venue, at) < 0.2;
  return {
    bestBid: asPrice(bid),
    bestAsk: asPrice(ask),
    depth: {
      bidDepthUsd: asUsd(Math.round(1e5 * chance('bids', contract.venue, at))),
      askDepthUsd: asUsd(Math.round(1e5 * chance('asks', contract.venue, at))),
      slippage1kBps: bps(1),
      slippage5kBps: bps(2),
      slippage10kBps: thin ? undefined : bps(4),
    },
  };
}

/** Funding payments, some told late and some corrected. */
function recordPayments(
  world: World,
  contract: SimContract,
  from: number,
  to: number,
  out: Recorded<Settlement>[],
): void {
  const { venue, asset, symbol, intervalHours } = contract;
  for (let at = world.nextFunding(contract, from - 1); at < to; at = world.nextFunding(contract, at)) {
    if (chance('unpaid', venue, asset.ticker, at) < 0.05) continue;
    const settlement: Settlement = {
      canonicalId: asset.id,
      ticker: asset.ticker,
      venue,
      symbol,
      listedAt: asMs(from - DAY_MS),
      at: asMs(at),
      origin: chance('origin', venue, at) < 0.3 ? 'backfilled' : 'settled',
      rate: asRate(world.settledRate(contract, at)),
      intervalHours: asHours(intervalHours),
      markPrice: asPrice(world.mark(contract, at)),
    };
    const recordedAt = asMs(at + 30_000);
    out.push({ value: settlement, recordedAt });
    if (chance('corrected', venue, asset.ticker, at) < 0.1) {
      out.push({
        value: { ...settlement, rate: asRate(settlement.rate * 2) },
        recordedAt: asMs(at + 30 * HOUR_MS),
      });
    }
  }
}

/** Some venues tell mark and open interest of whole hours afterwards, whether we have samples of them or not. */
function addBackfilled(
  world: World,
  contract: SimContract,
  from: number,
  to: number,
  out: Recorded<Sample>[],
): void {
  const { venue, asset, symbol } = contract;
  if (venue === 'hyperliquid') return;
  for (let at = from; at < to; at += HOUR_MS) {
    if (chance('told', venue, asset.ticker, at) < 0.4) continue;
    out.push({
      value: {
        canonicalId: asset.id,
        ticker: asset.ticker,
        venue,
        symbol,
        listedAt: asMs(from - DAY_MS),
        at: asMs(at),
        origin: 'backfilled',
        comparable: true,
        markPrice: asPrice(Number(world.mark(contract, at).toFixed(4))),
        openInterestBase: asBase(world.openInterest(contract, at)),
      },
      recordedAt: asMs(to - HOUR_MS),
    });
  }
}
