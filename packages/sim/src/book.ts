import { fromSteps } from './increments.ts';
import { uniform } from './noise.ts';
import type { SimBook, SimContract } from './world.ts';

/** The shape of a book: the middle now, its width, density and depth. */
export interface BookShape {
  readonly key: number;
  /** Middle in venue price units. */
  readonly mid: number;
  /** Half spread and distance of levels, as fractions of the price. */
  readonly halfSpread: number;
  readonly spacing: number;
  /** Usual size of a level, contracts. */
  readonly levelSize: number;
}

/** Levels a side that any book has: enough for every quote, and few enough that thousands of books move each second. */
const DEEPEST = 100;

/**
 * Levels sit on fixed multiples of the spacing and keep their size for some seconds, so that the book of the
 * next second differs in few levels. Prices and sizes are per ticker unit.
 */
export function renderBook(contract: SimContract, shape: BookShape, t: number, depth: number): SimBook {
  const { tick } = contract;
  const levels = Math.min(depth, DEEPEST);
  const gap = Math.max(1, Math.round((shape.mid * shape.spacing) / tick));
  const half = Math.max(tick / 2, shape.mid * shape.halfSpread);
  const bid = Math.floor((shape.mid - half) / tick / gap);
  const ask = Math.max(Math.ceil((shape.mid + half) / tick / gap), bid + 1);
  return {
    bids: side(contract, shape, t, levels, gap, (i) => bid - i),
    asks: side(contract, shape, t, levels, gap, (i) => ask + i),
  };
}

function side(
  contract: SimContract,
  shape: BookShape,
  t: number,
  depth: number,
  gap: number,
  place: (i: number) => number,
): (readonly [number, number])[] {
  const { tick, lot, multiplier, contractSize } = contract;
  const levels: (readonly [number, number])[] = [];
  for (let i = 0; i < depth; i++) {
    const steps = place(i) * gap;
    if (steps <= 0) break;
    const lots = Math.max(1, Math.round((shape.levelSize * sizeFactor(shape.key, steps, t)) / lot));
    const price = fromSteps(steps, tick);
    levels.push([
      multiplier === 1 ? price : price / multiplier,
      fromSteps(lots, lot) * contractSize * multiplier,
    ]);
  }
  return levels;
}

/** Size of a level against the usual one: mostly small, at times a wall; renewed every 2 to 20 s. */
function sizeFactor(key: number, steps: number, t: number): number {
  const level = uniform(key, steps);
  const life = 2000 + level * 18_000;
  const u = uniform(key ^ steps, Math.floor(t / life + level));
  return 0.2 + 1.2 * u + (u > 0.96 ? 6 : 0);
}
