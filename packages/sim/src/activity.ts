import { DAY_MS, HOUR_MS } from '../../../src/runtime/duration.ts';
import { bell, keyOf, type Signal, signalMean, uniform } from './noise.ts';
import type { SimContract } from './world.ts';

/** Open interest of the most traded contract of the largest venue, USD. */
const TOP_OPEN_INTEREST = 8e9;
/** Rank exponent: heavy tail, about 2 million USD at rank 700. */
const TAIL = 1.25;

/** Size of a venue whose listing states none, against the largest. */
const OTHER = 0.025;
/** Markets with off-chain underlyings are smaller than their rank among all assets says. */
const OFFCHAIN = 0.5;

/** Slowly varying activity of a contract: levels in ticker units. */
export interface Activity {
  readonly openInterest: Signal;
  /** Ticker units a millisecond. */
  readonly volumeRate: Signal;
  /** Keys of the bursts of the whole asset and of this contract alone. */
  readonly bursts: readonly [common: number, own: number];
  /** USD a day, the level of the volume. */
  readonly dailyUsd: number;
}

/** @param price level of the asset, USD per ticker unit */
export function activityOf(seed: number, contract: SimContract, price: number): Activity {
  const { venue, venueSize, symbol, asset, quote } = contract;
  const key = keyOf(seed, `activity:${venue}:${symbol}`);
  const size = (venueSize ?? OTHER) * (asset.assetClass === 'crypto' ? 1 : OFFCHAIN);
  const secondQuote = quote === 'USDC' && venueSize !== undefined ? 0.3 : 1;
  const openUsd =
    TOP_OPEN_INTEREST * size * secondQuote * (asset.rank + 1) ** -TAIL * Math.exp(0.45 * bell(key, 1));
  const turnover = Math.exp(0.4 + 0.5 * bell(key, 2) + 0.4 * (uniform(key, 3) - 0.5));
  const open = openUsd / price;
  const volumeRate = (openUsd * turnover) / price / DAY_MS;
  return {
    openInterest: {
      key: key ^ 0x2545f491,
      level: open,
      octaves: [
        [open * 0.1, 150 * HOUR_MS],
        [open * 0.04, 21 * HOUR_MS],
        [open * 0.01, HOUR_MS],
      ],
    },
    volumeRate: {
      key: key ^ 0x6c078965,
      level: volumeRate,
      octaves: [
        [volumeRate * 0.16, 71 * HOUR_MS],
        [volumeRate * 0.14, 13 * HOUR_MS],
        [volumeRate * 0.1, 40 * 60_000],
      ],
    },
    bursts: [keyOf(seed, `burst:${asset.id}`), key ^ 0x71374491],
    dailyUsd: openUsd * turnover,
  };
}

/** Amount traded in [from, to), ticker units. */
export function tradedBetween(activity: Activity, from: number, to: number): number {
  const span = to - from;
  if (span <= 0) return 0;
  const { volumeRate, bursts } = activity;
  const steady = Math.max(0, signalMean(volumeRate, from, to) * span);
  const days = burstDays(bursts[0], from, to) + burstDays(bursts[1], from, to);
  return steady + days * volumeRate.level * DAY_MS;
}

/** Share of days with a burst, and how long one lasts. */
const BURST_SHARE = 0.012;
const BURST_MS = 3 * HOUR_MS;

/** Extra volume of bursts in [from, to), in usual days of volume: 2 to 8 each, spread over three hours. */
function burstDays(key: number, from: number, to: number): number {
  let days = 0;
  const last = Math.floor(to / DAY_MS);
  for (let day = Math.floor((from - BURST_MS) / DAY_MS); day <= last; day++) {
    if (uniform(key, day) >= BURST_SHARE) continue;
    const start = day * DAY_MS + uniform(key ^ 1, day) * (DAY_MS - BURST_MS);
    const overlap = Math.min(to, start + BURST_MS) - Math.max(from, start);
    if (overlap > 0) days += (2 + 6 * uniform(key ^ 2, day)) * (overlap / BURST_MS);
  }
  return days;
}
