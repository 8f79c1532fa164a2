import { HOUR_MS, MINUTE_MS } from '../../../src/runtime/duration.ts';
import { bell, keyOf, type Signal, signalAt, signalMean, signed, uniform } from './noise.ts';
import { changesSign, plantedPremium } from './planted.ts';
import type { SimContract } from './world.ts';

/** Interest component, fraction per eight hours. */
const INTEREST_8H = 0.0001;
/** The greatest pull of the interest component on the premium, fraction per eight hours. */
const CLAMP_8H = 0.0002;
/** Largest rate, fraction per eight hours. */
const CAP_8H = 0.02;

/** Premium of the mark over the index, as a fraction: common to all venues of the asset, plus the venue's own. */
export interface Premium {
  readonly common: Signal;
  readonly own: Signal;
}

/** Premiums grow towards the long tail; a few contracts are far out. */
export function premiumOf(seed: number, contract: SimContract): Premium {
  const { asset, venue, symbol } = contract;
  const size = 0.0002 + 0.0008 * Math.min(1, asset.rank / 300);
  const hot = uniform(keyOf(seed, `hot:${asset.id}`), 0) < 0.03 ? 6 : 1;
  const key = keyOf(seed, `premium:${asset.id}`);
  const common = changesSign(asset.id) ? swing(key) : signal(key, size * 0.6 * hot);
  const own = signal(keyOf(seed, `premium:${venue}:${symbol}`), size * 0.5);
  return { common, own: { ...own, level: own.level + plantedPremium(venue, asset.id) } };
}

/** Swings about the premium at which interest and clamp leave a rate of zero. */
function swing(key: number): Signal {
  return { key, level: -CLAMP_8H, octaves: [[0.0008, 20 * HOUR_MS]] };
}

function signal(key: number, size: number): Signal {
  return {
    key,
    level: size * 0.5 * bell(key, 0),
    octaves: [
      [size * 0.35, 96 * HOUR_MS],
      [size * 0.35, 20 * HOUR_MS],
      [size * 0.25, 3 * HOUR_MS],
      [size * 0.15, 17 * MINUTE_MS],
    ],
  };
}

/** The premium at t. */
export function premiumAt(premium: Premium, t: number): number {
  return signalAt(premium.common, t) + signalAt(premium.own, t);
}

/** Settlement after t, strictly later. */
export function nextSettlement(intervalHours: number, t: number): number {
  const period = intervalHours * HOUR_MS;
  return (Math.floor(t / period) + 1) * period;
}

/**
 * Rate of the period that contains t, from its premiums so far: (P + clamp(interest - P, +-clamp)) x interval / 8
 * with P the mean premium since the period began, capped, on a grid of 1e-8.
 */
export function estimatedRate(premium: Premium, intervalHours: number, t: number): number {
  const next = nextSettlement(intervalHours, t);
  const start = next - intervalHours * HOUR_MS;
  const mean = signalMean(premium.common, start, t) + signalMean(premium.own, start, t);
  const pulled = mean + clamp(INTEREST_8H - mean, CLAMP_8H);
  const rate = (clamp(pulled, CAP_8H) * intervalHours) / 8;
  return Math.round(rate * 1e8) / 1e8 + 0;
}

function clamp(x: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, x));
}

/** Largest rate that a contract can have, fraction per interval; the smallest is its opposite. */
export const capOf = ({ intervalHours }: Pick<SimContract, 'intervalHours'>): number =>
  (CAP_8H * intervalHours) / 8;

/** Static offset of a venue's index from spot, in fractions; wider for rarely traded assets. */
export function indexOffset(key: number, rank: number): number {
  return signed(key, -2) * (0.00006 + 0.0000008 * rank);
}
