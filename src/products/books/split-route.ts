/** One venue's side of a book as a split sees it. */
export interface Ladder {
  /** [cost of a unit with the fee, units], cheapest first. */
  readonly levels: readonly (readonly [cost: number, units: number])[];
}

/** Where units come from, and what they cost. */
export interface Split {
  /** Units by ladder, in their order; 0 where a ladder is not used. */
  readonly units: readonly number[];
  readonly filled: number;
  /** Sum of cost x units. */
  readonly cost: number;
}

/** Levels looked at for an exact choice of few venues; above it venues are added one by one. */
const EXACT_STEPS = 1_000_000;
/** Part of a size that rounding may leave. */
const ROUNDING = 1e-9;

/** A level of any ladder. */
interface Step {
  readonly ladder: number;
  readonly cost: number;
  readonly units: number;
}

/**
 * The cheapest way to take `wanted` units from some ladders. Exact: levels of all ladders are taken in the order of
 * their cost, the last one in part, and no other choice of the same units costs less. Of at most `most` ladders the
 * choice is exact while all sets of that many can be looked at; above that the cheapest set is extended by the ladder
 * that lowers its cost most. Never dearer than with a smaller `most`, so never than the best single ladder.
 */
export function cheapestSplit(ladders: readonly Ladder[], wanted: number, most = ladders.length): Split {
  const steps = merged(ladders, wanted);
  const take = (of: ReadonlySet<number>): Split => takeFrom(steps, ladders.length, wanted, of);
  const all = ladders.map((_, i) => i);
  const whole = take(new Set(all));
  if (whole.units.filter((units) => units > 0).length <= most) return whole;
  let chosen: Chosen = { set: new Set(), split: take(new Set()) };
  for (let count = 1; count <= most; count++) {
    const exact = combinations(all.length, count) * steps.length <= EXACT_STEPS;
    const sets = exact ? subsets(all, count) : extensions(chosen.set, all);
    for (const set of sets) {
      const split = take(set);
      if (isBetter(split, chosen.split, wanted)) chosen = { set, split };
    }
  }
  return chosen.split;
}

/** The ladder that fills `wanted` units alone at the least cost; undefined where none does. */
export function cheapestSingle(
  ladders: readonly Ladder[],
  wanted: number,
): { readonly ladder: number; readonly cost: number } | undefined {
  let best: { readonly ladder: number; readonly cost: number } | undefined;
  for (const [ladder, one] of ladders.entries()) {
    const { filled, cost } = takeFrom(merged([one], wanted), 1, wanted, new Set([0]));
    if (filled < wanted * (1 - ROUNDING)) continue;
    if (best === undefined || cost < best.cost) best = { ladder, cost };
  }
  return best;
}

interface Chosen {
  readonly set: ReadonlySet<number>;
  readonly split: Split;
}

/** All levels in the order of cost; of one ladder no more than it would need alone. */
function merged(ladders: readonly Ladder[], wanted: number): readonly Step[] {
  const steps: Step[] = [];
  for (const [ladder, { levels }] of ladders.entries()) {
    let reached = 0;
    for (const [cost, units] of levels) {
      if (reached >= wanted) break;
      steps.push({ ladder, cost, units });
      reached += units;
    }
  }
  return steps.sort((a, b) => a.cost - b.cost || a.ladder - b.ladder);
}

function takeFrom(steps: readonly Step[], count: number, wanted: number, of: ReadonlySet<number>): Split {
  const units = new Array<number>(count).fill(0);
  let left = wanted;
  let cost = 0;
  for (const step of steps) {
    if (left <= 0) break;
    if (!of.has(step.ladder)) continue;
    const taken = Math.min(left, step.units);
    units[step.ladder] = (units[step.ladder] ?? 0) + taken;
    cost += taken * step.cost;
    left -= taken;
  }
  return { units, filled: wanted - Math.max(0, left), cost };
}

/** More filled, or as much at less cost. */
function isBetter(a: Split, b: Split, wanted: number): boolean {
  const more = a.filled - b.filled;
  return Math.abs(more) > wanted * ROUNDING ? more > 0 : a.cost < b.cost;
}

function* extensions(set: ReadonlySet<number>, all: readonly number[]): Generator<ReadonlySet<number>> {
  for (const one of all) if (!set.has(one)) yield new Set([...set, one]);
}

function* subsets(all: readonly number[], count: number): Generator<ReadonlySet<number>> {
  const pick = function* (from: number, picked: readonly number[]): Generator<ReadonlySet<number>> {
    if (picked.length === count) yield new Set(picked);
    else for (let i = from; i < all.length; i++) yield* pick(i + 1, [...picked, i]);
  };
  yield* pick(0, []);
}

/** n over k. */
function combinations(n: number, k: number): number {
  let found = 1;
  for (let i = 0; i < k; i++) found = (found * (n - i)) / (i + 1);
  return found;
}
