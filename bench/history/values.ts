import { keyOf, signed, uniform } from '@perpmeter/sim/noise';
import type { World } from '@perpmeter/sim/world';
import { asBase, asBps, asHours, asPrice, asRate, asUsd, type UnixMs } from '../../src/domain/units.ts';
import type { Sample } from '../../src/history/sample.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import type { Series } from './series.ts';

/** Names of the numbers of a row, as whole numbers of the contract's own decimals. */
export const VALUES = [
  'rate',
  'mark',
  'index',
  'raw',
  'oi',
  'volume',
  'bid',
  'ask',
  'bid_depth',
  'ask_depth',
  'slip1',
  'slip5',
  'slip10',
] as const;

/** Numbers of one minute of one contract from the world's price process, written to `out` in the order of VALUES. */
export function valuesAt(world: World, { sim, decimals }: Series, key: number, t: number, out: Float64Array) {
  const price = 10 ** decimals.price;
  const base = 10 ** decimals.base;
  const mark = world.mark(sim, t);
  const open = world.openInterest(sim, t);
  const minute = t / MINUTE_MS;
  const half = 0.00004 + 0.00002 * Math.sqrt(sim.asset.rank);
  const mid = mark * (1 + 0.3 * half * signed(key, minute));
  out[0] = Math.round(world.fundingRate(sim, t) * 1e8);
  out[1] = Math.round(mark * price);
  out[2] = Math.round(world.index(sim, t) * price);
  out[3] = Math.round((open / (sim.contractSize * sim.multiplier)) * 10 ** decimals.raw);
  out[4] = Math.round(open * base);
  out[5] = Math.round(world.volume24h(sim, t) * base);
  out[6] = Math.round(mid * (1 - half) * price);
  out[7] = Math.round(mid * (1 + half) * price);
  out[8] = depthAt(sim.asset.rank, key ^ 1, minute);
  out[9] = depthAt(sim.asset.rank, key ^ 2, minute);
  for (let i = 0; i < 3; i++) out[10 + i] = Math.round(1e8 * half * (1 + i + uniform(key ^ (3 + i), minute)));
}

/** Resting USD on one side: a level by rank, and a third of it that changes by the minute. */
function depthAt(rank: number, key: number, minute: number): number {
  return Math.round((2e6 / (1 + rank)) * (1 + 0.3 * signed(key, minute)));
}

export const keyOfSeries = ({ contract: { venue, symbol } }: Series): number =>
  keyOf(7, `${venue}:${symbol}`);

/** The same numbers as a sample, as the running service has it. */
export function sampleAt(world: World, series: Series, key: number, at: UnixMs, out: Float64Array): Sample {
  valuesAt(world, series, key, at, out);
  const { contract, decimals, sim } = series;
  const value = (i: number, places: number): number => (out[i] ?? 0) / 10 ** places;
  return {
    ...contract,
    at,
    origin: 'sampled',
    comparable: true,
    fundingRate: asRate(value(0, decimals.rate)),
    fundingIntervalHours: asHours(sim.intervalHours),
    markPrice: asPrice(value(1, decimals.price)),
    indexPrice: asPrice(value(2, decimals.price)),
    openInterestRaw: value(3, decimals.raw),
    openInterestBase: asBase(value(4, decimals.base)),
    volume24hBase: asBase(value(5, decimals.base)),
    bestBid: asPrice(value(6, decimals.price)),
    bestAsk: asPrice(value(7, decimals.price)),
    depth: {
      bidDepthUsd: asUsd(value(8, 0)),
      askDepthUsd: asUsd(value(9, 0)),
      slippage1kBps: asBps(value(10, 4)),
      slippage5kBps: asBps(value(11, 4)),
      slippage10kBps: asBps(value(12, 4)),
    },
  };
}
