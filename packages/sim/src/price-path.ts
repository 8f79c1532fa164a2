import type { AssetClass } from '../../../src/domain/instrument.ts';
import { SECOND_MS } from '../../../src/runtime/duration.ts';
import { UNDERLYING } from './asset-table.ts';
import type { PricedAsset } from './assets.ts';
import { keyOf, signed, uniform, valueNoise } from './noise.ts';

/** Octaves of 1 s, 4 s, … about 12 days: rough down to a second, level kept over months. */
const PERIODS_MS: readonly number[] = Array.from({ length: 11 }, (_, k) => SECOND_MS * 4 ** k);
const YEAR_MS = 365 * 24 * 3600 * SECOND_MS;
/** Scales octave amplitudes so that increments have the stated yearly volatility. */
const CALIBRATION = 1.05;

interface Factor {
  readonly key: number;
  readonly amplitudes: readonly number[];
}

/** Yearly volatility of the common factor and of the asset alone, by class. */
const VOLATILITY: Readonly<Record<AssetClass, readonly [common: number, own: number]>> = {
  crypto: [0.5, 0.75],
  equity: [0.17, 0.35],
  index: [0.15, 0.03],
  commodity: [0.08, 0.22],
  fx: [0.05, 0.05],
  etf: [0.12, 0.08],
  prelaunch: [0.1, 0.7],
  unknown: [0.3, 0.5],
};

/** Classes that move together. */
const GROUP: Readonly<Record<AssetClass, string>> = {
  crypto: 'crypto',
  equity: 'stocks',
  index: 'stocks',
  etf: 'stocks',
  prelaunch: 'stocks',
  commodity: 'commodity',
  fx: 'fx',
  unknown: 'crypto',
};

/** Spot price of an asset in USD at a time (ms), a pure function. */
export type SpotPath = (t: number) => number;

/** Log price = level + beta x common factor of the class + own factor, each a sum of octaves of value noise. */
export class PricePaths {
  readonly #seed: number;
  readonly #common = new Map<string, SpotPath>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  path(asset: PricedAsset): SpotPath {
    const [common, own] = VOLATILITY[asset.assetClass];
    const key = keyOf(this.#seed, UNDERLYING.get(asset.id) ?? asset.id);
    const group = this.#factor(GROUP[asset.assetClass]);
    const major = asset.rank < 10;
    const beta = common * (major ? 1 : 0.8 + uniform(key, 1) * 0.7);
    const factor = { key, amplitudes: amplitudesOf(major ? own * 0.35 : own) };
    const logLevel = Math.log(asset.level);
    return remember((t) => Math.exp(logLevel + beta * group(t) + sum(factor, t)));
  }

  #factor(name: string): SpotPath {
    const known = this.#common.get(name);
    if (known !== undefined) return known;
    const factor = { key: keyOf(this.#seed, `factor:${name}`), amplitudes: amplitudesOf(1) };
    const path = remember((t) => sum(factor, t));
    this.#common.set(name, path);
    return path;
  }
}

/** Random-walk scaling: the noise of an octave grows with the root of its period. */
function amplitudesOf(yearly: number): number[] {
  return PERIODS_MS.map((period) => CALIBRATION * yearly * Math.sqrt(period / YEAR_MS));
}

function sum(factor: Factor, t: number): number {
  let total = 0;
  let key = factor.key;
  for (let k = 0; k < PERIODS_MS.length; k++) {
    const shift = signed(key, -1);
    total += (factor.amplitudes[k] ?? 0) * valueNoise(key, t / (PERIODS_MS[k] ?? SECOND_MS) + shift);
    key = (key + 0x61c88647) >>> 0;
  }
  return total;
}

/** Keeps the answer for the last time asked: callers ask for all contracts at one time. */
function remember(path: SpotPath): SpotPath {
  let lastTime = Number.NaN;
  let last = 0;
  return (t) => {
    if (t !== lastTime) {
      last = path(t);
      lastTime = t;
    }
    return last;
  };
}
