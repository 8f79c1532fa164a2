/** Hash-based noise: every value is a pure function of a key and a position, so time can run either way. */

/** 32-bit key of a text under a seed (FNV-1a, then mixed). */
export function keyOf(seed: number, text: string): number {
  let h = (0x811c9dc5 ^ seed) >>> 0;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h);
}

/** Bijective 32-bit mixer (murmur3 finaliser). */
function mix(x: number): number {
  let h = x;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Uniform in [0, 1) from a key and an integer position. */
export function uniform(key: number, position: number): number {
  return mix(Math.imul(key ^ position, 0x9e3779b1) + key) / 4294967296;
}

/** Uniform in [-1, 1). */
export function signed(key: number, position: number): number {
  return uniform(key, position) * 2 - 1;
}

/** About normal, mean 0, variance 1, bounded at 3.5 (sum of three uniforms). */
export function bell(key: number, position: number): number {
  return signed(key, position) + signed(key ^ 0x5bd1e995, position) + signed(key ^ 0x1b873593, position);
}

/** Smooth value noise in [-1, 1]; `x` counts cells. */
export function valueNoise(key: number, x: number): number {
  const cell = Math.floor(x);
  const f = x - cell;
  const a = signed(key, cell);
  return a + (signed(key, cell + 1) - a) * f * f * (3 - 2 * f);
}

const SLOPE_KEY = 0x27d4eb2f;

/** Cubic Hermite noise with random values and slopes: `value` has a known derivative `slope`. */
function hermite(key: number, x: number): { readonly value: number; readonly slope: number } {
  const cell = Math.floor(x);
  const f = x - cell;
  const v0 = signed(key, cell);
  const v1 = signed(key, cell + 1);
  const s0 = signed(key ^ SLOPE_KEY, cell);
  const s1 = signed(key ^ SLOPE_KEY, cell + 1);
  const f2 = f * f;
  const f3 = f2 * f;
  const rise = 3 * f2 - 2 * f3;
  return {
    value: v0 + (v1 - v0) * rise + s0 * (f3 - 2 * f2 + f) + s1 * (f3 - f2),
    slope: (v1 - v0) * 6 * (f - f2) + s0 * (3 * f2 - 4 * f + 1) + s1 * (3 * f2 - 2 * f),
  };
}

/** A signal with a closed-form integral: `level` plus bounded octaves of Hermite slopes. */
export interface Signal {
  readonly key: number;
  readonly level: number;
  /** Largest contribution scale of each octave, and its period in ms. */
  readonly octaves: readonly (readonly [amplitude: number, periodMs: number])[];
}

/** The signal at time t. */
export function signalAt(signal: Signal, t: number): number {
  let sum = signal.level;
  let key = signal.key;
  for (const [amplitude, period] of signal.octaves) {
    sum += amplitude * hermite(key, t / period + phase(key)).slope;
    key = (key + 0x61c88647) >>> 0;
  }
  return sum;
}

/** Mean of the signal over [from, to]; the value itself when the span is under a second. */
export function signalMean(signal: Signal, from: number, to: number): number {
  const span = to - from;
  if (span < 1000) return signalAt(signal, to);
  let sum = 0;
  let key = signal.key;
  for (const [amplitude, period] of signal.octaves) {
    const shift = phase(key);
    const rise = hermite(key, to / period + shift).value - hermite(key, from / period + shift).value;
    sum += amplitude * period * rise;
    key = (key + 0x61c88647) >>> 0;
  }
  return signal.level + sum / span;
}

/** Cells do not start at the same moment for all keys. */
function phase(key: number): number {
  return (key & 0xffff) / 65536;
}
